package org.ftrma.launch.web;

import org.ftrma.launch.journal.LoggedEvent;

/** The sums over a job's events. One thread. */
final class JobTotals {
    /** The parts of a recovery, as its event names them. */
    static final String[] PHASES = {"join", "rebuild", "agree", "replay"};

    private final long[] phaseNanos = new long[PHASES.length];
    private long blockedNanos;
    private long parityNanos;
    private long rollbacks;
    private long stepsRepeated;
    private long demandBytes;
    private long cutsGivenUp;
    private long cutsWaitedNanos;

    /**
     * The sums at one moment. Immutable; any thread.
     *
     * @param blockedNanos of the longest blocked rank of each checkpoint
     * @param parityNanos from when all ranks went on to the commit
     * @param rollbacks recoveries in which all ranks went back
     * @param phaseNanos parts of recoveries by replay, in the order of {@link #PHASES}
     * @param stepsRepeated steps that replays did again
     * @param demandBytes of parities that demand checkpoints changed
     * @param givenUp checkpoints that were due and did not come about
     */
    record Sums(long blockedNanos, long parityNanos, long rollbacks, long[] phaseNanos, long stepsRepeated,
        long demandBytes, GivenUp givenUp) {
    }

    /** Checkpoints that did not come about, and for how long ranks waited at these for others. */
    record GivenUp(long cuts, long waitedNanos) {
    }

    void add(LoggedEvent event) {
        switch (event.kind()) {
            case CUT -> {
                blockedNanos += event.get("blockedNanos");
                parityNanos += event.get("parityNanos");
            }
            case CUT_ABANDONED -> {
                cutsGivenUp += event.get("generation") > 0 || event.get("waitedNanos") > 0 ? 1 : 0;
                cutsWaitedNanos += event.get("waitedNanos");
            }
            case DEMAND -> demandBytes += event.get("bytes");
            case RECOVERY -> rollbacks += event.get("rolledBack");
            case REPLAYED -> {
                for (int i = 0; i < PHASES.length; i++) {
                    phaseNanos[i] += event.get(PHASES[i] + "Nanos");
                }
                stepsRepeated += event.get("stepsRepeated");
            }
            default -> {
                // it has nothing to add up
            }
        }
    }

    Sums sums() {
        return new Sums(blockedNanos, parityNanos, rollbacks, phaseNanos.clone(), stepsRepeated,
            demandBytes, new GivenUp(cutsGivenUp, cutsWaitedNanos));
    }
}
