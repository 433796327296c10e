package org.ftrma.core.parity;

import java.util.List;
import java.util.concurrent.Executor;
import org.ftrma.FtrmaException;
import org.ftrma.core.control.Blob;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.PeerTable;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/** The members of a group in the present view. Data thread only. */
public final class GroupMembers implements GroupImages.Members {
    private final Fabric fabric;
    private final Inbox inbox;
    private final RecoveringRanks away;
    private final PeerTable peers;
    private final PeerFailureHandling survivor;
    private final int self;
    private final int ranks;
    private final Contributions keys;

    /**
     * Those that this member shares a group with.
     *
     * @param keys by member: of a computing rank the key of its image region, then of its rotating regions; of a
     *     checksum rank that of its parity
     */
    public GroupMembers(Fabric fabric, Inbox inbox, RecoveringRanks away, PeerTable peers, PeerFailureHandling survivor,
        int self, int ranks, Contributions keys) {
        this.fabric = fabric;
        this.inbox = inbox;
        this.away = away;
        this.peers = peers;
        this.survivor = survivor;
        this.self = self;
        this.ranks = ranks;
        this.keys = keys;
    }

    @Override
    public int self() {
        return self;
    }

    @Override
    public int ranks() {
        return ranks;
    }

    @Override
    public List<RemoteMemory> open(int member, int rotating) {
        return peers.attachAll(member, () -> Blob.unpack(keys.of(member), 1 + rotating));
    }

    @Override
    public boolean isMissing(int member) {
        return away.isMissing(member);
    }

    @Override
    public int losses() {
        return away.losses();
    }

    @Override
    public boolean goesOnAfter(FtrmaException failure, int known) {
        return peers.goesOnAfter(failure, known);
    }

    @Override
    public void quiesce() {
        survivor.quiesce();
    }

    @Override
    public void flush(int member) {
        fabric.flush(member);
    }

    @Override
    public Executor helper() {
        return fabric.helper();
    }

    @Override
    public void goOn() {
        fabric.progress();
        inbox.drain();
        if (inbox.encodes().isPresentGivenUp()) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "the parity that was to be made is not wanted any more");
        }
    }
}
