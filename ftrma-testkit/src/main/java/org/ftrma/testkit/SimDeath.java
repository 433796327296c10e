package org.ftrma.testkit;

/** Unwinds the thread of a simulated process that has died. Every later call of a service interface throws it again. */
final class SimDeath extends Error {
    private static final long serialVersionUID = 1L;

    SimDeath(String cause) {
        super(cause, null, false, false);
    }
}
