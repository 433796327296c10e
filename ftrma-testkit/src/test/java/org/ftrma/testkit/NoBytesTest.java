package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LongCell;
import org.ftrma.Strides;
import org.ftrma.Team;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accesses, collectives and messages of no bytes in each of their forms, among others: wherever a rank is lost, it
 * alone goes back, and its replay finds what it looks for.
 */
class NoBytesTest {
    private static final AtomicOp SUM = AtomicOp.SUM;
    private static final DataType INT64 = DataType.INT64;
    /** Offsets of cells: all ranks add to the one, and signal the other. */
    private static final long ADDED = 8;
    private static final long SIGNALLED = 16;
    private static final long BYTES = 24;
    private static final long[] NONE = {};
    private static final Strides TWO_LEVELS = new Strides(0, 8, 16);

    /** One way to access nothing of a target, at an offset. */
    private interface Form {
        void access(Window w, MemorySegment m, int t, long at);
    }

    private static final List<Form> FORMS = List.of(
        (w, m, t, at) -> w.put(m, 0, t, at, 0),
        (w, m, t, at) -> w.get(m, 8, t, at, 0),
        (w, m, t, at) -> w.put(new long[0], t, at),
        (w, m, t, at) -> w.put(new double[1], 1, 0, t, at),
        (w, m, t, at) -> w.put(new int[0], t, at),
        (w, m, t, at) -> w.get(new long[0], t, at),
        (w, m, t, at) -> w.get(new double[1], 1, 0, t, at),
        (w, m, t, at) -> w.get(new int[0], t, at),
        (w, m, t, at) -> w.putBlocks(m, NONE, t, NONE, NONE),
        (w, m, t, at) -> w.getBlocks(m, NONE, t, NONE, NONE),
        (w, m, t, at) -> w.putBlocks(m, new long[] {8}, t, new long[] {at}, new long[] {0}),
        (w, m, t, at) -> w.getBlocks(m, new long[] {8, 0}, t, new long[] {0, at}, new long[] {8, 0}),
        (w, m, t, at) -> w.putStrided(m, 0, 8, t, at, 8, 8, 0),
        (w, m, t, at) -> w.getStrided(m, 0, 8, t, at, 8, 8, 0),
        (w, m, t, at) -> w.putStrided(m, 0, 8, t, 0, 8, 0, 2),
        (w, m, t, at) -> w.getStrided(m, 0, 8, t, 0, 8, 0, 2),
        (w, m, t, at) -> w.putStrided(m, TWO_LEVELS, t, TWO_LEVELS, 8, 2, 0),
        (w, m, t, at) -> w.getStrided(m, TWO_LEVELS, t, TWO_LEVELS, 8, 2, 0),
        (w, m, t, at) -> w.rput(m, 0, t, at, 0).await(),
        (w, m, t, at) -> w.rget(m, 0, t, at, 0).await(),
        (w, m, t, at) -> w.rputStrided(m, 0, 8, t, at, 8, 8, 0).await(),
        (w, m, t, at) -> w.rgetStrided(m, 0, 8, t, at, 8, 8, 0).await(),
        (w, m, t, at) -> w.rputStrided(m, 0, 8, t, 0, 8, 0, 2).await(),
        (w, m, t, at) -> w.rgetStrided(m, 0, 8, t, 0, 8, 0, 2).await(),
        (w, m, t, at) -> w.shared(t, at, 0),
        (w, m, t, at) -> w.accumulate(SUM, INT64, m, 0, t, BYTES, 0),
        (w, m, t, at) -> w.getAccumulate(SUM, INT64, m, 0, m, 8, t, BYTES, 0),
        (w, m, t, at) -> w.accumulateStrided(SUM, INT64, m, 0, 8, t, 0, 8, 1, 0),
        (w, m, t, at) -> w.getAccumulateStrided(SUM, INT64, m, 0, 8, m, 8, 8, t, 0, 8, 0, 2),
        (w, m, t, at) -> w.raccumulate(SUM, INT64, m, 0, t, BYTES, 0).await(),
        (w, m, t, at) -> w.rgetAccumulate(SUM, INT64, m, 0, m, 8, t, BYTES, 0).await(),
        (w, m, t, at) -> w.putSignal(m, 0, t, at, 0, SUM, 1, SIGNALLED));

    private static void accesses(Job job, SimProgram.Results results) {
        Window window = job.allocateWindow("w", BYTES);
        LongCell sum = job.protectLong("sum");
        MemorySegment memory = job.protect("m", 64);
        Team all = job.team("all", 0, 0);
        Team alone = job.team("alone", job.rank(), 0);
        int right = (job.rank() + 1) % job.ranks();
        for (long step : job.steps(2)) {
            window.putLong(step * 10 + job.rank(), right, 0);
            job.gsync();
            for (int i = 0; i < FORMS.size(); i++) {
                int target = (job.rank() + i) % job.ranks();
                FORMS.get(i).access(window, memory, target, i % 2 == 0 ? BYTES : ADDED + 4);
                window.accumulate(SUM, 1, target, ADDED);
                sum.set(sum.get() * 31 + window.getLong(target, 0));
            }
            job.gsync();
            MemorySegment nothing = memory.asSlice(0, 0);
            job.broadcast(nothing, 1);
            job.allReduce(SUM, INT64, nothing, nothing);
            job.allGather(nothing, nothing);
            for (Team team : List.of(all, alone)) {
                collectives(team, nothing);
                sum.set(sum.get() * 31 + team.allReduce(SUM, sum.get()));
            }
        }
        job.gsync();
        results.store("w", window.memory());
        results.store("sum", MemorySegment.ofArray(new long[] {sum.get()}));
    }

