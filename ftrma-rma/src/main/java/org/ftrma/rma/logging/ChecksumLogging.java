package org.ftrma.rma.logging;

import java.lang.foreign.Arena;
import java.util.List;
import org.ftrma.core.collective.Collectives;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Exchanges;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.MembershipListener;
import org.ftrma.core.session.PeerTable;
import org.ftrma.core.session.Session;
import org.ftrma.options.JobOptions;
import org.ftrma.rma.log.ChecksumLog;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogMarks;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.rma.window.WindowImpl;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.xor.Groups;

/**
 * Protocol ml: every access is logged at the checksum rank of the group, for measuring what that costs (see
 * {@link ChecksumLog}). A lost rank is recovered as with coordinated checkpoints: all go back. Logs are dropped when a
 * generation is committed; where they run low, a checkpoint is asked for. One computing rank over all views; data
 * thread only.
 */
public final class ChecksumLogging implements AccessProtocol, MembershipListener {
    private final Fabric fabric;
    private final Inbox inbox;
    private final JobOptions options;
    private final PeerTable peers;
    private final Exchanges exchanges;
    private final int member;
    private final Collectives collectives;
    private final List<WindowImpl> windows;
    private final Arena arena;
    private final LogDescriptor layout;
    private ChecksumLog log;
    private long bytes;
    private long pendingGeneration;
    private LogMarks pendingMarks;
    /** What is in a committed image and not dropped yet, or null. */
    private LogMarks committedMarks;

    public ChecksumLogging(Session session, Collectives collectives, List<WindowImpl> windows, Arena arena) {
        this.fabric = session.fabric;
        this.inbox = session.inbox;
        this.options = session.options;
        this.peers = session.peers;
        this.exchanges = session.exchanges;
        this.member = session.member;
        this.collectives = collectives;
        this.windows = windows;
        this.arena = arena;
        this.layout = LogRegions.layout(options);
        inbox.listen(this);
    }

    @Override
    public void enterView() {
        bytes = bytes();
        log = null;
        pendingGeneration = 0;
        committedMarks = null;
        windows.forEach(WindowImpl::accessDirectly);
        collectives.logTo(null);
    }

    /** Images are open: accesses are logged from here on. */
    @Override
    public void restored() {
        Contributions told = exchanges.of(ControlMessage.Scope.ALL, new byte[0]);
        Groups groups = JobGroups.of(options);
        int group = groups.groupOf(member);
        int keeper = groups.checksumOf(group);
        int[] guarded = groups.ranksOf(group);
        int place = groups.indexInGroup(member);
        RemoteMemory memory = peers.attach(keeper, () -> Blob.unpack(told.of(keeper), guarded.length).get(place));
        log = new ChecksumLog(layout, new LogRegion(layout, keeper, member, memory, memory.mapped(),
            () -> fabric.flush(keeper), arena));
        windows.forEach(window -> window.logTo(log));
        collectives.logTo(log::result);
    }

    @Override
    public void start(long step) {
        // accesses are logged since restored
    }

    @Override
    public void report(Reports reports) {
        if (member == 0) {
            reports.add("messageLogBytes", bytes());
        }
    }

    @Override
    public void gsyncFlushed() {
        if (log != null) {
            log.flushed(0, -1);
        }
    }

    @Override
    public void collectiveOver(boolean gsync) {
        if (log != null) {
            log.collective(collectives.entered(), gsync);
        }
    }

    /** Bytes logged by this process so far. */
    private long bytes() {
        return bytes + (log == null ? 0 : log.bytes());
    }

    @Override
    public boolean needsCut() {
        if (committedMarks != null) {
            log.trim(committedMarks);
            log.relieved();
            committedMarks = null;
        }
        return log != null && log.runsLow();
    }

    @Override
    public void beforeCopy() {
        // nothing is replayed
    }

    @Override
    public void copied(long generation) {
        pendingGeneration = generation;
        pendingMarks = log.marks();
    }

    @Override
    public boolean replaying() {
        return false;
    }

    /**
     * This may come in the middle of a wait for what is being logged, so that the logs must not be touched before the
     * next step boundary.
     */
    @Override
    public void committed(long generation) {
        if (log != null && generation == pendingGeneration) {
            committedMarks = pendingMarks;
            pendingGeneration = 0;
        }
    }
}
