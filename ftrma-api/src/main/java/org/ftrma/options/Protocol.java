package org.ftrma.options;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Protocol that makes a job's state recoverable. Whoever acts on it asks for what a protocol does, not which one it is.
 * Any thread.
 */
public enum Protocol implements OptionWord {
    /** Nothing is protected: a loss ends the job. */
    NONE("no protection"),
    /** Checkpoints in memory that all ranks take together; after a loss all ranks go back to the last one. */
    COORDINATED("diskless coordinated checkpoints", Trait.CHECKPOINTS),
    /** Puts and the results of gets, atomics and locks are logged at their source; a lost rank alone goes back. */
    FULL("also log accesses; only the lost rank rolls back", Trait.CHECKPOINTS, Trait.PUTS, Trait.RESULTS,
        Trait.ALONE),
    /** Puts are logged, which nobody reads: to measure what that costs. */
    PUTS("for comparison: coordinated, and log puts", Trait.CHECKPOINTS, Trait.PUTS),
    /** Accesses are logged as messages at the checksum ranks: the scheme that the others are compared with. */
    ML("for comparison: coordinated, and log accesses at the checksum ranks", Trait.CHECKPOINTS,
        Trait.AT_CHECKSUM),
    /**
     * Messages are logged at their senders, and what decides among them at the checksum ranks, before anything leaves a
     * rank; a lost rank alone goes back (Open MPI-V).
     */
    PESSIMISTIC_V("log messages; only the lost rank rolls back", Trait.CHECKPOINTS, Trait.MESSAGES, Trait.ALONE);

    private enum Trait {
        CHECKPOINTS, PUTS, RESULTS, ALONE, AT_CHECKSUM, MESSAGES
    }

    private final String meaning;
    private final List<Trait> traits;

    Protocol(String meaning, Trait... traits) {
        this.meaning = meaning;
        this.traits = List.of(traits);
    }

    @Override
    public String meaning() {
        return meaning;
    }

    /** Whether checksum ranks keep checkpoints of groups. */
    public boolean takesCheckpoints() {
        return traits.contains(Trait.CHECKPOINTS);
    }

    /** Whether a rank logs its puts in memory of its own. */
    public boolean logsPuts() {
        return traits.contains(Trait.PUTS);
    }

    /** Whether a rank logs what it read: results of gets, atomics, locks and collectives. */
    public boolean logsResults() {
        return traits.contains(Trait.RESULTS);
    }

    /** Whether a lost rank goes back alone, by replay, while the others run on. */
    public boolean recoversLocally() {
        return traits.contains(Trait.ALONE);
    }

    /** Whether accesses are logged at the checksum ranks. */
    public boolean logsAtChecksum() {
        return traits.contains(Trait.AT_CHECKSUM);
    }

    /** Whether messages are logged: then windows of other ranks are not accessed. */
    public boolean logsMessages() {
        return traits.contains(Trait.MESSAGES);
    }

    /** Whether there are logs of accesses, which may run out of memory. */
    public boolean hasLogs() {
        return logsPuts() || logsResults() || logsAtChecksum();
    }

    /** The words of those that do something, for people: {@code full, puts and ml}. */
    static String that(Predicate<Protocol> does) {
        List<String> words = Arrays.stream(values()).filter(does).map(Protocol::word).toList();
        int last = words.size() - 1;
        return last == 0 ? words.getFirst() : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    @Override
    public String toString() {
        return word();
    }
}
