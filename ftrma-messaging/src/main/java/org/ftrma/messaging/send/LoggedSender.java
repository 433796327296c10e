package org.ftrma.messaging.send;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.messaging.transport.OutLane;
import org.ftrma.messaging.transport.SendLog;
import org.ftrma.messaging.transport.SendLogDescriptor;

/**
 * Sends logged messages, and resends them to targets that are recovered (Open MPI-V, 3.1). A send is complete when its
 * message is in the log, and what the log has is pushed to its target, now or when that is there again: a rank that is
 * away keeps nobody from sending. A target says how far it has received; what it has is not pushed again. Data thread
 * only; allocates nothing once lists have grown.
 */
public final class LoggedSender implements Sender {
    private final Session session;
    private final PeerMemories peers;
    private final ReleaseGate gate;
    private final SendLog log;
    private final long eagerBytes;
    private final MemorySegment staging;
    private final MemorySegment valueCell;
    private final OutLane[] lanes;
    private final boolean[] isAway;
    /** Sends that wait for room in the log. */
    private final SendQueues waiting;
    private final SynchronousSends synchronous;
    /** The targets for which the log may have something that was not pushed. */
    private final int[] behind;
    private final boolean[] isBehind;
    private int behindCount;
    /** What a target had received of the process before this one: what is sent again must be the same. */
    private final long[] received;
    private final long[] digests;

    /**
     * Sends messages of up to {@code eagerBytes} in one frame.
     *
     * @param staging room to make a frame in
     * @param valueCell room for one value
     */
    public LoggedSender(Session session, PeerMemories peers, ReleaseGate gate, SendLog log, long eagerBytes,
        MemorySegment staging, MemorySegment valueCell) {
        int ranks = session.ranks;
        this.session = session;
        this.peers = peers;
        this.gate = gate;
        this.log = log;
        this.eagerBytes = Math.min(eagerBytes, SendLogDescriptor.PIECE);
        this.staging = staging;
        this.valueCell = valueCell;
        this.lanes = new OutLane[ranks];
        this.isAway = new boolean[ranks];
        this.waiting = new SendQueues(ranks);
        this.synchronous = new SynchronousSends(log);
        this.behind = new int[ranks];
        this.isBehind = new boolean[ranks];
        this.received = new long[ranks];
        this.digests = new long[ranks];
    }

    @Override
    public void clear() {
        Arrays.fill(lanes, null);
        Arrays.fill(isAway, false);
        Arrays.fill(isBehind, false);
        Arrays.fill(received, 0);
        behindCount = 0;
        waiting.clear();
        synchronous.clear();
        log.clear();
    }

    /** A target is lost: what is for it stays in the log. */
    public void lost(int target) {
        lanes[target] = null;
        isAway[target] = true;
    }

    /** A target is there again, or for the first time. */
    public void resumed(int target) {
        isAway[target] = false;
        addBehind(target);
    }

    /** All are there, and may lack what an image has for them. */
    public void resumeAll() {
        for (int target = 0; target < lanes.length; target++) {
            if (log.sent(target) > 0) {
                addBehind(target);
            }
        }
    }

    private void addBehind(int target) {
        if (!isBehind[target]) {
            isBehind[target] = true;
            behind[behindCount++] = target;
        }
    }

    /**
     * The lane to a target, opened where it was not: what the target has received tells what is pushed first. Null: it
     * is away.
     */
    private OutLane lane(int target) {
        OutLane lane = lanes[target];
        if (lane != null || isAway[target]) {
            return lane;
        }
        try {
            return open(target);
        } catch (PeerLostException e) {
            endedWith(e);
            return null;
        }
    }

    private OutLane open(int target) {
        OutLane lane = peers.laneTo(target, staging);
        if (isAway[target]) {
            return null; // it was lost again meanwhile
        }
        long has = lane.received();
        if (!log.resume(target, has)) {
            throw session.fallBack(FallbackReason.LOG_GAP, "rank " + session.member
                + " has dropped messages up to " + log.dropped(target) + " to rank " + target
                + ", which has received " + has + ": there was no more room for them (--message-log)");
        }
        lane.startAfter(has);
        received[target] = has;
        digests[target] = has > 0 ? lane.receivedDigest() : 0;
        lanes[target] = lane;
        check(target);
        addBehind(target);
        return lane;
    }

    /** What was sent again is what the target has: Open MPI-V assumes that, here it is compared. */
    private void check(int target) {
        if (received[target] > 0 && log.sent(target) >= received[target]) {
            long digest = log.digestAt(target, received[target]);
            if (digest != 0 && digest != digests[target]) {
                throw session.fallBack(FallbackReason.DETERMINANT_MISMATCH, "rank " + session.member
                    + " has sent other messages to rank " + target + " than before: one of the first "
                    + received[target] + " has another channel, tag or length");
            }
            received[target] = 0;
        }
    }

