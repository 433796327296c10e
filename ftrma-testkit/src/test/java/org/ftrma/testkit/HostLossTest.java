package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs whose members are on several hosts: those of one share memory, those of different ones reach each other over the
 * network. Whatever befalls a host costs that host at most.
 */
@Tag("long")
class HostLossTest {
    private static final int HOSTS = 3;

    private static Simulation simulation(String program, String protocol) {
        return new Simulation().program(program).protocol(protocol).checksums(2).hosts(HOSTS);
    }

    private static SimReport check(SimReport report, int deaths) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.deaths() >= deaths, report::summary);
        return report;
    }

    @ParameterizedTest
    @CsvSource({"halo,coordinated", "atomics,coordinated", "locks,coordinated", "halo,full", "locks,full"})
    void whateverBefallsAHostAtAnyMomentIsSurvived(String program, String protocol) {
        SimReport report = check(simulation(program, protocol).seed(5).hostFaults(307), 100);
        assertTrue(report.rollbacks() + report.replays() > report.runs() / 3, report::summary);
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "atomics"})
    void oneCrashAtEveryPointOfEveryMemberIsSurvivedWherePathsAreMixed(String program) {
        check(simulation(program, "coordinated").seed(2).singles(EveryPoint.or(5)), 80);
    }

    @Test
    void randomProgramsAreSurvivedWithWhatBefallsHosts() {
        RandomReport report = new RandomRuns().seeds(1, 60)
            .shaped(simulation -> simulation.hosts(HOSTS).protocol("coordinated")).run();
        System.out.println(report);
        assertTrue(report.clean(), report::toString);
    }

    private static JobOptions options() {
        return JobOptions.builder().set(JobOption.RANKS, 3).set(JobOption.CHECKSUMS, 2).set(JobOption.INTERVAL, "2")
            .set(JobOption.PROTOCOL, "coordinated").set(JobOption.NODES, HOSTS).set(JobOption.AWARE, "node")
            .set(JobOption.DEADLINE, "40s").build();
    }

    private static SimCluster cluster(long seed) {
        return new SimCluster(options(), Programs.byName("halo", 5), seed).onHosts();
    }

    private static Map<Integer, Map<String, byte[]>> expected() {
        return cluster(1).run().contents();
    }

    @Test
    void whatRunsInPlaceOfALostHostRunsElsewhere() {
        for (int host = 0; host < HOSTS; host++) {
            int down = host;
            SimCluster cluster = cluster(30 + host)
                .when(JobEvent.Committed.class, event -> true, job -> job.hosts().down(down));
            SimResult result = cluster.run();
            assertEquals(null, result.fault(expected()), result::story);
            List<JobEvent.Assigned> later = result.events().stream().map(SimResult.TimedEvent::event)
                .filter(event -> event instanceof JobEvent.Assigned assigned && assigned.incarnation() > 0)
                .map(event -> (JobEvent.Assigned) event).toList();
            assertTrue(!later.isEmpty(), result::story);
            for (JobEvent.Assigned assigned : later) {
                assertNotEquals(down, cluster.hosts().of(assigned.process()), result::story);
            }
        }
    }

    @Test
    void ofTwoHostsThatDoNotReachEachOtherOneIsRemovedIfItLasts() {
        long timeout = options().heartbeatTimeoutNanos();
        for (boolean bothWays : new boolean[] {true, false}) {
            for (long nanos : new long[] {timeout / 4, 3 * timeout}) {
                SimResult result = cluster(7).when(JobEvent.Committed.class, event -> true,
                    job -> job.hosts().part(0, 1, bothWays, nanos)).run();
                assertEquals(null, result.fault(expected()), result::story);
                assertEquals(nanos > timeout, result.outcome().rollbacks() > 0, result::story);
            }
        }
    }

    @Test
    void aHostThatStumblesCostsNothing() {
        for (long seed = 1; seed <= 20; seed++) {
            long timeout = options().heartbeatTimeoutNanos();
            SimResult result = cluster(seed).when(JobEvent.Committed.class, event -> true,
                job -> job.hosts().stand(1, timeout / 2)).run();
            assertEquals(null, result.fault(expected()), result::story);
            assertEquals(0, result.outcome().rollbacks(), result::story);
        }
    }

    @Test
    void theCommandOfAFaultOfAHostReplaysIt() {
        Simulation simulation = simulation("halo", "coordinated");
        List<Crash> crashes = Crash.parse("h1#900z,h2#1000,m0@7b");
        assertEquals("h1#900z,h2#1000,m0@7b", Crash.format(crashes));
        String command = simulation.command(3, crashes);
        assertTrue(command.contains("--hosts 3") && command.contains("--crashes h1#900z,h2#1000,m0@7b")
            && !command.contains("--nodes") && !command.contains("--aware"), command);
    }
}
