package org.ftrma.rma.logging;

/** State of the access logging of one rank in a view. */
enum LoggingState {
    /** Nothing is logged: a view has begun, and the program allocates over state that is there. */
    OFF(false),
    /**
     * The program begins from nothing: its initialization is logged, so that the code of the steps is compiled and logs
     * are open when they begin.
     */
    WARMING_UP(true),
    /**
     * The initialization is over: what it logged counts for nothing, and is emptied when all have said that they are
     * done with it.
     */
    WARM(false),
    /** A replacement does its predecessor's accesses again; what it does anew is logged. */
    REPLAYING(true),
    /** Accesses are logged. */
    LOGGING(true);

    private final boolean logs;

    LoggingState(boolean logs) {
        this.logs = logs;
    }

    /** Whether there is a log that accesses go to. */
    boolean logs() {
        return logs;
    }

    /** Whether what is logged counts. */
    boolean counts() {
        return this == REPLAYING || this == LOGGING;
    }
}
