package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Team;
import org.ftrma.Window;

/**
 * All collectives of two teams in every step: of one the ranks have the opposite order, of the other one every third
 * rank is no member. No gsync of the job is in a step. What a rank receives is compared with what must come, and folded
 * into what it contributes next, so a difference at one of them is one at all.
 */
final class TeamsProgram implements SimProgram {
    private static final int CELLS = 3;
    /** Words that take several pieces: with small parts in front, so that the pieces lie across parts. */
    private static final int LONG_CELLS = 1100;

    private final long steps;
    private final boolean hasWindows;

    /** Of so many steps; with accesses of windows beside those of the teams, or for where messages are logged. */
    TeamsProgram(long steps, boolean hasWindows) {
        this.steps = steps;
        this.hasWindows = hasWindows;
    }

    @Override
    public String name() {
        return hasWindows ? "teams" : "teamsonly";
    }

    @Override
    public boolean polls() {
        return true;
    }

    @Override
    public void run(Job job, Results results) {
        Team all = job.team(0, -job.rank());
        Team some = job.team("some", job.rank() % 3 == 2 ? -1 : 1, 0);
        Window marks = hasWindows ? job.allocateWindow("marks", 8L * job.ranks()) : null;
        MemorySegment state = job.protect("state", 8);
        job.initialize(() -> state.set(LONG, 0, all.allReduce(AtomicOp.SUM, job.rank() + 1L)));
        for (long step : job.steps(steps)) {
            if (marks != null) {
                mark(job, all, marks, step);
            }
            round(all, state, step);
            if (some != null) {
                round(some, state, step + 1);
            }
        }
        results.store("state", state);
    }

    /** A neighbour reads by itself what a put has left there, after a gsync of the team alone. */
    private static void mark(Job job, Team team, Window marks, long step) {
        int next = team.rankOf((team.position() + 1) % team.size());
        marks.putLong(mix(step, job.rank()), next, 8L * job.rank());
        team.gsync();
        int before = team.rankOf((team.position() + team.size() - 1) % team.size());
        same(marks.memory().get(LONG, 8L * before), mix(step, before), "gsync");
        team.barrier();
    }

    private static void same(long found, long expected, String what) {
        if (found != expected) {
            throw new MisuseException(what + ": " + Long.toHexString(found) + " in place of "
                + Long.toHexString(expected));
        }
    }

    private static void round(Team team, MemorySegment state, long step) {
        try (Arena arena = Arena.ofConfined()) {
            Round round = new Round(team, arena, step, state);
            long folded = round.equalParts();
            folded = mix(folded, round.reductions());
            folded = mix(folded, round.unequalParts());
            long sum = team.allReduce(AtomicOp.BXOR, folded);
            same(Double.doubleToRawLongBits(team.allReduce(AtomicOp.MAX, (double) team.position())),
                Double.doubleToRawLongBits(team.size() - 1), "allReduce of a double");
            state.set(LONG, 0, mix(sum, team.position()));
        }
    }

    /** One round of collectives of one team. */
    private static final class Round {
        private final Team team;
        private final int me;
        private final int size;
        private final int root;
        private final Arena arena;
        private final long seed;
        private final long own;

        Round(Team team, Arena arena, long step, MemorySegment state) {
            this.team = team;
            this.me = team.position();
            this.size = team.size();
            this.root = (int) (step % size);
            this.arena = arena;
            this.seed = step;
            this.own = state.get(LONG, 0);
        }

        private MemorySegment cells(long count) {
            return arena.allocate(Math.max(1, 8 * count), 8).asSlice(0, 8 * count);
        }

        /** What a member contributes to others at a place. */
        private long value(int member, long place) {
            return mix(seed, member, place);
        }

        private MemorySegment filled(long count, int member) {
            MemorySegment cells = cells(count);
            for (long i = 0; i < count; i++) {
                cells.setAtIndex(LONG, i, value(member, i));
            }
            return cells;
        }

        private void check(MemorySegment cells, long first, long count, int member, long place, String what) {
            for (long i = 0; i < count; i++) {
                same(cells.getAtIndex(LONG, first + i), value(member, place + i), what);
            }
        }

