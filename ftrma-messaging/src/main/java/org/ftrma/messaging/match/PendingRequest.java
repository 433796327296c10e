package org.ftrma.messaging.match;

import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;

/**
 * A send, a receive or a collective of this rank; reused when a call has reported its completion. Data thread only.
 */
public abstract class PendingRequest implements MessageRequest {
    /** Its neighbours among those that the program holds. */
    PendingRequest older;
    PendingRequest newer;
    /** The list of those that the program holds; null: it does not hold this one. */
    private HeldRequests holder;
    private RequestCalls calls;
    private ChannelMembers channel;
    private boolean isComplete;
    /** Whether a call has reported its completion: it belongs to nobody any more. */
    private boolean isOver = true;
    /** The target of a send; the source that a receive names, or that of what it received. Numbers of the job. */
    private int peer;

    /** It is used for a new call. */
    protected final void begin(ChannelMembers newChannel, int newPeer) {
        channel = newChannel;
        isComplete = false;
        isOver = false;
        peer = newPeer;
    }

    /** The program holds it from now on. */
    final void heldBy(HeldRequests list, RequestCalls programCalls) {
        holder = list;
        calls = programCalls;
    }

    /** The channel that it belongs to. */
    public final ChannelMembers channel() {
        return channel;
    }

    /** The other rank, by its number in the job; -1: any. */
    public final int peer() {
        return peer;
    }

    /** The other rank is known now, or is another one. */
    protected final void peer(int newPeer) {
        peer = newPeer;
    }

    /** Whether all of it is done. */
    public final boolean isComplete() {
        return isComplete;
    }

    /** All of it is done. */
    public final void complete() {
        isComplete = true;
    }

    /** Whether a call has reported its completion. */
    public final boolean isOver() {
        return isOver;
    }

    @Override
    public final boolean test() {
        calls.enter();
        requireOpen("test");
        return calls.test(this) && over();
    }

    @Override
    public final org.ftrma.Message await() {
        calls.enter();
        requireOpen("await");
        calls.await(this);
        over();
        return message();
    }

    @Override
    public final boolean cancel() {
        calls.enter();
        requireOpen("cancel");
        return isCancelled(calls);
    }

    /** Takes it back, if it can be. */
    protected boolean isCancelled(RequestCalls programCalls) {
        throw new MisuseException("cancel: " + this + " cannot be taken back, only a receive can: await or test it");
    }

    /**
     * A call reports that it is complete: returns true.
     *
     * @throws MisuseException if what has come is not what it should be
     */
    public final boolean over() {
        end();
        requireRight();
        return true;
    }

    /** It belongs to nobody any more; what it has received stays readable until it is used again. */
    public final void end() {
        isOver = true;
        if (holder != null) {
            holder.remove(this);
            holder = null;
        }
        recycle();
    }

    /** Nobody will complete it: it belongs to nobody, and is not used again until what is under way is. */
    protected final void abandon() {
        isOver = true;
    }

    /** It may be used again. */
    protected abstract void recycle();

    /** Whether the program is to be told, of what is complete, that it is not what it should be. */
    public abstract boolean isWrong();

    /** Throws if {@link #isWrong}. */
    protected abstract void requireRight();

    /** Refuses calls on a request that is used for something else by now. */
    public final void requireOpen(String call) {
        if (isOver) {
            throw new MisuseException(call + ": a call has told before that the request is complete; requests are used "
                + "again: drop each when it is complete");
        }
    }

    /** What a wait for it waits for. */
    public String awaited() {
        return "a message";
    }

    /** The rank whose message completes it, -1: any, -2: none. */
    public int expectedSource() {
        return peer;
    }

    /** Whether it still waits for that source: others may have sent their parts meanwhile. */
    public boolean stillExpects(int source) {
        return true;
    }

    /** Throws if what has come shows that nothing will come for it. */
    public void requirePossible() {
        // nothing shows that
    }

    /** The request and what it lacks, for error messages. */
    public String describe() {
        return toString();
    }
}
