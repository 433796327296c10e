package org.ftrma.launch.inject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.inject.InjectedFailure.Action;
import org.ftrma.launch.record.JobRecord;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;

class FaultInjectorTest {
    private final JobOptions options = JobOptions.of(Map.of("ranks", "4", "checksums", "1"));
    private final List<String> done = new ArrayList<>();
    private boolean whole = true;
    private boolean areHostsBack = true;
    private Action hostsGoBy = Action.HOST;
    private final List<String> said = new ArrayList<>();
    private final FaultTargets targets = new FaultTargets() {
        @Override
        public void watch(int member, long step) {
            done.add("watch " + member + "@" + step);
        }

        @Override
        public void release(int member, long step) {
            done.add("release " + member + "@" + step);
        }

        @Override
        public boolean present(int member) {
            return true;
        }

        @Override
        public boolean areHostsBack() {
            return areHostsBack;
        }

        @Override
        public boolean whole() {
            return whole;
        }

        @Override
        public Hit hit(int member, Action action) {
            Hit hit = new Hit(action == Action.HOST ? 3 : member, action == Action.HOST ? hostsGoBy : action);
            done.add(action + " " + hit.member());
            return hit;
        }

        @Override
        public void say(String text) {
            assertTrue(!text.isBlank());
            said.add(text);
        }
    };

    private FaultInjector injector(String... kills) {
        List<InjectedFailure> faults = new ArrayList<>();
        for (String kill : kills) {
            faults.add(InjectedFailure.parse(Action.KILL, kill, options));
        }
        return new FaultInjector(options, targets, new FaultPlan(faults, 0, 1));
    }

    @Test
    void hitsAtARandomMomentOfTheStep() {
        FaultInjector injector = injector("2@5");
        injector.event(new JobEvent.StepBegun(2, 4, 9, 1_000_000), 0);
        assertEquals(Long.MAX_VALUE, injector.nextNanos(0));
        injector.event(new JobEvent.StepBegun(2, 5, 9, 1_000_000), 1000);
        long delay = injector.nextNanos(1000);
        assertTrue(delay >= 0 && delay < 1_000_000, "delay " + delay);
        injector.onTime(1000 + delay - 1);
        assertEquals(List.of("watch 2@5"), done);
        injector.onTime(1000 + delay);
        assertEquals(List.of("watch 2@5", "KILL 2"), done);
        assertEquals(new JobRecord.Injection(1000 + delay, 5), injector.takeInjection(2));
        assertEquals(List.of(), injector.notInjected());
    }

    @Test
    void hitsAtTheEndOfTheStepIfThatComesFirst() {
        FaultInjector injector = injector("2@5");
        injector.event(new JobEvent.StepBegun(2, 5, 9, 1_000_000_000), 0);
        injector.event(new JobEvent.StepHeld(2, 5), 10);
        assertEquals(List.of("watch 2@5", "KILL 2"), done);
        // The replacement runs the step again, and must not be held for ever.
        injector.event(new JobEvent.StepHeld(2, 5), 20);
        assertEquals("release 2@5", done.getLast());
    }

    @Test
    void checksumRankIsHitWhileRankZeroRunsTheStep() {
        FaultInjector injector = injector("checksum0@3");
        injector.event(new JobEvent.StepHeld(0, 3), 10);
        assertEquals(List.of("watch 0@3", "KILL 4", "release 0@3"), done);
    }

    @Test
    void secondFaultWaitsUntilTheFirstIsRecoveredAndTheGroupWhole() {
        FaultInjector injector = injector("1@3", "2@3");
        injector.event(new JobEvent.StepHeld(1, 3), 10);
        injector.event(new JobEvent.StepHeld(2, 3), 11);
        assertEquals(1, injector.fired());
        injector.event(new JobEvent.MemberLost(2, 1, 0, 3, "killed"), 12);
        whole = false;
        injector.event(new JobEvent.RecoveryBegun(2, true, 0, 0), 13);
        injector.event(new JobEvent.StepBegun(2, 3, 9, 1000), 14);
        injector.event(new JobEvent.StepHeld(2, 3), 15);
        injector.event(new JobEvent.Recovered(1, 1, "rollback"), 16);
        injector.onTime(17);
        assertEquals(1, injector.fired());
        whole = true;
        injector.event(new JobEvent.RedundancyChanged(0, true), 18);
        assertEquals(2, injector.fired());
        assertEquals("KILL 2", done.getLast());
    }