        long equalParts() {
            long count = seed % 2 == 0 ? LONG_CELLS : CELLS;
            MemorySegment data = me == root ? filled(count, root) : cells(count);
            team.broadcast(data, root);
            check(data, 0, count, root, 0, "broadcast");
            MemorySegment gathered = cells(CELLS * size);
            MemorySegment mine = filled(CELLS, me);
            team.gather(mine, me == root ? gathered : null, root);
            for (int i = 0; me == root && i < size; i++) {
                check(gathered, (long) i * CELLS, CELLS, i, 0, "gather");
            }
            MemorySegment part = cells(CELLS);
            team.scatter(me == root ? filled(CELLS * size, root) : null, part, root);
            check(part, 0, CELLS, root, (long) me * CELLS, "scatter");
            MemorySegment everyOne = cells(count * size);
            team.allGather(filled(count, me), everyOne);
            MemorySegment exchanged = cells(CELLS * size);
            team.allToAll(filled(CELLS * size, me), exchanged);
            for (int i = 0; i < size; i++) {
                check(everyOne, i * count, count, i, 0, "allGather");
                check(exchanged, (long) i * CELLS, CELLS, i, (long) me * CELLS, "allToAll");
            }
            return everyOne.getAtIndex(LONG, count * size - 1);
        }

        long reductions() {
            MemorySegment mine = filled(LONG_CELLS, me);
            mine.setAtIndex(LONG, 0, own);
            MemorySegment result = cells(LONG_CELLS);
            team.allReduce(AtomicOp.SUM, DataType.INT64, mine, result);
            long folded = mix(result.getAtIndex(LONG, 0), result.getAtIndex(LONG, 1));
            sums(result, size, LONG_CELLS - 1L, "allReduce");
            team.reduce(AtomicOp.SUM, DataType.INT64, mine, me == root ? result : null, root);
            if (me == root) {
                sums(result, size, LONG_CELLS - 1L, "reduce");
            }
            team.scan(AtomicOp.SUM, DataType.INT64, mine, result);
            sums(result, me + 1, LONG_CELLS - 1L, "scan");
            result.fill((byte) 7);
            team.exclusiveScan(AtomicOp.SUM, DataType.INT64, mine, result);
            if (me > 0) {
                sums(result, me, LONG_CELLS - 1L, "exclusiveScan");
            } else {
                same(result.getAtIndex(LONG, 1), 0x0707070707070707L, "exclusiveScan at position 0");
            }
            // of doubles, whose order shows in the bits
            MemorySegment one = cells(1);
            one.setAtIndex(LONG, 0, Double.doubleToRawLongBits(1.0 / (value(me, 0) >>> 40 | 1)));
            team.allReduce(AtomicOp.SUM, DataType.FLOAT64, one, one);
            return mix(folded, one.getAtIndex(LONG, 0));
        }

        private void sums(MemorySegment found, int members, long place, String what) {
            long sum = 0;
            for (int i = 0; i < members; i++) {
                sum += value(i, place);
            }
            same(found.getAtIndex(LONG, place), sum, what);
        }

        /** What member a sends to member b: none at all where they are the same. */
        private long cellsOf(int from, int to) {
            return from == to ? 0 : from == root ? LONG_CELLS / 2 : from + to;
        }

        long unequalParts() {
            long[] sendOffsets = new long[size];
            long[] sendBytes = new long[size];
            long[] recvOffsets = new long[size];
            long[] recvBytes = new long[size];
            long[] sources = new long[size];
            long[] sourceBytes = new long[size];
            for (int i = 0; i < size; i++) {
                sendBytes[i] = 8 * cellsOf(me, i);
                recvBytes[i] = 8 * cellsOf(i, me);
                sourceBytes[i] = 8 * (i == root ? LONG_CELLS : i);
                if (i > 0) {
                    sendOffsets[i] = sendOffsets[i - 1] + sendBytes[i - 1];
                    recvOffsets[i] = recvOffsets[i - 1] + recvBytes[i - 1];
                    sources[i] = sources[i - 1] + sourceBytes[i - 1];
                }
            }
            MemorySegment received = cells((recvOffsets[size - 1] + recvBytes[size - 1]) / 8);
            MemorySegment sent = filled((sendOffsets[size - 1] + sendBytes[size - 1]) / 8, me);
            team.allToAll(sent, sendOffsets, sendBytes, received, recvOffsets, recvBytes);
            MemorySegment all = cells((sources[size - 1] + sourceBytes[size - 1]) / 8);
            team.allGather(filled(sourceBytes[me] / 8, me), all, sources, sourceBytes);
            for (int i = 0; i < size; i++) {
                long at = 0;
                for (int before = 0; before < me; before++) {
                    at += cellsOf(i, before);
                }
                check(received, recvOffsets[i] / 8, recvBytes[i] / 8, i, at, "allToAll of parts of any size");
                check(all, sources[i] / 8, sourceBytes[i] / 8, i, 0, "allGather of sources of any size");
            }
            return all.byteSize() == 0 ? 0 : all.getAtIndex(LONG, all.byteSize() / 8 - 1);
        }
    }
}
