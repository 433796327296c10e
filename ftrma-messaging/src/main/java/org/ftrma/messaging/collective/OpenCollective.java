package org.ftrma.messaging.collective;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.LongFunction;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Message;
import org.ftrma.MisuseException;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.PendingRequest;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.receive.RequestTable;

/**
 * A collective that was begun: its messages, and what is done when all of them are there. Reused. Data thread only;
 * allocates nothing once its lists and memory have grown.
 */
final class OpenCollective extends PendingRequest {
    /** What is made of the parts of all ranks when they are there. */
    enum Ending {
        /** They are where they belong. */
        NOTHING,
        /** Positions from the root, combined as in the tree of a blocking reduction: the bits are the same. */
        TREE,
        /** Ranks up to this one, one after the other. */
        PREFIX
    }

    private final OpenCollectives pool;
    private final RequestTable requests;
    private final LongFunction<MemorySegment> memory;
    /** The next one of those that are open, or of those that are free. */
    OpenCollective next;
    private CollectiveSequence sequence;
    private int number;
    private long call;
    private PendingRequest[] parts = new PendingRequest[8];
    private int count;
    private int taken;
    /** The part that was looked at last, whether it may still come. */
    private int looked;
    private MemorySegment scratch;
    private Ending ending;
    private AtomicOp op;
    private DataType type;
    private MemorySegment destination;
    private MisuseException refusal;

    OpenCollective(OpenCollectives pool, RequestTable requests, LongFunction<MemorySegment> memory) {
        this.pool = pool;
        this.requests = requests;
        this.memory = memory;
    }

    void begin(ChannelMembers channel, CollectiveSequence newSequence, int newNumber, long newCall) {
        begin(channel, Channel.ANY_SOURCE);
        sequence = newSequence;
        number = newNumber;
        call = newCall;
        count = 0;
        taken = 0;
        looked = 0;
        ending = Ending.NOTHING;
        refusal = null;
    }

    /** What it will end with: elements of this operation and type, for that destination. */
    void endsWith(Ending newEnding, AtomicOp newOp, DataType newType, MemorySegment newDestination) {
        ending = newEnding;
        op = newOp;
        type = newType;
        destination = newDestination;
    }

    /** Room for so many bytes, until it is used again. */
    MemorySegment scratch(long bytes) {
        if (scratch == null || scratch.byteSize() < bytes) {
            scratch = memory.apply(Math.max(bytes, scratch == null ? 0 : 2 * scratch.byteSize()));
        }
        return scratch;
    }

    /** A message of it is under way. */
    void add(PendingRequest part) {
        if (count == parts.length) {
            parts = Arrays.copyOf(parts, 2 * count);
        }
        parts[count++] = part;
    }

    /** Takes what is complete; returns whether all is, or was refused. */
    boolean isDone() {
        if (sequence.isBroken()) {
            refusal = sequence.afterwards(call);
        }
        while (taken < count && refusal == null && parts[taken].isComplete()) {
            PendingRequest part = parts[taken];
            refusal = part instanceof ReceiveRequest receive ? sequence.refusal(number, call, receive) : null;
            part.end();
            parts[taken++] = null;
        }
        if (taken < count && refusal == null) {
            peer(parts[taken] instanceof ReceiveRequest receive ? receive.peer() : Channel.ANY_SOURCE);
            refusal = impossible();
            if (refusal == null) {
                return false;
            }
        }
        if (refusal != null) {
            takeBack(); // for the channel it stays open: nothing of it counts as what an earlier one has left
        } else {
            combine();
            sequence.closed();
        }
        complete();
        return true;
    }

    /** Why it will never be complete; null: it may be. Looks at one part after the other: whoever waits asks often. */
    private MisuseException impossible() {
        looked = looked + 1 < count ? Math.max(looked + 1, taken) : taken;
        return parts[looked] instanceof ReceiveRequest receive ? sequence.passed(number, call, receive) : null;
    }

    /** The ranks of which something has not come, or to which something has not gone, in words for people. */
    private String missing() {
        StringJoiner from = new StringJoiner(", ", ": not all has come from ranks ", "").setEmptyValue("");
        StringJoiner to = new StringJoiner(", ", ": not all could be sent to ranks ", "").setEmptyValue("");
        for (int i = taken; i < count; i++) {
            if (!parts[i].isComplete()) {
                (parts[i] instanceof ReceiveRequest ? from : to).add("" + channel().numberOf(parts[i].peer()));
            }
        }
        return from.toString() + to;
    }

    /** Nothing comes into the program's memory any more, or is read from there. */
    private void takeBack() {
        for (; taken < count; taken++) {
            requests.endEarly(parts[taken]);
            parts[taken] = null;
        }
    }

    private void combine() {
        if (ending == Ending.NOTHING) {
            return;
        }
        long bytes = destination.byteSize();
        long result = 0;
        if (ending == Ending.TREE) {
            for (int position = channel().size() - 1; position >= 0; position--) { // children before their parents
                combineChildren(position, bytes);
            }
        } else {
            for (int i = 1; i <= channel().rank(); i++) {
                BlockingCollectives.combine(op, type, scratch, i * bytes, scratch, (i - 1) * bytes, bytes);
            }
            result = channel().rank() * bytes;
        }
        MemorySegment.copy(scratch, result, destination, 0, bytes);
    }

    private void combineChildren(int position, long bytes) {
        for (int child = BlockingCollectives.firstChild(position); child < BlockingCollectives.firstChild(position + 1)
            && child < channel().size(); child++) {
            BlockingCollectives.combine(op, type, scratch, position * bytes, scratch, child * bytes, bytes);
        }
    }

    @Override
    public boolean isWrong() {
        return refusal != null || sequence.isBroken();
    }

    /** One that was refused is not used again: what is under way of it may still come into its memory. */
    @Override
    protected void recycle() {
        destination = null;
        if (!isWrong()) {
            pool.free(this);
        }
    }

    @Override
    protected void requireRight() {
        if (isWrong()) {
            throw sequence.told(refusal == null ? sequence.afterwards(call) : refusal);
        }
    }

    @Override
    public boolean stillExpects(int source) {
        return peer() == source;
    }

    @Override
    public Message message() {
        return null;
    }

    @Override
    public String describe() {
        return "rank " + channel().rank() + " calls " + this + missing();
    }

    @Override
    public String toString() {
        return ChannelCall.describe(call) + ", collective " + number + " of a channel of " + channel().size()
            + " ranks";
    }
}
