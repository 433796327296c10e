package org.ftrma.messaging.collective;

import java.util.Arrays;
import org.ftrma.DeadlineException;
import org.ftrma.MisuseException;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.Contexts;
import org.ftrma.messaging.match.Incoming;
import org.ftrma.messaging.match.ReceiveRequest;

/**
 * Collectives of one channel in the order in which this rank calls them. Each message carries its sender's call, and a
 * rank that makes another one refuses it; after that all later ones are refused, too. Data thread only; allocates
 * nothing.
 */
public final class CollectiveSequence {
    private static final int KNOWN_CALLS = 16;
    private static final int TOLD_CALLS = 8;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    /** In images, beside the number of collectives: one of them was refused. */
    private static final long REFUSED = 1L << 32;
    /** In images, above the number of collectives. */
    private static final int DIGEST_AT = 33;
    private static final String ALIKE = ": all ranks must call the same collectives in the same order, of the same "
        + "size, root, operation and type";
    private final ChannelMembers channel;
    private final Contexts contexts;
    /** Collectives so far: the tag of their messages. */
    private int number;
    /** Collectives that were begun, and are not complete. */
    private int begun;
    /** The newest calls of this rank, by number; 0: not known. */
    private final long[] calls = new long[KNOWN_CALLS];
    /** Of all calls of this rank. */
    private int digest;
    /** Why none is right any more: the program was told that one was refused, or did not end. Null: all are. */
    private String broken;

    /** None of the channel yet; {@code contexts} have what has come for them. */
    public CollectiveSequence(ChannelMembers channel, Contexts contexts) {
        this.channel = channel;
        this.contexts = contexts;
    }

    /** How many there were, whether one was refused, and a digest of all calls: a word of an image. */
    long save() {
        return state() | (long) (digest & Integer.MAX_VALUE) << DIGEST_AT;
    }

    private long state() {
        return broken == null ? number : number | REFUSED;
    }

    /** Takes over what {@link #save} returned. */
    void restore(long saved) {
        number = (int) saved;
        broken = (saved & REFUSED) == 0 ? null : "an earlier collective of this channel was refused, before the "
            + "checkpoint that this rank has gone back to";
        digest = (int) (saved >>> DIGEST_AT);
        Arrays.fill(calls, 0);
    }

    /**
     * The line that the coordinator compares at the end: see Finished. Empty if a rank was told that one was refused.
     */
    String called() {
        if (broken != null) {
            return "";
        }
        StringBuilder line = new StringBuilder(channel.collectiveContext() + "." + channel.least() + "\t"
            + channel.size() + "\t" + number + "\t" + (digest & Integer.MAX_VALUE));
        for (int one = Math.max(1, number - TOLD_CALLS + 1); one <= number; one++) {
            long call = calls[one % KNOWN_CALLS];
            line.append('\t').append(call == 0 ? "" : ChannelCall.describe(call));
        }
        return line.append('\n').toString();
    }

    /** A collective begins; returns the tag of its messages. */
    int next(long call) {
        if (broken != null) {
            throw afterwards(call);
        }
        number = number + 1 & Integer.MAX_VALUE;
        calls[number % KNOWN_CALLS] = call;
        digest = 31 * digest + (int) (call * GOLDEN >>> 32);
        return number;
    }

    /** A collective begins that does not block; returns the tag of its messages. */
    int open(long call) {
        int tag = next(call);
        begun++;
        return tag;
    }

    /** One that does not block is complete. */
    void closed() {
        begun--;
    }

    /** The newest call. */
    long call() {
        return calls[number % KNOWN_CALLS];
    }

    /** Whether the program was told that one was refused. */
    boolean isBroken() {
        return broken != null;
    }

    /** The program is told that one is refused: what comes of later ones would be of others, so they are, too. */
    MisuseException told(MisuseException refusal) {
        if (broken == null) {
            broken = "an earlier collective of this channel was refused: " + refusal.getMessage();
        }
        return refusal;
    }

    /** The program is told that the newest one did not end: later ones are refused. */
    DeadlineException told(DeadlineException end) {
        String which = "; rank " + channel.rank() + " calls " + ChannelCall.describe(call()) + ", collective "
            + number + " of a channel of " + channel.size() + " ranks";
        broken = "an earlier collective of this channel did not end: " + end.getMessage() + which;
        return new DeadlineException(end.getMessage() + which);
    }

    /** Why a collective is refused that comes, or was not told to be complete, after one that was. */
    MisuseException afterwards(long call) {
        return new MisuseException(ChannelCall.describe(call) + ": " + broken);
    }

    /** A receive of the newest one waits: it is refused if what has come shows that nothing will come for it. */
    void requirePossible(ReceiveRequest receive) {
        MisuseException refusal = passed(number, call(), receive);
        if (refusal != null) {
            throw refusal;
        }
    }

    /**
     * Why nothing will come for a receive of a collective: its source has sent something of a later one already, and
     * messages of a rank to another come in the order of its collectives. Null: something may.
     */
    MisuseException passed(int which, long own, ReceiveRequest receive) {
        Incoming later = receive.call() != 0 ? null
            : contexts.of(channel.collectiveContext()).after(receive.peer(), which);
        return later == null ? null : new MisuseException(beginning(which, own) + ", rank "
            + channel.numberOf(later.source()) + " has sent nothing of that, and calls "
            + ChannelCall.describe(later.call()) + " as collective " + later.tag() + ALIKE);
    }

    /** Why what was received of the newest collective is none of this rank's call; null: it is. */
    MisuseException refusal(ReceiveRequest received) {
        return refusal(number, call(), received);
    }

    /** Why what was received of a collective is none of this rank's call; null: it is. */
    MisuseException refusal(int which, long own, ReceiveRequest received) {
        Incoming left = begun > 0 ? null : contexts.of(channel.collectiveContext()).before(received.peer(), which);
        if (left != null) {
            return unlike(left.tag(), which - left.tag() < KNOWN_CALLS ? calls[left.tag() % KNOWN_CALLS] : 0,
                channel.numberOf(left.source()), left.call());
        }
        if (received.call() != own) {
            return unlike(which, own, received.source(), received.call());
        }
        return received.bytes() == received.length() ? null : new MisuseException(which(which) + " expects "
            + received.length() + " bytes of rank " + received.source() + ", which sends " + received.bytes() + ", in "
            + ChannelCall.describe(own));
    }

    private MisuseException unlike(int which, long own, int other, long call) {
        return new MisuseException(beginning(which, own) + ", rank " + other + " calls " + ChannelCall.describe(call)
            + ALIKE + (own != 0 && ChannelCall.isBegun(own) != ChannelCall.isBegun(call)
            ? "; one that blocks does not match one that does not" : ""));
    }

    private String beginning(int which, long own) {
        return which(which) + " calls " + (own == 0 ? "another one" : ChannelCall.describe(own));
    }

    private String which(int which) {
        return "collective " + which + " of a channel of " + channel.size() + " ranks: rank " + channel.rank();
    }
}