    /** Whether all was sent again that targets have received. */
    public boolean isCaughtUp() {
        for (long one : received) {
            if (one > 0) {
                return false;
            }
        }
        return true;
    }

    /** Opens the lane to a target: so it is known what that has received. */
    public void meet(int target) {
        lane(target);
    }

    @Override
    public boolean sendNow(MemorySegment source, long offset, long length, int context, int target, int tag,
        long call) {
        if (length > eagerBytes || !waiting.isEmpty(target)) {
            return false;
        }
        OutLane lane = lanes[target];
        if (lane != null && lane.isDirect() && !isBehind[target] && received[target] == 0) {
            gate.beforeMessage(target);
            if (lane == lanes[target] && !isBehind[target]) {
                return sendDirectly(lane, source, offset, length, context, target, tag, call);
            }
        }
        long record = log.append(target, false, FrameDescriptor.tag(tag, context), length, 0, source, offset, length);
        if (record < 0) {
            return false;
        }
        log.setCall(record, call);
        if (isBehind[target] || received[target] > 0 || lane(target) == null || isBehind[target]) {
            pushLater(target);
        } else {
            gate.beforeMessage(target);
            if (lanes[target] == null || !pushNow(target, record, tag, context, source, offset, length)) {
                pushLater(target);
            }
        }
        return true;
    }

    /**
     * The message is on its way while it is logged: whoever needs the log hears of it from this thread, and not before
     * it has logged it; where this rank dies in between it sends the message again.
     */
    private boolean sendDirectly(OutLane lane, MemorySegment source, long offset, long length, int context, int target,
        int tag, long call) {
        if (!log.hasRoom(target, length)) {
            return false;
        }
        boolean isPushed = lane.eager(tag, context, call, source, offset, length);
        long record = log.append(target, false, FrameDescriptor.tag(tag, context), length, 0, source, offset, length);
        log.setCall(record, call);
        if (isPushed) {
            log.pushed(target, log.next(target));
        } else {
            pushLater(target);
        }
        return true;
    }

    private boolean pushNow(int target, long record, int tag, int context, MemorySegment source, long offset,
        long length) {
        try {
            if (lanes[target].eager(tag, context, log.call(record), source, offset, length)) {
                log.pushed(target, log.next(target));
                return true;
            }
            return false;
        } catch (PeerLostException e) {
            return endedWith(e);
        }
    }

    private boolean endedWith(PeerLostException loss) {
        if (!session.survivor.isPossible()) {
            throw loss;
        }
        return false;
    }

    private void pushLater(int target) {
        addBehind(target);
        push(target);
    }

    @Override
    public boolean sendNow(long value, int context, int target, int tag) {
        MemorySegment cell = valueCell;
        cell.set(ValueLayout.JAVA_LONG, 0, value);
        return sendNow(cell, 0, Long.BYTES, context, target, tag, 0);
    }

    @Override
    public void begin(SendRequest send) {
        waiting.add(send);
        append(send.peer());
        pushLater(send.peer());
    }

    /** Sends that wait go into the log, as far as there is room. */
    private void append(int target) {
        for (SendRequest one = waiting.first(target); one != null && isAppended(target, one);
            one = waiting.first(target)) {
            waiting.removeFirst(target);
            if (one.isSynchronous) {
                synchronous.add(one);
            } else {
                one.complete();
            }
        }
    }

    private boolean isAppended(int target, SendRequest send) {
        long most = send.length <= eagerBytes ? send.length : SendLogDescriptor.PIECE;
        while (!send.hasBegun || send.bytes < send.length) {
            long piece = Math.min(most, send.length - send.bytes);
            long record = log.append(target, send.isSynchronous, FrameDescriptor.tag(send.tag, send.context),
                send.length, send.bytes, send.segment, send.offset + send.bytes, piece);
            if (record < 0) {
                return false;
            }
            log.setCall(record, send.call);
            send.hasBegun = true;
            send.bytes += piece;
            send.record = record;
        }
        return true;
    }

    /** Pushes what the log has for a target, as far as there is room in its lane. */
    private void push(int target) {
        OutLane lane = lane(target);
        if (lane == null) {
            return;
        }
        check(target);
        long record = log.next(target);
        if (record >= 0) {
            gate.beforeMessage(target);
        }
        while (record >= 0 && lanes[target] == lane) {
            try {
                if (!isPushed(lane, record)) {
                    return;
                }
            } catch (PeerLostException e) {
                endedWith(e);
                return;
            }
            log.pushed(target, record);
            record = log.next(target);
        }
    }

