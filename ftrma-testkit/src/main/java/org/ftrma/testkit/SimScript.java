package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.ftrma.core.coordinator.JobEvent;

/**
 * Script of a simulated job for tests: actions at an event, or while a member is held at a call. Belongs to whoever
 * holds the scheduler's baton.
 */
final class SimScript {
    private record Hold(int member, String call, Runnable whenHeld, BooleanSupplier until) {
    }

    private record Trigger(Predicate<JobEvent> condition, Runnable action, boolean[] done) {
    }

    private final SimScheduler scheduler;
    private final List<Trigger> triggers = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();

    SimScript(SimScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Does something at the first event that fits. */
    void when(Predicate<JobEvent> condition, Runnable action) {
        triggers.add(new Trigger(condition, action, new boolean[1]));
    }

    /** Does something when so many demand checkpoints of a member have counted. */
    void atImage(int member, long images, Runnable action) {
        long[] left = {images};
        when(event -> event instanceof JobEvent.DemandCommitted taken && taken.member() == member && --left[0] == 0,
            action);
    }

    /** An event has happened. */
    void happened(JobEvent event) {
        for (Trigger trigger : triggers) {
            if (!trigger.done[0] && trigger.condition.test(event)) {
                trigger.done[0] = true;
                scheduler.after(0, trigger.action);
            }
        }
    }

    /**
     * Keeps a member at its next call of this name, before its effect: {@code whenHeld} is run there, and it goes on
     * when {@code until} holds.
     */
    void hold(int member, String call, Runnable whenHeld, BooleanSupplier until) {
        holds.add(new Hold(member, call, whenHeld, until));
    }

    /** A process has come to a call: it is kept there if it should be. */
    void keep(SimProcess process) {
        for (Hold hold : List.copyOf(holds)) {
            if (hold.member == process.member && process.doing.equals(hold.call)) {
                holds.remove(hold);
                hold.whenHeld.run();
                while (!hold.until.getAsBoolean()) {
                    process.relax();
                }
            }
        }
    }
}
