package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.MisuseException;
import org.ftrma.Window;

/**
 * A race-free program made up from a number in which each rank accesses itself and the next one, or the next two, or
 * the same of every other one: with 6 ranks there are ranks that never access each other, though some have to do with
 * ranks that have to do with both. It is named {@code strangers-NUMBER}. Each number has other kinds of accesses, and
 * of steps with and without barriers.
 */
public final class StrangersProgram implements SimProgram {
    private static final Pattern NAME = Pattern.compile("strangers-([0-9]{1,15})");
    private static final long STATE = 64;
    private static final int CELLS = 4;

    /** What a program is made of, each with a chance of a half. */
    private enum Part { FAR, PUTS, GETS, LOCKS, SHARED, ATOMICS, COLLECTIVES, CHANCE, LOOSE, SWAPS, EVERY_OTHER }

    private final long number;
    private final long steps;

    /** The program of that number. */
    public StrangersProgram(long number, long steps) {
        this.number = number;
        this.steps = steps;
    }

    /** The program of that name, or null if the name is of another form. */
    static StrangersProgram parse(String name, long steps) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return null;
        }
        try {
            return new StrangersProgram(Long.parseLong(matcher.group(1)), steps);
        } catch (NumberFormatException e) {
            throw new MisuseException("program=" + name + ": its number is too large");
        }
    }

    @Override
    public String name() {
        return "strangers-" + number;
    }

    private boolean has(Part part) {
        return (mix(number, 77) >>> 2 * part.ordinal() & 1) != 0;
    }

    /** How many others a rank accesses. */
    private int reach() {
        return has(Part.FAR) ? 2 : 1;
    }

    private int stride() {
        return has(Part.EVERY_OTHER) ? 2 : 1;
    }

    /** Whether two of so many ranks never access each other. */
    public boolean areStrangers(int one, int other, int ranks) {
        int distance = Math.floorMod(other - one, ranks);
        for (int i = 0; i <= reach(); i++) {
            if (distance == i * stride() % ranks || ranks - distance == i * stride() % ranks) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void run(Job job, Results results) {
        Window slots = job.allocateWindow("slots", 128);
        Window cells = job.allocateWindow("cells", 8 * CELLS);
        Window atoms = job.allocateWindow("atoms", 32);
        MemorySegment folded = job.protect("folded", 32);
        job.initialize(() -> {
            slots.memory().set(LONG, STATE, mix(number, job.rank()));
            job.gsync();
        });
        try (Arena arena = Arena.ofConfined()) {
            Body body = new Body(job, slots, cells, atoms, folded, arena.allocate(64, 8));
            for (long step : job.steps(steps)) {
                body.step(step);
            }
        }
        job.gsync();
        results.store("slots", slots.memory());
        results.store("cells", cells.memory());
        results.store("atoms", atoms.memory());
        results.store("folded", folded);
    }

    /** The steps of one rank. */
    private final class Body {
        private final Job job;
        private final Window slots;
        private final Window cells;
        private final Window atoms;
        private final MemorySegment folded;
        private final MemorySegment buffer;

        Body(Job job, Window slots, Window cells, Window atoms, MemorySegment folded, MemorySegment buffer) {
            this.job = job;
            this.slots = slots;
            this.cells = cells;
            this.atoms = atoms;
            this.folded = folded;
            this.buffer = buffer;
        }

        private int at(long distance) {
            return (int) ((job.rank() + distance * stride()) % job.ranks());
        }

        private boolean chance(long step, long what) {
            return (mix(mix(number, step), job.rank(), what) & 3) != 0;
        }

        void step(long step) {
            boolean isLoose = has(Part.LOOSE) && (mix(number, step, 5) & 1) != 0;
            exchange(step, isLoose);
            for (int i = 0; i < 3; i++) {
                int target = at(Math.floorMod(mix(mix(number, step), job.rank(), i), reach() + 1));
                lock(step, i, target);
                atomic(step, i, target);
            }
            if (has(Part.CHANCE) && chance(step, 9)) {
                job.nondeterministic(() -> step);
            }
            if (!isLoose) {
                endSynchronized(step);
            }
        }

        /** Others' states are read, and slots of theirs are written, while all leave these alone. */
        private void exchange(long step, boolean isLoose) {
            for (int distance = 1; distance <= reach() && !isLoose; distance++) {
                if (has(Part.PUTS) && chance(step, distance)) {
                    slots.putLong(mix(number, step, job.rank()), at(distance), 16 * distance + 8 * (step & 1));
                }
                if (has(Part.GETS) && chance(step, 10 + distance)) {
                    slots.get(buffer, 8L * distance, at(distance), STATE, 8);
                    slots.flush(at(distance));
                    folded.set(LONG, 0, mix(folded.get(LONG, 0), buffer.get(LONG, 8L * distance)));
                }
            }
        }

        private void lock(long step, int i, int target) {
            if (has(Part.LOCKS) && chance(step, 20 + i)) {
                long cell = 8 * Math.floorMod(mix(number, step, i), CELLS);
                cells.lock(LockType.EXCLUSIVE, target);
                cells.get(buffer, 0, target, cell, 8);
                cells.flush(target);
                buffer.set(LONG, 0, buffer.get(LONG, 0) + mix(job.rank(), step, i));
                cells.put(buffer, 0, target, cell, 8);
                cells.unlock(target);
            }
            if (has(Part.SHARED) && chance(step, 30 + i)) {
                cells.lock(LockType.SHARED, target);
                cells.getLong(target, 0);
                cells.unlock(target);
            }
        }

        private void atomic(long step, int i, int target) {
            if (has(Part.ATOMICS) && chance(step, 40 + i)) {
                atoms.fetchAndOp(AtomicOp.SUM, DataType.INT64, mix(job.rank(), step, i), target, 0);
                atoms.fetchAndOp(AtomicOp.BXOR, DataType.INT64, mix(step, i), target, 8);
            }
            if (has(Part.SWAPS) && chance(step, 50 + i)) {
                long wanted = mix(job.rank(), step, i) >>> 1;
                long old = atoms.getLong(target, 16);
                while (old < wanted) {
                    long found = atoms.compareAndSwap(DataType.INT64, old, wanted, target, 16);
                    if (found == old) {
                        break;
                    }
                    old = found;
                }
            }
        }

        /** A rank's state follows from what it was told. */
        private void endSynchronized(long step) {
            job.gsync();
            long state = slots.memory().get(LONG, STATE);
            for (int distance = 1; distance <= reach(); distance++) {
                state = mix(state, slots.memory().get(LONG, 16 * distance + 8 * (step & 1)), step);
            }
            if (has(Part.COLLECTIVES) && (mix(number, step, 6) & 1) != 0) {
                state = mix(state, job.allReduce(AtomicOp.SUM, folded.get(LONG, 0)));
            }
            slots.memory().set(LONG, STATE, state);
            if ((mix(number, step, 8) & 1) != 0) {
                buffer.set(LONG, 56, state);
                job.broadcast(buffer.asSlice(56, 8), (int) (step % job.ranks()));
                folded.set(LONG, 8, mix(folded.get(LONG, 8), buffer.get(LONG, 56)));
            } else {
                job.gsync();
            }
        }
    }
}