    private static void collectives(Team team, MemorySegment nothing) {
        team.broadcast(nothing, 0);
        team.reduce(SUM, INT64, nothing, nothing, 0);
        team.allReduce(SUM, INT64, nothing, nothing);
        team.scan(SUM, INT64, nothing, nothing);
        team.exclusiveScan(SUM, INT64, nothing, nothing);
        team.gather(nothing, nothing, 0);
        team.scatter(nothing, nothing, 0);
        team.allGather(nothing, nothing);
        team.allToAll(nothing, nothing);
        long[] none = new long[team.size()];
        team.allToAll(nothing, none, none, nothing, none, none);
    }

    private static void messages(Job job, SimProgram.Results results) {
        Channel all = job.messages();
        Channel alone = all.split(job.rank(), 0);
        LongCell sum = job.protectLong("sum");
        int right = (job.rank() + 1) % job.ranks();
        int left = (job.rank() + job.ranks() - 1) % job.ranks();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment nothing = arena.allocate(8).asSlice(0, 0);
            for (long step : job.steps(2)) {
                for (Channel channel : List.of(all, alone)) {
                    int to = channel == all ? right : 0;
                    int from = channel == all ? left : 0;
                    channel.waitAll(channel.isend(nothing, to, 1), channel.irecv(nothing, from, 1));
                    channel.sendrecv(nothing, to, 2, nothing, Channel.ANY_SOURCE, 2);
                    collectives(channel, nothing);
                    channel.waitAll(channel.ibroadcast(nothing, 0), channel.iallReduce(SUM, INT64, nothing, nothing),
                        channel.iallToAll(nothing, nothing));
                    channel.sendLong(step + job.rank(), to, 3);
                    sum.set(sum.get() * 31 + channel.allReduce(SUM, channel.recvLong(from, 3)));
                }
                job.allReduce(SUM, INT64, nothing, nothing);
                job.gsync();
            }
        }
        results.store("sum", MemorySegment.ofArray(new long[] {sum.get()}));
    }

    private static void collectives(Channel channel, MemorySegment nothing) {
        channel.broadcast(nothing, 0);
        channel.reduce(SUM, INT64, nothing, nothing, 0);
        channel.allReduce(SUM, INT64, nothing, nothing);
        channel.scan(SUM, INT64, nothing, nothing);
        channel.exclusiveScan(SUM, INT64, nothing, nothing);
        channel.gather(nothing, nothing, 0);
        channel.scatter(nothing, nothing, 0);
        channel.allGather(nothing, nothing);
        channel.allToAll(nothing, nothing);
    }

    /** A program by its body. */
    private interface Body {
        void run(Job job, SimProgram.Results results);
    }

    /** One crash at every so many points: but for before the first checkpoint, the lost rank alone goes back. */
    private static void aloneGoesBack(Simulation simulation, int stride) {
        SimMemory memory = new SimMemory();
        SimResult base = simulation.run(1, List.of(), memory);
        assertTrue(base.succeeded(), base::story);
        TreeMap<String, Integer> reasons = new TreeMap<>();
        int alone = 0;
        for (int rank = 0; rank < simulation.ranks(); rank++) {
            for (long point = 1 + rank % stride; point <= base.memberPoints()[rank]; point += stride) {
                SimResult result = simulation.run(1, List.of(new Crash(true, rank, point, Crash.How.AFTER)), memory);
                assertNull(result.fault(base.contents()), result::story);
                alone += result.outcome().rollbacks() == 0 ? result.outcome().localRecoveries() : 0;
                result.outcome().fallbacks().keySet().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
            }
        }
        reasons.keySet().removeAll(Set.of(FallbackReason.BEFORE_FIRST_CHECKPOINT.name(),
            FallbackReason.WHILE_RESTORING.name()));
        assertEquals(new TreeMap<>(), reasons, alone + " went back alone");
        assertTrue(alone > 20, alone + " went back alone");
    }

    private static Simulation of(Body body, String protocol) {
        return new Simulation().protocol(protocol).interval("none").program(new SimProgram() {
            @Override
            public String name() {
                return "no bytes";
            }

            @Override
            public void run(Job job, Results results) {
                body.run(job, results);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "network"})
    void accessesLeaveNothingToBeFound(String path) {
        aloneGoesBack(of(NoBytesTest::accesses, "full").path(path), EveryPoint.or(path.equals("auto") ? 67 : 211));
    }

    @Test
    void messagesAndTheirCollectivesAreReplayed() {
        aloneGoesBack(of(NoBytesTest::messages, "pessimistic-v"), EveryPoint.or(13));
    }
}
