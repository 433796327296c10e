package org.ftrma.launch.hosts;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Hosts that failed on purpose, and are to come back: their agents are started again. The job's thread only. */
final class HostReturns {
    /** For the agent to be started, and to join. */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** Starts the agent of a host again. */
    interface Starter {
        void start(HostSpec spec) throws IOException;
    }

    /** A host that is away. */
    private static final class Away {
        private final HostSpec spec;
        private final long sinceNanos;
        private boolean isStarted;

        Away(HostSpec spec, long sinceNanos) {
            this.spec = spec;
            this.sinceNanos = sinceNanos;
        }
    }

    private final Starter starter;
    private final Consumer<String> notes;
    private final Map<String, Away> away = new HashMap<>();

    /** @param notes is told for people of what does not come back */
    HostReturns(Starter starter, Consumer<String> notes) {
        this.starter = starter;
        this.notes = notes;
    }

    /** A host fails now. */
    void lost(HostSpec spec, long now) {
        away.put(spec.name(), new Away(spec, now));
    }

    /** Its further agent is there. */
    void joined(String name) {
        away.remove(name);
    }

    /** @param isGone whether the job knows by now that the host of this name is lost */
    void poll(Predicate<String> isGone) {
        for (Away one : away.values()) {
            if (!one.isStarted && isGone.test(one.spec.name())) {
                one.isStarted = true;
                try {
                    starter.start(one.spec);
                } catch (IOException e) {
                    notes.accept("the agent of host " + one.spec.name() + " cannot be started again: "
                        + e.getMessage());
                }
            }
        }
    }

    /** Whether all are there again, or will not be. */
    boolean areBack(long now) {
        away.values().removeIf(one -> {
            boolean isTooLate = now - one.sinceNanos > PATIENCE_NANOS;
            if (isTooLate) {
                notes.accept("host " + one.spec.name() + " has not come back after it was lost on purpose");
            }
            return isTooLate;
        });
        return away.isEmpty();
    }
}
