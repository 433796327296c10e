package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.StringJoiner;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.MisuseException;

/**
 * A collective that was begun: its messages, and what is done when all of them are there. Reused. Data thread only;
 * allocates nothing once its lists and memory have grown.
 */
final class OpenCollective {
    /** What is made of the parts of all ranks when they are there. */
    enum Ending {
        /** They are where they belong. */
        NOTHING,
        /** Positions from the root, combined as in the tree of a blocking reduction: the bits are the same. */
        TREE,
        /** Ranks up to this one, one after the other. */
        PREFIX
    }

    private final Messages messages;
    /** The next one of those that are open, or of those that are free. */
    OpenCollective next;
    private Trees trees;
    private ChannelImpl channel;
    private MessageRequestImpl request;
    private int number;
    private long call;
    private MessageRequestImpl[] parts = new MessageRequestImpl[8];
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

    OpenCollective(Messages messages) {
        this.messages = messages;
    }

    void begin(ChannelImpl newChannel, Trees newTrees, int newNumber, long newCall) {
        channel = newChannel;
        trees = newTrees;
        number = newNumber;
        call = newCall;
        count = 0;
        taken = 0;
        looked = 0;
        ending = Ending.NOTHING;
        refusal = null;
        request = messages.requests().fresh();
        request.begin(channel, false, null, 0, 0, 0, Channel.ANY_SOURCE, 0);
        request.collective = this;
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
            scratch = messages.scratch(Math.max(bytes, scratch == null ? 0 : 2 * scratch.byteSize()));
        }
        return scratch;
    }

    MessageRequestImpl request() {
        return request;
    }

    /** A message of it is under way. */
    void add(MessageRequestImpl part) {
        if (count == parts.length) {
            parts = Arrays.copyOf(parts, 2 * count);
        }
        parts[count++] = part;
    }

    /** Takes what is complete; returns whether all is, or was refused. */
    boolean isDone() {
        if (trees.isBroken()) {
            refusal = trees.afterwards(call);
        }
        while (taken < count && refusal == null && parts[taken].isComplete) {
            MessageRequestImpl part = parts[taken];
            refusal = part.isSend ? null : trees.refusal(number, call, part);
            messages.requests().over(part);
            parts[taken++] = null;
        }
        if (taken < count && refusal == null) {
            request.peer = parts[taken].isSend ? Channel.ANY_SOURCE : parts[taken].peer;
            refusal = impossible();
            if (refusal == null) {
                return false;
            }
        }
        if (refusal != null) {
            takeBack(); // for the channel it stays open: nothing of it counts as what an earlier one has left
        } else {
            combine();
            trees.closed();
        }
        request.isComplete = true;
        return true;
    }

    /** Why it will never be complete; null: it may be. Looks at one part after the other: whoever waits asks often. */
    private MisuseException impossible() {
        looked = looked + 1 < count ? Math.max(looked + 1, taken) : taken;
        return parts[looked].isSend ? null : trees.passed(number, call, parts[looked]);
    }

    /** The ranks of which something has not come, or to which something has not gone, in words for people. */
    private String missing() {
        StringJoiner from = new StringJoiner(", ", ": not all has come from ranks ", "").setEmptyValue("");
        StringJoiner to = new StringJoiner(", ", ": not all could be sent to ranks ", "").setEmptyValue("");
        for (int i = taken; i < count; i++) {
            if (!parts[i].isComplete) {
                (parts[i].isSend ? to : from).add("" + channel.numberOf(parts[i].peer));
            }
        }
        return from.toString() + to;
    }

    /** Nothing comes into the program's memory any more, or is read from there. */
    private void takeBack() {
        for (; taken < count; taken++) {
            messages.requests().endEarly(parts[taken]);
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
            for (int position = channel.size() - 1; position >= 0; position--) { // children before their parents
                combineChildren(position, bytes);
            }
        } else {
            for (int i = 1; i <= channel.rank(); i++) {
                Trees.combine(op, type, scratch, i * bytes, scratch, (i - 1) * bytes, bytes);
            }
            result = channel.rank() * bytes;
        }
        MemorySegment.copy(scratch, result, destination, 0, bytes);
    }

    private void combineChildren(int position, long bytes) {
        for (int child = Trees.firstChild(position); child < Trees.firstChild(position + 1)
            && child < channel.size(); child++) {
            Trees.combine(op, type, scratch, position * bytes, scratch, child * bytes, bytes);
        }
    }

    boolean isRefused() {
        return refusal != null || trees.isBroken();
    }

    /** A call has told that it is complete. */
    void over() {
        MisuseException told = refusal == null && trees.isBroken() ? trees.afterwards(call) : refusal;
        request = null;
        destination = null;
        if (told != null) {
            throw trees.told(told); // what is under way of it may still come into its memory: it is not used again
        }
        messages.collectives().free(this);
    }

    /** For whoever waits for it in vain. */
    String describe() {
        return "rank " + channel.rank() + " calls " + this + missing();
    }

    @Override
    public String toString() {
        return ChannelCall.describe(call) + ", collective " + number + " of a channel of " + channel.size()
            + " ranks";
    }
}
