package org.ftrma.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.options.JobOption;
import org.ftrma.testkit.SimJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Programs that survive pass, and those that do not are found, with what repeats the run. */
class SurvivesEveryKillTest {
    private static final Pattern KILL = Pattern.compile("-Dftrma\\.seed=(\\d+) -Dftrma\\.crashes=(\\S+)");

    @SurvivesEveryKill(sample = 60)
    void aProgramWhoseStateIsProtectedSurvives(SimJob job) {
        SimJob.Survival survival = job.run(Ring.class, Ring.Memory.PROTECTED.name());
        assertEquals(60, survival.kills(), survival::toString);
        assertTrue(survival.of() > 300 && survival.replays() > 10, survival::toString);
    }

    @SurvivesEveryKill(protocol = "coordinated", ranks = 2, interval = "1", sample = 40, options = "deadline=30s")
    void eachProcessHasAnObjectOfItsOwn(SimJob job) {
        SimJob.Survival survival = job.run("ring", () -> one -> Ring.run(one, Ring.Memory.PROTECTED));
        assertTrue(survival.rollbacks() > 10 && survival.replays() == 0, survival::toString);
    }

    /** Its tests are run by the class that inherits them. */
    abstract static class Base {
        @SurvivesEveryKill(ranks = 2, interval = "1")
        void inherited(SimJob job) {
            job.run(Ring.class, Ring.Memory.LOCAL_VARIABLE.name());
        }
    }

    /** Run by others, since they fail. */
    static class Forgetful extends Base {
        @SurvivesEveryKill(ranks = 2)
        void clock(SimJob job) {
            job.run("clock", () -> Ring::clock);
        }

        @SurvivesEveryKill
        void localVariable(SimJob job) {
            job.run(Ring.class, Ring.Memory.LOCAL_VARIABLE.name());
        }

        @SurvivesEveryKill
        void staticVariable(SimJob job) {
            job.run(Ring.class, Ring.Memory.STATIC_VARIABLE.name());
        }

        @SurvivesEveryKill
        void nothing(SimJob job) {
            job.seed(2);
        }
    }

    private static String failureOf(String method) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(Forgetful.class, method, SimJob.class.getName())).build(), listener);
        assertEquals(1, listener.getSummary().getFailures().size(), method);
        return listener.getSummary().getFailures().getFirst().getException().getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localVariable", "staticVariable", "inherited"})
    void stateInAVariableIsFoundAndToldWithWhatRepeatsTheRun(String method) {
        String text = failureOf(method);
        assertTrue(text.contains("org.ftrma.junit.Ring ") && text.contains("does not survive every kill"), text);
        assertTrue(text.contains("mvn test -Dtest='SurvivesEveryKillTest$Forgetful#" + method), text);
        String cause = text.lines().findFirst().orElseThrow();
        assertTrue(cause.matches(".* differs at byte 0: -?\\d+ in place of -?\\d+\\. .*a Java variable.*"), cause);
        assertTrue(text.matches("(?s)[^\n]+\n  first:   (window from-before|segment sum) of rank \\d "
            + "(at the end of step [1-5]|after the last step)\n.*"), text);
        Matcher kill = KILL.matcher(text);
        assertTrue(kill.find(), text);
        System.setProperty("ftrma.crashes", kill.group(2));
        try {
            String again = failureOf(method);
            assertEquals(text, again);
        } finally {
            System.clearProperty("ftrma.crashes");
        }
    }

    @Test
    void aTestThatRunsNothingFails() {
        assertTrue(failureOf("nothing").contains("has run no program"));
    }

    @Test
    void aProgramThatIsNotDeterministicIsToldOfAsSuch() {
        String text = failureOf("clock");
        assertTrue(text.contains("clock is not deterministic: the second run with the same seed")
            && text.contains("\n  first:   segment now of rank 0 at the end of step 2\n"), text);
    }

    @Test
    void whatMadeAllGoBackIsToldWithItsReason() {
        SimJob.Survival survival = new SimJob().set(JobOption.RANKS, 2).set(JobOption.PROTOCOL, "puts").sample(20)
            .run(Ring.class, Ring.Memory.PROTECTED.name());
        assertTrue(survival.toString().contains(" by ONLY_PUTS_LOGGED: " + FallbackReason.ONLY_PUTS_LOGGED.meaning()),
            survival::toString);
    }

    @Test
    void aResultThatDependsOnTheOrderIsNoFaultOfKills() {
        AssertionError error = assertThrows(AssertionError.class,
            () -> new SimJob().seed(3).run("race", () -> Ring::race));
        assertTrue(error.getMessage().contains("ends otherwise without any kill"), error.getMessage());
        SimJob.Survival survival = new SimJob().seed(3).comparing("mine").sample(20).run("race", () -> Ring::race);
        assertEquals(20, survival.kills());
    }

    @ParameterizedTest
    @EnumSource
    void whatWouldTryNothingIsRefused(Nothing kind) {
        MisuseException refused = assertThrows(MisuseException.class, () -> kind.run(new SimJob()));
        assertTrue(refused.getMessage().contains(kind.why), refused.getMessage());
    }

    /** Jobs that would try nothing. */
    enum Nothing {
        NO_PROTECTION("is not protected") {
            @Override
            void run(SimJob job) {
                job.set(JobOption.CHECKSUMS, 0).run(Ring.class, Ring.Memory.PROTECTED.name());
            }
        },
        NO_CHECKPOINT("no checkpoint was taken") {
            @Override
            void run(SimJob job) {
                job.set(JobOption.INTERVAL, 100).run(Ring.class, Ring.Memory.PROTECTED.name());
            }
        },
        NO_MAIN("has no public static void main") {
            @Override
            void run(SimJob job) {
                job.run(String.class);
            }
        };

        private final String why;

        Nothing(String why) {
            this.why = why;
        }

        abstract void run(SimJob job);
    }

    @Test
    void aProgramThatFailsWithoutAKillIsToldOfAsSuch() {
        AssertionError error = assertThrows(AssertionError.class, () -> new SimJob().run("loopless", () -> job -> { }));
        assertTrue(error.getMessage().contains("fails without a kill") && error.getMessage().contains("has no loop"),
            error.getMessage());
        AssertionError bad = assertThrows(AssertionError.class, () -> new SimJob().run(Ring.class, "NOWHERE"));
        assertTrue(bad.getMessage().contains("No enum constant"), bad.getMessage());
    }
}
