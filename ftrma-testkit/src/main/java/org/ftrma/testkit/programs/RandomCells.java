package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.mix;

import java.util.random.RandomGenerator;
import org.ftrma.DoubleCell;
import org.ftrma.LongCell;
import org.ftrma.RecordCell;

/**
 * Small protected things: numbers, a record and a generator of random numbers, each of which goes on in some of the
 * steps; what they hold is folded into what the rank has seen.
 */
final class RandomCells implements RandomPart {
    private static final long KIND = 141;

    private final RandomState state;
    private final LongCell number;
    private final DoubleCell real;
    private final RecordCell<Pair> pair;
    private final RandomGenerator random;

    /** What the record holds. */
    private record Pair(int round, long drawn) {
    }

    RandomCells(RandomState state) {
        this.state = state;
        number = state.job.protectLong("number");
        real = state.job.protectDouble("real");
        pair = state.job.protect("pair", Pair.class);
        random = state.job.random(41);
    }

    @Override
    public void initialize() {
        real.set(random.nextDouble());
    }

    @Override
    public void step(long step) {
        SimRandom plan = state.plan(KIND + state.rank, step);
        if (plan.chance(500)) {
            number.add(random.nextInt(1 << 20));
        }
        if (plan.chance(500)) {
            real.add(number.get() * 0x1p-20);
        }
        if (plan.chance(500)) {
            pair.set(new Pair(pair.get().round() + 1, random.nextLong()));
        }
        state.fold(mix(number.get(), Double.doubleToRawLongBits(real.get()), pair.get().drawn()));
    }

    @Override
    public void finish() {
        state.fold(mix(random.nextLong(), pair.get().round()));
    }
}
