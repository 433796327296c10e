package org.ftrma.xor.domains;

import java.util.ArrayList;
import java.util.List;

/**
 * The probability of a catastrophic failure by the paper's formula (ftRMA, equations 7 to 9). With H elements at a
 * level, x of them failing at once with probability P(x) a day, groups of |G| members and m = 1:
 *
 * <pre>
 *   P_cf     = sum over levels and x of P(x) P(cf | x)                                          (7)
 *   P(cf|x)  = ceil(H / |G|) * binomial(|G|, 2) * binomial(H-2, x-2) / binomial(H, x)           t-aware levels (8)
 *   P(cf|x)  = 1                                                                               all other levels
 * </pre>
 *
 * <p>The quotient of the last two binomials is {@code x (x-1) / (H (H-1))}, and that is how it is computed, so no H is
 * too large. As a sum over pairs it passes 1 for large x: it is clamped at 1, which the paper leaves open.
 *
 * <p><b>For any m</b>, where the paper has m = 1 only: groups have at most c members on one element, the fewest there
 * can be, {@code ceil(|G| / H)}. A group is then on {@code q = ceil(|G| / c)} elements, and {@code t = floor(m / c) +
 * 1} of these must fail to take more than m members: {@code ceil(H / q) * binomial(q, t) * binomial(H-t, x-t) /
 * binomial(H, x)}. With m = 1 this is (8).
 *
 * <p><b>What it is not.</b> It counts {@code ceil(H / |G|)} groups at a level, as if each element ran one process.
 * Where more processes share an element there are more groups and more fatal pairs, and the formula is no bound: {@link
 * PlacementRisk} computes the value of a placement. At levels that are not t-aware it takes every failure as fatal,
 * which is a bound.
 *
 * <p>Pure functions; any thread.
 *
 *
 */
public final class CatastropheFormula {
    private static final double NEGLIGIBLE = 1e-18;

    private CatastropheFormula() {
    }

    /**
     * What one level contributes.
     *
     * @param name           of the level
     * @param elements       H
     * @param aware          whether members of a group are kept apart here
     * @param placeable      whether that is possible with so many elements; where not, the formula is of no use, but is
     *     computed all the same
     * @param failuresPerDay how often anything fails here: the sum of P(x)
     * @param perDay         the sum of P(x) P(cf | x)
     */
    public record Level(String name, int elements, boolean aware, boolean placeable, double failuresPerDay,
        double perDay) {
    }

    /**
     * The result for a machine.
     *
     * @param groups    groups
     * @param groupSize |G|, checksum ranks included; of the largest group where they differ
     * @param perDay    P_cf, normalized to a day
     * @param levels    smallest first
     */
    public record Result(int groups, int groupSize, double perDay, List<Level> levels) {
        /** Whether a t-aware placement is possible, as far as the numbers of elements tell. */
        public boolean placeable() {
            return levels.stream().allMatch(Level::placeable);
        }
    }

    /**
     * P(cf | x) at a t-aware level, at most 1.
     *
     * @param elements  H, at least 1
     * @param groupSize |G|, more than {@code losses}
     * @param losses    m, at least 1
     * @param failed    x, 0 to H
     */
    public static double conditional(int elements, int groupSize, int losses, int failed) {
        if (elements < 1 || losses < 1 || groupSize <= losses || failed < 0 || failed > elements) {
            throw new IllegalArgumentException("elements=" + elements + " groupSize=" + groupSize + " losses=" + losses
                + " failed=" + failed);
        }
        int share = (groupSize - 1) / elements + 1;
        if (share > losses) {
            share = 1;
        }
        int spread = (groupSize - 1) / share + 1;
        int fatal = losses / share + 1;
        if (failed < fatal) {
            return 0;
        }
        double log = Math.log((elements - 1) / spread + 1);
        for (int i = 0; i < fatal; i++) {
            log += Math.log((double) (spread - i) / (i + 1)) + Math.log((double) (failed - i) / (elements - i));
        }
        return Math.min(1, Math.exp(log));
    }

    /**
     * P_cf of a machine.
     *
     * @param machine    its levels and how often they fail; a level of which that is not known contributes nothing
     * @param processes  computing ranks
     * @param checksums  checksum ranks of all groups, a multiple of {@code losses}
     * @param losses     m
     * @param awareLevel t-awareness level n, 0 for none
     */
    public static Result of(Machine machine, int processes, int checksums, int losses, int awareLevel) {
        Topology topology = machine.topology();
        if (processes < 1 || losses < 1 || checksums < losses || checksums % losses != 0
            || checksums / losses > processes) {
            throw new IllegalArgumentException("processes=" + processes + " checksums=" + checksums + " losses="
                + losses
                + ": checksum ranks must be a multiple of the losses, and groups at most as many as processes");
        }
        if (awareLevel < 0 || awareLevel > topology.levels()) {
            throw new IllegalArgumentException("awareLevel=" + awareLevel + ": " + topology.name() + " has levels 1 to "
                + topology.levels());
        }
        int groups = checksums / losses;
        int groupSize = (processes - 1) / groups + 1 + losses;
        List<Level> levels = new ArrayList<>();
        double sum = 0;
        for (int level = 1; level <= topology.levels(); level++) {
            FailureDistribution failures = machine.failures().get(level - 1);
            int elements = topology.count(level);
            boolean aware = level <= awareLevel;
            double any = failures == null ? 0 : failures.perDay(1, elements);
            double perDay = !aware || failures == null ? any : perDay(failures, elements, groupSize, losses);
            levels.add(new Level(topology.levelName(level), elements, aware,
                !aware || (groupSize - 1) / elements + 1 <= losses, any, perDay));
            sum += perDay;
        }
        return new Result(groups, groupSize, sum, List.copyOf(levels));
    }

    private static double perDay(FailureDistribution failures, int elements, int groupSize, int losses) {
        double sum = 0;
        for (int x = 1; x <= elements; x++) {
            sum += failures.perDay(x) * conditional(elements, groupSize, losses, x);
            // The rest is not more than its probabilities.
            if (x % Long.SIZE == 0 && failures.perDay(x + 1, elements) <= NEGLIGIBLE * sum) {
                break;
            }
        }
        return sum;
    }

    /**
     * The fewest checksum ranks with which the formula gives at most a target, and for which a placement is possible;
     * -1 where no number does.
     *
     * @param target P_cf per day
     * @see #of for the others
     */
    public static int fewestChecksums(Machine machine, int processes, int losses, int awareLevel, double target) {
        int groups = 1;
        while (groups <= processes) {
            Result result = of(machine, processes, groups * losses, losses, awareLevel);
            if (result.perDay() <= target && result.placeable()) {
                return groups * losses;
            }
            int computing = result.groupSize() - losses;
            if (computing == 1) {
                break;
            }
            // More groups of the same size would give the same.
            groups = (processes - 1) / (computing - 1) + 1;
        }
        return -1;
    }
}