    @Test
    void rollbackTakesBackAHitThatWasDue() {
        FaultInjector injector = injector("1@3");
        injector.event(new JobEvent.StepBegun(1, 3, 9, 1_000_000), 0);
        injector.event(new JobEvent.MemberLost(2, 0, 0, 3, "crashed of itself"), 1);
        injector.event(new JobEvent.RecoveryBegun(2, true, 0, 0), 2);
        injector.onTime(5_000_000);
        assertEquals(0, injector.fired());
        injector.event(new JobEvent.Recovered(0, 1, "rollback"), 5_000_001);
        injector.event(new JobEvent.StepBegun(1, 3, 9, 1_000_000), 6_000_000);
        injector.onTime(7_000_000);
        assertEquals(1, injector.fired());
    }

    @Test
    void twoFaultsOfOneStepAreServedOneAfterTheOther() {
        FaultInjector injector = injector("checksum0@3", "checksum0@3");
        injector.event(new JobEvent.StepHeld(0, 3), 10);
        assertEquals(List.of("watch 0@3", "watch 0@3", "KILL 4"), done);
        injector.event(new JobEvent.MemberLost(1, 4, 0, 3, "killed"), 12);
        injector.onTime(13);
        assertEquals(1, injector.fired());
        injector.event(new JobEvent.Recovered(4, 1, "parity rebuilt"), 14);
        assertEquals(List.of("KILL 4", "release 0@3"), done.subList(3, 5));
    }

    @Test
    void severalAtOnceAreHitTogether() {
        FaultInjector injector = injector("1+checksum0@3");
        injector.event(new JobEvent.StepHeld(1, 3), 10);
        assertEquals(List.of("watch 1@3", "KILL 1", "KILL 4"), done);
    }

    @Test
    void aReplacementIsHitWithinItsRecovery() {
        FaultInjector injector = injector("2@5+recovery");
        injector.event(new JobEvent.StepHeld(2, 5), 10);
        injector.event(new JobEvent.MemberLost(1, 2, 0, 5, "killed"), 12);
        injector.onTime(1_000_000_000);
        assertEquals(List.of("watch 2@5", "KILL 2"), done);
        assertTrue(injector.notInjected().getFirst().contains("replacement of rank 2"),
            injector.notInjected().toString());
        injector.event(new JobEvent.Assigned(7, 2, 1), 2_000_000_000);
        long delay = injector.nextNanos(2_000_000_000);
        assertTrue(delay >= 0 && delay < 200_000_000, "delay " + delay);
        injector.onTime(2_000_000_000 + delay);
        assertEquals(List.of("KILL 2", "KILL 2"), done.subList(1, 3));
        // The next one is left alone.
        injector.event(new JobEvent.MemberLost(1, 2, 1, 5, "killed"), 3_000_000_000L);
        injector.event(new JobEvent.Assigned(8, 2, 2), 3_000_000_000L);
        injector.event(new JobEvent.Recovered(2, 2, "replay"), 4_000_000_000L);
        assertEquals(3, done.size());
        assertEquals(List.of(), injector.notInjected());
    }

    @Test
    void aReplacementThatIsFastIsHitWhenItHasItsState() {
        FaultInjector injector = injector("2@5+recovery");
        injector.event(new JobEvent.StepHeld(2, 5), 10);
        injector.event(new JobEvent.RedundancyChanged(0, false), 11);
        injector.event(new JobEvent.Assigned(7, 2, 1), 12);
        injector.event(new JobEvent.RedundancyChanged(0, true), 13);
        assertEquals(List.of("KILL 2", "KILL 2"), done.subList(1, 3));
    }

