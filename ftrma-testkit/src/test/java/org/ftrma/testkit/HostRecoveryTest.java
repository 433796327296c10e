package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.testkit.bugs.BrokenProtocol;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protocol full on several hosts: accesses between them are under way for a while, and a lost rank goes back alone all
 * the same. Who runs on cuts it off, and settles what was under way to it.
 */
@Tag("long")
class HostRecoveryTest {
    private static Simulation full(String program) {
        return new Simulation().program(program).protocol("full").checksums(2).hosts(3);
    }

    private static SimReport check(SimReport report, int replays) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.replays() >= replays, report::summary);
        return report;
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "collectives", "locks"})
    void oneCrashAtEveryPointOfEveryMemberTakesThatOneBackAlone(String program) {
        SimReport report = check(full(program).singles(EveryPoint.or(5)), 200);
        assertTrue(report.replays() > 3 * report.rollbacks(), report::summary);
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks", "atomics", "sparse"})
    void killsAndHangsAtAnyMomentAreRecovered(String program) {
        check(full(program).seed(3).kills(97), 50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks"})
    void whateverBefallsAHostAtAnyMomentIsRecovered(String program) {
        check(full(program).seed(5).hostFaults(151), 10);
    }

    /** That a generation counts is heard of when the next one is copied, which is given up at a loss. */
    @Test
    void logsAreTrimmedToTheGenerationThatCountsThoughTheNextOneWasCopied() {
        check(full("halo").interval("1").kills(97), 50);
    }

    @Test
    void randomProgramsAreRecovered() {
        RandomReport report = new RandomRuns().seeds(1, 60).shaped(simulation -> simulation.hosts(3).protocol("full"))
            .run();
        System.out.println(report);
        assertTrue(report.clean(), report::toString);
    }

    /**
     * Rank 1 puts 7 at rank 0 under a lock and is lost while that is under way, its replacement does it again, rank 2
     * puts 9 there under the lock: then the network delivers the first 7.
     */
    private static final class LatePut implements SimProgram {
        private SimCluster cluster;
        private SimFabric silent;
        private boolean isPut;
        private boolean isOver;

        @Override
        public String name() {
            return "late put";
        }

        SimResult run(long seed) {
            cluster = new SimCluster(full("halo").options(), this, seed).onHosts();
            return cluster.run();
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", 64);
            for (long step : job.steps(1)) {
                switch (job.rank()) {
                    case 1 -> first(window);
                    case 2 -> second(window);
                    default -> await(job.rank(), window, () -> isOver);
                }
                job.gsync();
            }
            results.store("w", window.memory());
        }

        private void first(Window window) {
            window.lock(LockType.EXCLUSIVE, 0);
            if (silent == null) {
                silent = cluster.network.fabricOf(1);
                cluster.network.mute(silent);
                window.putLong(7, 0, 0);
                cluster.kill(1);
                cluster.relax(1);
            }
            window.putLong(7, 0, 0);
            window.unlock(0);
            isPut = true;
            cluster.wake();
            await(1, window, () -> isOver);
        }

        private void second(Window window) {
            await(2, window, () -> isPut);
            window.lock(LockType.EXCLUSIVE, 0);
            window.putLong(9, 0, 0);
            window.unlock(0);
            cluster.network.unmute(silent);
            long since = cluster.nanos();
            await(2, window, () -> cluster.nanos() > since + 20_000_000);
            isOver = true;
            cluster.wake();
        }

        /** With calls to the library, by which losses are heard of. */
        private void await(int rank, Window window, BooleanSupplier condition) {
            while (!condition.getAsBoolean()) {
                window.flushLocal(rank);
                if (!condition.getAsBoolean()) {
                    cluster.relax(rank);
                }
            }
        }
    }

    private static long latePuts() {
        long wrong = 0;
        for (long seed = 1; seed <= 20; seed++) {
            SimResult result = new LatePut().run(seed);
            assertTrue(result.succeeded(), result::story);
            assertEquals(1, result.outcome().localRecoveries(), result::story);
            long value = MemorySegment.ofArray(result.contents().get(0).get("w")).get(
                ValueLayout.JAVA_LONG_UNALIGNED, 0);
            assertTrue(value == 9 || value == 7, () -> "value=" + value);
            wrong += value == 7 ? 1 : 0;
        }
        return wrong;
    }

    @Test
    void whatALostProcessHadUnderWayDoesNotLandAnyMore() {
        assertEquals(0, latePuts());
    }

    /** What a lost process had sent lands in what its replacement, and those after it, have made. */
    @ParameterizedTest
    @ValueSource(strings = {"REVOKE_ONE_WAY", "ACK_BEFORE_REVOKE", "OLD_INCARNATION_ACCEPTED"})
    void aLostProcessThatIsNotKeptOutIsFound(String bug) {
        long wrong = BrokenProtocol.call(Set.of(bug), HostRecoveryTest::latePuts);
        System.out.println(bug + ": " + wrong + " of 20 runs are wrong");
        assertTrue(wrong > 0, bug + " was not found");
    }

    /** The first replacement is on another host than the process before it, and somebody there never connects to it. */
    @ParameterizedTest
    @ValueSource(strings = {"halo", "sparse"})
    void aRankThatIsLostAgainGoesBackAloneAgain(String program) {
        int again = 0;
        for (int seed = 1; seed <= 120; seed++) {
            Simulation simulation = full(program).ranks(6).checksums(3).spares(4).interval("none").seed(seed);
            Map<Integer, Map<String, byte[]>> expected = simulation.expected();
            int member = seed % 6;
            SimResult base = simulation.run(seed, List.of(), new SimMemory());
            long point = base.memberPoints()[member] * (40 + seed % 20) / 100;
            SimResult result = simulation.run(seed, List.of(new Crash(true, member, point, Crash.How.AFTER),
                new Crash(true, member, point + 300 + 11L * (seed % 30), Crash.How.AFTER)), new SimMemory());
            assertNull(result.fault(expected), result::story);
            again += result.outcome().localRecoveries() == 2 ? 1 : 0;
        }
        System.out.println(again + " recovered alone twice");
        assertTrue(again > 20, "only " + again);
    }

    /**
     * A replacement has read the parity of a checksum rank on its own host. It is not told when that is lost, and what
     * follows on other hosts asks to be let in, one after the other.
     */
    @Test
    void aChecksumRankThatIsLostAgainAndAgainIsLetInByWhoHasReadItsParity() {
        int recovered = 0;
        for (int seed = 1; seed <= 120; seed++) {
            Simulation simulation = full("halo").ranks(6).checksums(3).spares(8).interval("2").seed(seed);
            Map<Integer, Map<String, byte[]>> expected = simulation.expected();
            int rank = seed % 6;
            int checksum = 6 + rank % 3;
            long steps = simulation.run(seed, List.of(), new SimMemory()).steps();
            SimResult result = simulation.run(seed, List.of(
                new Crash(true, rank, steps * 55 / 100, Crash.How.AT_STEP),
                new Crash(true, checksum, steps * 75 / 100, Crash.How.AT_STEP),
                new Crash(true, checksum, steps * (82 + seed % 5) / 100, Crash.How.AT_STEP),
                new Crash(true, checksum, steps * (92 + seed % 7) / 100, Crash.How.AT_STEP)), new SimMemory());
            assertNull(result.fault(expected), result::story);
            recovered += result.outcome().localRecoveries();
        }
        System.out.println(recovered + " recovered alone");
        assertEquals(120, recovered);
    }
}
