package org.ftrma.core.counter;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Tells the flight recorder of a member's process what it waited for, and not for a moment. The one thread that runs
 * the member's side of the protocol.
 */
final class FlightWaits {
    private Wait wait;

    /** A wait of the member. */
    @Name("org.ftrma.Wait")
    @Label("Wait")
    @Category("ftRMA")
    @Description("A wait that took more than a moment")
    @StackTrace(false)
    static final class Wait extends Event {
        @Label("For what")
        String what;
        @Label("Member")
        int peer;
    }

    /** It waits; for the first time that this is told of the wait, or still. */
    void waits(String what, int peer, boolean isNew) {
        if (isNew) {
            over();
            if (FlightRecorder.isInitialized()) { // else nothing is made
                wait = new Wait();
                wait.what = what;
                wait.peer = peer;
                wait.begin();
                wait.end();
            }
        } else if (wait != null) {
            wait.end();
        }
    }

    /** The last wait is over: another one begins, or a step. */
    void over() {
        if (wait != null) {
            wait.commit();
            wait = null;
        }
    }
}
