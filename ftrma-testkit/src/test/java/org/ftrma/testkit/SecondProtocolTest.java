package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.MembershipListener;
import org.ftrma.core.session.Session;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job with another protocol beside that of its windows: neither displaces the other. The other one here tallies
 * collectives, which is state that goes into images, is restored, and is made again by a replay.
 */
class SecondProtocolTest {
    private static final int RANKS = 3;
    private static final int STEPS = 12;
    private static final int CRASHES = 60;

    private final Map<Integer, Long> tallies = new TreeMap<>();
    private final Map<Integer, Integer> lossesHeard = new TreeMap<>();

    private final class Tally implements RecoveryProtocol, CheckpointedState, MembershipListener {
        private final Session session;
        private final boolean wantsCut;
        private long collectives;
        /** Not yet in {@link #collectives}, which alone images have. */
        private long underWay;

        Tally(Session session, boolean wantsCut) {
            this.session = session;
            this.wantsCut = wantsCut;
            session.inbox.listen(this);
        }

        @Override
        public List<CheckpointedState> imageParts() {
            return List.of(this);
        }

        @Override
        public void enterView() {
            collectives = 0;
            underWay = 0;
        }

        @Override
        public void start(long step) {
            // collectives count from wherever they are
        }

        @Override
        public void collectiveOver(boolean isGsync) {
            underWay++;
        }

        @Override
        public void finish() {
            beforeCopy();
            tallies.put(session.member, collectives);
        }

        @Override
        public boolean needsCut() {
            return wantsCut && session.inbox.generation() == 0;
        }

        @Override
        public void beforeCopy() {
            collectives += underWay;
            underWay = 0;
        }

        @Override
        public void beforeDemandCopy() {
            beforeCopy();
        }

        @Override
        public void copied(long generation) {
            // nothing depends on it
        }

        @Override
        public boolean replaying() {
            return false;
        }

        @Override
        public int imageBytes() {
            return Long.BYTES;
        }

        @Override
        public long save(MemorySegment image, long offset) {
            image.set(ValueLayout.JAVA_LONG, offset, collectives);
            return Long.BYTES;
        }

        @Override
        public void restore(MemorySegment image, long offset, long length) {
            CheckpointedState.require(length == Long.BYTES, "the tally has " + length + " bytes");
            collectives = image.get(ValueLayout.JAVA_LONG, offset);
        }

        @Override
        public void lost(int member, int recovery) {
            lossesHeard.merge(session.member, 1, Integer::sum);
        }
    }

    private static JobOptions options(String protocol, String interval) {
        return JobOptions.of(Map.of("ranks", Integer.toString(RANKS), "checksums", "1", "spares", "2", "interval",
            interval, "protocol", protocol));
    }

    private SimCluster cluster(String protocol, String interval, long seed, boolean wantsCut) {
        tallies.clear();
        lossesHeard.clear();
        return new SimCluster(options(protocol, interval), Programs.byName("halo", STEPS), seed)
            .besides(session -> List.of(new Tally(session, wantsCut)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "coordinated", "full", "puts", "ml"})
    void itsStateIsThatOfARunWithoutFailuresWhereverARankDies(String protocol) {
        boolean isProtected = !protocol.equals("none");
        SimResult whole = cluster(protocol, "2", 1, false).run();
        assertTrue(whole.succeeded(), whole::story);
        Map<Integer, Long> expected = new TreeMap<>(tallies);
        assertEquals(RANKS, expected.size());
        int local = 0;
        int back = 0;
        for (long seed = 1; isProtected && seed <= CRASHES; seed++) {
            long point = 1 + seed * whole.memberPoints()[1] / (CRASHES + 1);
            SimResult result = cluster(protocol, "2", seed, false)
                .crashing(List.of(new Crash(true, 1, point, Crash.How.AFTER))).run();
            assertTrue(result.fault(whole.contents()) == null, result::story);
            assertEquals(expected, tallies, result::story);
            local += result.outcome().localRecoveries();
            back += result.outcome().rollbacks();
        }
        assertTrue(!isProtected || local + back > CRASHES / 2, local + " local, " + back + " back");
        assertEquals(protocol.equals("full"), local > CRASHES / 3, local + " local");
    }

    /** Each rank's image is one that it took alone; what is under way is completed for that, too. */
    @Test
    void itsStateIsInDemandCheckpoints() {
        int local = 0;
        int demands = 0;
        for (long seed = 1; seed <= CRASHES; seed++) {
            JobOptions options = JobOptions.of(Map.of("ranks", "3", "checksums", "1", "spares", "2", "interval", "1000",
                "protocol", "full", "log-budget", "1MiB", "log-low", "1"));
            tallies.clear();
            SimCluster calm = new SimCluster(options, Programs.byName("halo", 60), seed)
                .besides(session -> List.of(new Tally(session, true)));
            SimResult whole = calm.run();
            assertTrue(whole.succeeded(), whole::story);
            Map<Integer, Long> expected = new TreeMap<>(tallies);
            tallies.clear();
            SimResult result = new SimCluster(options, Programs.byName("halo", 60), seed)
                .besides(session -> List.of(new Tally(session, true)))
                .crashing(List.of(new Crash(true, 1, whole.memberPoints()[1] * 4 / 5, Crash.How.AFTER))).run();
            assertTrue(result.fault(whole.contents()) == null, result::story);
            assertEquals(expected, tallies, result::story);
            local += result.outcome().localRecoveries();
            demands += result.outcome().demands().committed();
        }
        assertTrue(local > CRASHES / 2 && demands > CRASHES, local + " local, " + demands + " demand checkpoints");
    }

    @Test
    void bothHearOfALossOnce() {
        for (long seed = 1; seed <= 20; seed++) {
            SimResult result = cluster("full", "2", seed, false)
                .when(JobEvent.Committed.class, e -> e.generation() == 1, c -> c.kill(1)).run();
            assertTrue(result.succeeded(), result::story);
            assertEquals(1, result.outcome().localRecoveries(), result::story);
            assertEquals(Map.of(0, 1, 2, 1), lossesHeard, result::story);
        }
    }

    @Test
    void eachOfThemMayAskForACheckpoint() {
        SimResult without = cluster("coordinated", "1000", 3, false).run();
        assertEquals(0, without.outcome().checkpoints(), without::story);
        SimResult with = cluster("coordinated", "1000", 3, true).run();
        assertTrue(with.outcome().checkpoints() >= 1, with::story);
    }
}
