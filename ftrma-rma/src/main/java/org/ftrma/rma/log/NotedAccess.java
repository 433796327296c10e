package org.ftrma.rma.log;

/** State of the note N that {@link InFlight} leaves at one rank. Data thread only. */
final class NotedAccess {
    /** N was cleared and may not have landed. */
    boolean clearing;
    /** N says that what a predecessor of this process was killed in had happened, and will be logged. */
    boolean happened;
}
