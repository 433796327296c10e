package org.ftrma.testkit;

/**
 * Hook before each plain store of the protocol, if a {@link StoreLoader} loaded its classes: a process can die there.
 * Any thread.
 */
public final class SimStores {
    private static final ThreadLocal<SimProcess> RUNNING = new ThreadLocal<>();

    private SimStores() {
    }

    /** The calling thread is that process. */
    static void of(SimProcess process) {
        RUNNING.set(process);
    }

    /** Called before a store. */
    public static void before() {
        SimProcess process = RUNNING.get();
        if (process != null) {
            process.store();
        }
    }
}