    /** Which member goes with it is the host's to say: nobody waits for the one that was drawn. */
    @Test
    void theLossOfAHostWaitsUntilAllHostsAreBackAndHitsWhomItMay() {
        areHostsBack = false;
        FaultInjector injector = new FaultInjector(options, targets, new FaultPlan(List.of(
            new InjectedFailure(Action.HOST, List.of(1), 1, 5), new InjectedFailure(Action.KILL, List.of(2), 2, 6)), 0,
            1));
        injector.event(new JobEvent.StepHeld(1, 5), 10);
        injector.onTime(11);
        assertEquals(List.of("watch 1@5", "watch 2@6"), done);
        areHostsBack = true;
        injector.onTime(12);
        assertEquals("HOST 3", done.getLast());
        assertEquals(5, injector.takeInjection(3).step());
        injector.event(new JobEvent.MemberLost(1, 3, 0, 5, "its host is lost"), 12);
        assertEquals("release 1@5", done.getLast(), "not before: the job might end first");
        injector.event(new JobEvent.StepHeld(2, 6), 13);
        assertEquals(4, done.size(), "member 3 is not back");
        injector.event(new JobEvent.Recovered(3, 1, "rollback"), 14);
        assertEquals("KILL 2", done.get(4));
    }

    @Test
    void whatHappensInPlaceOfTheLossOfAHostIsTold() {
        hostsGoBy = Action.KILL;
        FaultInjector injector = new FaultInjector(options, targets, new FaultPlan(List.of(
            new InjectedFailure(Action.HOST, List.of(1), 1, 5)), 0, 1));
        injector.event(new JobEvent.StepHeld(1, 5), 10);
        assertEquals("release 1@5", done.getLast(), "no host is dying");
        assertTrue(said.getLast().startsWith("fault 1 of 1: SIGKILL to rank 3 "), said.getLast());
    }

    @Test
    void lossesOfHostsAreSpreadAmongKills() {
        FaultInjector injector = new FaultInjector(options, targets, new FaultPlan(List.of(), 3, 2, 1));
        injector.event(new JobEvent.StepBegun(0, 1, 90, 1_000_000), 0);
        List<String> missing = injector.notInjected();
        assertEquals(5, missing.size());
        assertEquals(2, missing.stream().filter(text -> text.startsWith("--chaos-hosts of the host of ")).count());
    }

    /** Of a loop by nextStep nobody knows how long it will be: no step announces a number of them. */
    @Test
    void chaosInALoopThatFindsOutItsOwnEndHasAKillInEachTenSteps() {
        FaultInjector chaos = new FaultInjector(options, targets, new FaultPlan(List.of(), 3, 1));
        chaos.event(new JobEvent.StepBegun(0, 1, 0, 1_000_000), 0);
        List<String> missing = chaos.notInjected();
        assertEquals(1, missing.size(), missing::toString);
        assertTrue(missing.getFirst().contains("ended before the first of its kills"), missing::toString);
        for (long step = 2; step <= 12; step++) {
            for (int rank = 0; rank < options.ranks(); rank++) {
                chaos.event(new JobEvent.StepBegun(rank, step, 0, 1_000_000), step * 10_000_000);
            }
            chaos.onTime(step * 10_000_000 + 9_000_000);
        }
        assertEquals(1, chaos.fired());
        assertEquals(List.of(), chaos.notInjected());
    }

    @Test
    void whatDidNotHappenIsTold() {
        FaultInjector injector = injector("1@300");
        injector.event(new JobEvent.StepBegun(1, 9, 9, 1_000_000), 0);
        assertEquals(1, injector.notInjected().size());
        assertEquals("--kill of rank 1 in step 300 was never reached: the job ended before; it has 9 steps",
            injector.notInjected().getFirst());
        FaultInjector chaos = new FaultInjector(options, targets, new FaultPlan(List.of(), 3, 1));
        assertEquals(1, chaos.notInjected().size());
        chaos.event(new JobEvent.StepBegun(0, 1, 90, 1_000_000), 0);
        assertEquals(3, chaos.notInjected().size());
    }
}
