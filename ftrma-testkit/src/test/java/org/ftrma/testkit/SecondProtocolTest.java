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
        }

        @Override
        public void start(long step) {
            // collectives count from wherever they are
        }

        @Override
        public void collectiveOver(boolean isGsync) {
            collectives++;
        }

        @Override
        public void finish() {
            tallies.put(session.member, collectives);
        }

        @Override
        public boolean needsCut() {
            return wantsCut && session.inbox.generation() == 0;
        }

        @Override
        public void beforeCopy() {
            // the number is complete
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
