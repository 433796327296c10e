package org.ftrma.core.coordinator;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;

/**
 * Compares the collectives of channels that programs had called when they returned: messages do not show where ranks
 * disagree that received nothing of each other. Coordinator's thread.
 */
final class CalledCollectives {
    private final Map<String, Called> byChannel = new HashMap<>();

    /** What the rank that was the first to return has called in a channel; the newest ones, the last of them last. */
    private record Called(int rank, String ranks, long count, String digest, List<String> newest) {
        /** A collective by its number, from 1. */
        String at(long number) {
            long place = newest.size() - 1 - (count - number);
            return place < 0 ? "" : place >= newest.size() ? "no more" : newest.get((int) place);
        }
    }

    /** A new view. */
    void clear() {
        byChannel.clear();
    }

    /** What a rank is told that has called other ones than one before it; null: it has not. */
    ControlMessage.Misuse compare(int rank, ControlMessage.Finished m) {
        for (String line : m.called().split("\n")) {
            String[] words = line.split("\t");
            if (words.length < 4 || !words[2].matches("\\d{1,10}")) {
                continue;
            }
            Called one = new Called(rank, words[1], Long.parseLong(words[2]), words[3],
                Arrays.asList(words).subList(4, words.length));
            Called other = byChannel.putIfAbsent(words[0], one);
            if (other != null && (other.count != one.count || !other.digest.equals(one.digest))) {
                return new ControlMessage.Misuse(m.view(), unlike(one, other)
                    + ": all ranks must call the same collectives in the same order, of the same size, root, operation "
                    + "and type");
            }
        }
        return null;
    }

    private static String unlike(Called one, Called other) {
        long last = Math.max(one.count, other.count);
        for (long number = 1 + last - Math.min(last, one.newest.size() + 1); number <= last; number++) {
            String here = one.at(number);
            String there = other.at(number);
            if (!here.isEmpty() && !there.isEmpty() && !here.equals(there)) {
                return "collective " + number + " of a channel of " + one.ranks + " ranks: rank " + one.rank + " calls "
                    + here + ", rank " + other.rank + " calls " + there;
            }
        }
        return "ranks " + one.rank + " and " + other.rank + " have called unlike collectives of a channel of "
            + one.ranks + " ranks, before those that they called last: " + String.join(", ", one.newest);
    }
}