    private boolean isPushed(OutLane lane, long record) {
        long tag = log.tag(record);
        long total = log.total(record);
        long length = log.length(record);
        if (length == total && length <= eagerBytes && !log.isSynchronous(record)) {
            return lane.eager((int) (tag >>> 32), (int) tag, log.call(record), log.memory(),
                log.payload(record), length);
        }
        return lane.piece(log.isFirst(record), (int) (tag >>> 32), (int) tag, log.call(record), total,
            log.isSynchronous(record) ? record | 1 : record, length);
    }

    @Override
    public void progress() {
        synchronous.completeRead();
        if (waiting.targets() > 0) {
            makeRoom();
            for (int target = 0; target < lanes.length; target++) {
                if (!waiting.isEmpty(target)) {
                    append(target);
                    addBehind(target);
                }
            }
        }
        for (int i = behindCount - 1; i >= 0; i--) {
            int target = behind[i];
            push(target);
            if (log.next(target) < 0 || isAway[target]) {
                isBehind[target] = false;
                behind[i] = behind[--behindCount];
            }
        }
    }

    /** Drops what images of targets cover, as they say. */
    public void trim() {
        for (int target = 0; target < lanes.length; target++) {
            if (log.chunks(target) > 0 && lanes[target] != null) {
                try {
                    log.trim(target, Math.min(lanes[target].covered(), synchronous.mostToTrim(target)));
                } catch (PeerLostException e) {
                    endedWith(e);
                }
            }
        }
    }

    /**
     * All ranks stand at a cut, and each takes its image there before anybody goes on: what a target has received now
     * its image has, so that this rank's image need not have it.
     */
    public void settle() {
        for (int target = 0; target < lanes.length; target++) {
            if (log.chunks(target) > 0) {
                log.settle(target, receivedBy(target));
            }
        }
    }

    private long receivedBy(int target) {
        try {
            return lanes[target] == null ? 0 : Math.min(lanes[target].received(), synchronous.mostToTrim(target));
        } catch (PeerLostException e) {
            endedWith(e);
            return 0;
        }
    }

    /** This rank alone takes an image: others go back to older ones, and need all that these do not have. */
    public void unsettle() {
        for (int target = 0; target < lanes.length; target++) {
            log.settle(target, 0);
        }
    }

    /** The log is full: what was received is dropped though a loss of its target would need it, the most first. */
    private void makeRoom() {
        trim();
        if (log.used() < log.size()) {
            return;
        }
        int most = -1;
        for (int target = 0; target < lanes.length; target++) {
            boolean mayDrop = lanes[target] != null && log.chunks(target) > 0;
            if (mayDrop && (most < 0 || log.chunks(target) > log.chunks(most))) {
                most = target;
            }
        }
        for (int target = 0; target < lanes.length && log.used() == log.size(); target++) {
            int one = (most + target) % lanes.length;
            if (most >= 0 && lanes[one] != null) {
                try {
                    log.drop(one, Math.min(lanes[one].received(), synchronous.mostToTrim(one)));
                } catch (PeerLostException e) {
                    endedWith(e);
                }
            }
        }
    }

    /** Whether the log lacks something that a loss of that rank would need. */
    public boolean lacksFor(int target) {
        try {
            return lanes[target] != null && log.dropped(target) > 0 && log.dropped(target) > lanes[target].covered();
        } catch (PeerLostException e) {
            return endedWith(e);
        }
    }

    /** Whether something is to be pushed to a target that is there. */
    public boolean hasUnpushed() {
        for (int i = 0; i < behindCount; i++) {
            if (!isAway[behind[i]] && log.next(behind[i]) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** How many messages the program has sent so far, those of collectives among them. */
    public long sent() {
        long sum = 0;
        for (int target = 0; target < lanes.length; target++) {
            sum += log.sent(target);
        }
        return sum;
    }

    @Override
    public void over(SendRequest send) {
        // it was taken out of all lists when it was complete
    }

    @Override
    public long mostBytes() {
        return log.size() * SendLogDescriptor.PIECE;
    }

    @Override
    public boolean lacksRoom() {
        return waiting.targets() > 0;
    }

    @Override
    public String describe() {
        return !lacksRoom() ? "nothing waits to be sent" : "messages wait to be sent to " + waiting.targets()
            + " ranks, for room in the log (--message-log, " + log.used() + " of " + log.size()
            + " pieces of 64 KiB are used; it needs room for all that was sent and not received yet)";
    }
}
