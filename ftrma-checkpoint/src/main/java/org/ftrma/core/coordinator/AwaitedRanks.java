package org.ftrma.core.coordinator;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Collectors;
import org.ftrma.core.control.ControlMessage;

/**
 * Finds out whether the ranks that a cut waits for can come to it: it asks them what they do, again and again. Where
 * each of them goes on with one and the same wait, they wait for what others do after the cut, and never come.
 * Coordinator's thread.
 */
final class AwaitedRanks {
    /** They are asked so often within {@code --cut-deadline}. */
    private static final int ROUNDS = 16;
    /** Rounds in which a wait went on, until it is taken for one that does not end. */
    private static final int LOOKS = 4;
    private static final int MAX_DOUBLINGS = 6;
    private static final int WAITS = 4;
    private static final String WAITER = ".session.Waiter.turn";

    private final ControlMessage.Doing[] last;
    private final int[] looks;
    private long askedNanos;
    private int inARow;

    AwaitedRanks(int ranks) {
        last = new ControlMessage.Doing[ranks];
        looks = new int[ranks];
    }

    /** The first rank has arrived at a cut. */
    void begin(long now) {
        Arrays.fill(last, null);
        Arrays.fill(looks, 0);
        askedNanos = now;
    }

    /** Whether they are to be asked now. */
    boolean mustAsk(long deadlineNanos, long now) {
        boolean must = now - askedNanos >= deadlineNanos / ROUNDS;
        askedNanos = must ? now : askedNanos;
        return must;
    }

    void told(int rank, ControlMessage.Doing now) {
        ControlMessage.Doing before = last[rank];
        looks[rank] = before != null && now.step() == before.step()
            && (goesOn(before, now, 0) || goesOn(before, now, 2)) ? looks[rank] + 1 : 0;
        last[rank] = now;
    }

    /** Whether it is in a turn of the same wait as before, or has made some since. */
    private static boolean goesOn(ControlMessage.Doing before, ControlMessage.Doing now, int kind) {
        long[] then = before.waits();
        long[] all = now.waits();
        return then.length == WAITS && all.length == WAITS && all[kind] == then[kind]
            && (all[kind + 1] > then[kind + 1] || kind == 0 && now.stack().contains(WAITER));
    }

    /** Whether none of these can come. */
    boolean areInVain(BitSet missing) {
        return !missing.isEmpty() && missing.stream().allMatch(rank -> looks[rank] >= LOOKS); // C38
    }

    /** Where these are, for people. */
    String places(BitSet missing) {
        return missing.stream().mapToObj(rank -> "rank " + rank + (last[rank] == null ? " does not answer"
            : " is in step " + last[rank].step() + ", " + (looks[rank] >= LOOKS ? "where it waits for "
                + last[rank].what() + ", " : "") + Standstill.place(last[rank]))).collect(Collectors.joining("; "));
    }

    /** The cut was given up since they did not come. */
    void gaveUp() {
        inARow++;
    }

    /** All have arrived at a cut. */
    void came() {
        inARow = 0;
    }

    /** After how many intervals the next cut is tried: twice as many each time that ranks do not come. */
    int intervals() {
        return 1 << Math.clamp(inARow - 1, 0, MAX_DOUBLINGS); // C38
    }
}
