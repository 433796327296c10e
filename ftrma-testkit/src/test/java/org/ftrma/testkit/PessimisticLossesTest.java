package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.ftrma.options.EventLoggerForm;
import org.ftrma.options.JobOption;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranks whose messages are logged are lost at any moment, and recovered alone. The result of {@code logged-messages} is
 * the same in all runs; {@code any-source} finds by itself whether any rank has received what its sender does not
 * remember to have sent.
 */
@Tag("long")
class PessimisticLossesTest {
    private static Simulation simulation(SimProgram program, String path) {
        return new Simulation().program(program).ranks(3).checksums(1).protocol("pessimistic-v").interval("2")
            .path(path);
    }

    private static SimProgram program(String name) {
        return Programs.byName(name, 4);
    }

    private static void holds(SimReport report) {
        assertEquals(0, report.failed(), report::toString);
    }

    @ParameterizedTest
    @CsvSource({"logged-messages, auto", "logged-messages, network", "any-source, auto", "any-source, network"})
    void underManySchedules(String name, String path) {
        holds(simulation(program(name), path).schedules(20));
    }

    @ParameterizedTest
    @CsvSource({"logged-messages, auto, 13", "logged-messages, network, 37", "any-source, auto, 37",
        "any-source, network, 97"})
    void aProcessIsKilledAtAnyMoment(String name, String path, int stride) {
        holds(simulation(program(name), path).kills(stride));
    }

    /** Event loggers that store and acknowledge are lost, too. */
    @ParameterizedTest
    @CsvSource({"logged-messages, auto, 1, 61", "any-source, auto, 2, 97", "any-source, network, 2, 197"})
    void aProcessIsKilledWhereLoggersAcknowledge(String name, String path, int losses, int stride) {
        Simulation simulation = simulation(program(name), path).losses(losses).checksums(losses)
            .set(JobOption.EVENT_LOGGER, EventLoggerForm.ACTIVE.word());
        holds(simulation.schedules(10));
        SimReport report = simulation.kills(stride);
        holds(report);
        assertTrue(report.replays() > report.rollbacks(), report::summary);
    }

    @ParameterizedTest
    @CsvSource({"logged-messages, auto, 60", "any-source, auto, 60", "any-source, network, 30"})
    void twoProcessesAreKilled(String name, String path, int pairs) {
        holds(simulation(program(name), path).ranks(4).checksums(2).pairs(pairs));
    }

    /**
     * Its replacement is told the key of the lost logger, and may meet the process that takes its place before that has
     * a key of its own: it goes on without a logger there.
     */
    @ParameterizedTest
    @CsvSource({"logged-messages, auto, 4", "any-source, auto, 3", "logged-messages, network, 3"})
    void anEventLoggerIsLostWhileARankIsRestored(String name, String path, long seed) {
        Simulation simulation = simulation(program(name), path).ranks(2).checksums(2).losses(2).spares(2).seed(seed);
        long half = simulation.replay().steps() / 2;
        SimResult once = simulation.crashes("m1#" + half).replay();
        assertEquals(1, once.outcome().localRecoveries(), once::story);
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (long step = half + 1; step < half + 260; step += 2) {
            List<Crash> crashes = Crash.parse("m1#" + half + ",m3#" + step);
            cases.add(memory -> {
                SimResult result = simulation.run(seed, crashes, memory);
                assertNull(result.fault(once.contents()), () -> simulation.command(seed, crashes) + result.story());
            });
        }
        SimWorkers.run(cases);
    }

    /**
     * The process that takes its place runs on another host, and is lost as well, before anybody else accessed it: who
     * had memory of the first one by the network, and shares the host of the second one, waits for neither.
     */
    @ParameterizedTest
    @CsvSource({"logged-messages", "any-source"})
    void anEventLoggerOfSeveralHostsIsLostTwice(String name) {
        Simulation simulation = simulation(program(name), "auto").ranks(3).checksums(4).losses(2).spares(1)
            .interval("1").hosts(3).seed(70);
        SimResult once = simulation.replay();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (long first = once.steps() / 3; first < once.steps(); first += once.steps() / 9) {
            for (long later = 5; later < 200; later += 45) {
                List<Crash> crashes = Crash.parse("m3#" + first + ",m3#" + (first + later));
                cases.add(memory -> {
                    SimResult result = simulation.run(70, crashes, memory);
                    assertNull(result.fault(once.contents()), () -> simulation.command(70, crashes) + result.story());
                });
            }
        }
        SimWorkers.run(cases);
    }

    /** Of one group: all go back, also to where nothing had been sent, or something was under way. */
    @ParameterizedTest
    @CsvSource({"logged-messages, auto, 60", "logged-messages, network, 30", "any-source, auto, 60"})
    void twoOfOneGroupAreKilled(String name, String path, int pairs) {
        SimReport report = simulation(program(name), path).checksums(2).losses(2).pairs(pairs);
        holds(report);
        assertTrue(report.rollbacks() > pairs / 4, report::toString);
    }

    /**
     * What a receiver has received when all stand at a cut is in its own image alone. Were anybody to go on before all
     * have copied, it would be in none, after which no log is whole.
     */
    @Test
    void messagesThatImagesLeaveOutAreInThoseOfTheirReceivers() {
        Simulation simulation = simulation(Programs.byName("logged-messages", 5), "auto").checksums(2).losses(2)
            .interval("1");
        holds(simulation.pairs(200));
        SimReport report = simulation.faults(Set.of("SKIP_SECOND_BARRIER")).until(1).pairs(200);
        assertTrue(report.failed() > 0, report::toString);
    }
}
