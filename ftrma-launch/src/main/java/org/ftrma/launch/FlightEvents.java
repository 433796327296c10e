package org.ftrma.launch;

import java.util.HashMap;
import java.util.Map;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.record.JobObserver;

/**
 * Tells the flight recorder of the launcher what happens in a job. Where nothing is recorded nothing comes of it. The
 * job's thread only.
 */
final class FlightEvents implements JobObserver {
    private final Map<Integer, Recovery> recoveries = new HashMap<>();

    /** A generation is committed. */
    @Name("org.ftrma.Cut")
    @Label("Checkpoint")
    @Category("ftRMA")
    @Description("A generation is committed")
    @StackTrace(false)
    static final class Cut extends Event {
        @Label("Generation")
        long generation;
        @Label("Step")
        long step;
        @Label("Blocked")
        @Timespan
        long blockedNanos;
        @Label("Parity")
        @Timespan
        long parityNanos;
    }

    /** A member is lost. */
    @Name("org.ftrma.Loss")
    @Label("Loss")
    @Category("ftRMA")
    @Description("A member is lost")
    @StackTrace(false)
    static final class Loss extends Event {
        @Label("Member")
        int member;
        @Label("Step")
        long step;
        @Label("Cause")
        String cause;
    }

    /** From a loss to the moment in which the member runs again. */
    @Name("org.ftrma.Recovery")
    @Label("Recovery")
    @Category("ftRMA")
    @Description("From a loss to the moment in which the member runs again")
    @StackTrace(false)
    static final class Recovery extends Event {
        @Label("Member")
        int member;
        @Label("Incarnation")
        int incarnation;
        @Label("Way back")
        String how;
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        switch (event) {
            case JobEvent.Committed committed -> {
                Cut cut = new Cut();
                cut.generation = committed.generation();
                cut.step = committed.step();
                cut.blockedNanos = committed.blockedNanos();
                cut.parityNanos = committed.parityNanos();
                cut.commit();
            }
            case JobEvent.MemberLost lost -> {
                Loss loss = new Loss();
                loss.member = lost.member();
                loss.step = lost.step();
                loss.cause = lost.cause();
                loss.commit();
                Recovery recovery = new Recovery();
                recovery.member = lost.member();
                recovery.begin();
                recoveries.put(lost.member(), recovery);
            }
            case JobEvent.Recovered recovered -> {
                Recovery recovery = recoveries.remove(recovered.member());
                if (recovery != null) {
                    recovery.incarnation = recovered.incarnation();
                    recovery.how = recovered.how();
                    recovery.commit();
                }
            }
            default -> {
                // not recorded
            }
        }
    }
}
