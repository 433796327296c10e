package org.ftrma.testkit;

/**
 * Where the protocol's plain stores come by, if its classes were loaded by a {@link StoreLoader}: a process can die
 * before each of them. Any thread.
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
