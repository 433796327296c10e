package org.ftrma.xor.domains;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The probability of a catastrophic failure of one placement: as equation (7), but with the true P(cf | x) in place of
 * the paper's formula. Any x elements of a level are equally likely to be those that fail, and the failure is
 * catastrophic if a group loses more than m members.
 *
 * <p>P(cf | 1) and P(cf | 2) are counted. On levels of few elements so is all else; otherwise the contribution of three
 * and more is estimated: elements are drawn in random order until the failure is catastrophic, at T say, and the mean
 * of P(T) + P(T+1) + ... is that contribution for all x at once. The standard error of the mean is given.
 *
 * <p>Pure functions; any thread.
 */
public final class PlacementRisk {
    private static final int FEW_ELEMENTS = 14;
    private static final long MAX_PAIR_STEPS = 400_000_000L;
    private static final double CUT_OFF = 1e-7;

    /**
     * What one level contributes.
     *
     * @param name          of the level
     * @param fatalElements elements whose loss alone is catastrophic
     * @param perDay        the contribution to P_cf
     * @param standardError of {@code perDay}; 0 where it was counted
     */
    public record Level(String name, int fatalElements, double perDay, double standardError) {
    }

    /**
     * The result for a placement.
     *
     * @param perDay        P_cf, normalized to a day
     * @param standardError of {@code perDay}; 0 where it was counted
     * @param levels        smallest first
     */
    public record Result(double perDay, double standardError, List<Level> levels) {
    }

    private final int losses;
    private final int groups;
    private final int elements;
    private final FailureDistribution failures;
    /** Of each element: the groups that have members there, and how many. */
    private final int[][] groupsIn;
    private final int[][] membersIn;
    private final boolean[] fatal;
    private int fatalElements;

    private PlacementRisk(Placement placement, int level, FailureDistribution failures) {
        losses = placement.losses();
        groups = placement.groups();
        elements = placement.topology().count(level);
        this.failures = failures;
        groupsIn = new int[elements][];
        membersIn = new int[elements][];
        fatal = new boolean[elements];
        int[][] members = placement.membersByDomain(level);
        int[] count = new int[groups];
        for (int element = 0; element < elements; element++) {
            int[] distinct = new int[members[element].length];
            int n = 0;
            for (int member : members[element]) {
                int group = placement.groupOf(member);
                if (count[group]++ == 0) {
                    distinct[n++] = group;
                }
            }
            groupsIn[element] = Arrays.copyOf(distinct, n);
            membersIn[element] = new int[n];
            for (int i = 0; i < n; i++) {
                membersIn[element][i] = count[distinct[i]];
                fatal[element] |= count[distinct[i]] > losses;
                count[distinct[i]] = 0;
            }
            fatalElements += fatal[element] ? 1 : 0;
        }
    }

    /**
     * P_cf of a placement.
     *
     * @param placement on the machine's topology
     * @param failures  how often the elements of each level fail, smallest first; null contributes nothing
     * @param samples   random samples on each level that has too many elements to count, at least 2
     * @param seed      of the samples
     */
    public static Result of(Placement placement, List<FailureDistribution> failures, int samples, long seed) {
        Topology topology = placement.topology();
        if (failures.size() != topology.levels()) {
            throw new IllegalArgumentException(failures.size() + " failure distributions for " + topology.levels()
                + " levels");
        }
        if (samples < 2) {
            throw new IllegalArgumentException("samples=" + samples + ": must be at least 2");
        }
        List<Level> levels = new ArrayList<>();
        double sum = 0;
        double variance = 0;
        for (int level = 1; level <= topology.levels(); level++) {
            FailureDistribution distribution = failures.get(level - 1);
            Level one = new Level(topology.levelName(level), 0, 0, 0);
            if (distribution != null) {
                one = new PlacementRisk(placement, level, distribution).level(one.name, samples, seed + level);
            }
            levels.add(one);
            sum += one.perDay;
            variance += one.standardError * one.standardError;
        }
        return new Result(sum, Math.sqrt(variance), List.copyOf(levels));
    }

    private Level level(String name, int samples, long seed) {
        if (fatalElements == elements) {
            return new Level(name, elements, failures.perDay(1, elements), 0);
        }
        if (elements <= FEW_ELEMENTS) {
            return new Level(name, fatalElements, countAll(), 0);
        }
        double counted = failures.perDay(1) * fatalElements / elements;
        int from = 2;
        double pairs = failures.perDay(2) == 0 ? 0 : fatalPairs();
        if (pairs >= 0) {
            counted += failures.perDay(2) * pairs / (elements * (elements - 1.0) / 2);
            from = 3;
        }
        double[] estimate = sample(from, samples, RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
        return new Level(name, fatalElements, counted + estimate[0], estimate[1]);
    }

    /** Every subset of the elements. */
    private double countAll() {
        double[] fatalSets = new double[elements + 1];
        countFatal(0, 0, new int[groups], fatalSets);
        double sum = 0;
        double sets = 1;
        for (int x = 1; x <= elements; x++) {
            sets = sets * (elements - x + 1) / x;
            sum += failures.perDay(x) * fatalSets[x] / sets;
        }
        return sum;
    }

    /**
     * Adds, by their size, the fatal sets that consist of a set which is not, of so many elements, and of others from
     * {@code next} on.
     */
    private void countFatal(int size, int next, int[] lost, double[] fatalSets) {
        for (int element = next; element < elements; element++) {
            if (lose(element, lost)) {
                // And so is each set that has more besides.
                int others = elements - element - 1;
                double sets = 1;
                for (int more = 0; more <= others; more++) {
                    fatalSets[size + 1 + more] += sets;
                    sets = sets * (others - more) / (more + 1);
                }
            } else {
                countFatal(size + 1, element + 1, lost, fatalSets);
            }
            restore(element, lost);
        }
    }

    /** Pairs of elements whose loss is catastrophic; -1 where counting them takes too long. */
    private double fatalPairs() {
        int[][] elementsOf = elementsOfGroups();
        long steps = 0;
        for (int[] of : elementsOf) {
            steps += (long) of.length * of.length;
        }
        if (steps > MAX_PAIR_STEPS) {
            return -1;
        }
        double alive = elements - fatalElements;
        double pairs = elements * (elements - 1.0) / 2 - alive * (alive - 1) / 2;
        int[] seen = new int[elements];
        int[] share = new int[elements];
        for (int first = 0; first < elements; first++) {
            for (int i = 0; !fatal[first] && i < groupsIn[first].length; i++) {
                int group = groupsIn[first][i];
                for (int second : elementsOf[group]) {
                    if (second > first && !fatal[second] && seen[second] != first + 1
                        && membersIn[first][i] + members(second, group, share) > losses) {
                        seen[second] = first + 1;
                        pairs++;
                    }
                }
            }
        }
        return pairs;
    }

    /** Members of a group on an element; {@code hint} remembers where it was found, since groups come in order. */
    private int members(int element, int group, int[] hint) {
        int[] inside = groupsIn[element];
        for (int i = 0; i < inside.length; i++) {
            int at = (hint[element] + i) % inside.length;
            if (inside[at] == group) {
                hint[element] = at;
                return membersIn[element][at];
            }
        }
        return 0;
    }

    private int[][] elementsOfGroups() {
        int[] count = new int[groups];
        for (int[] inside : groupsIn) {
            for (int group : inside) {
                count[group]++;
            }
        }
        int[][] elementsOf = new int[groups][];
        for (int group = 0; group < groups; group++) {
            elementsOf[group] = new int[count[group]];
        }
        for (int element = elements; element-- > 0;) {
            for (int group : groupsIn[element]) {
                elementsOf[group][--count[group]] = element;
            }
        }
        return elementsOf;
    }

    /** The contribution of {@code from} and more failures, and its standard error. */
    private double[] sample(int from, int samples, RandomGenerator random) {
        double[] weight = new double[elements + 1];
        int last = from;
        for (int x = 1; x <= elements; x++) {
            weight[x] = failures.perDay(Math.max(from, x), elements);
            last = weight[x] > CUT_OFF * weight[1] ? x : last;
        }
        if (weight[1] == 0) {
            return new double[] {0, 0};
        }
        int[] order = new int[elements];
        Arrays.setAll(order, i -> i);
        int[] lost = new int[groups];
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < samples; i++) {
            int drawn = 0;
            boolean catastrophic = false;
            while (!catastrophic && drawn < last) {
                int other = drawn + random.nextInt(elements - drawn);
                int element = order[other];
                order[other] = order[drawn];
                order[drawn++] = element;
                catastrophic = lose(element, lost);
            }
            for (int k = 0; k < drawn; k++) {
                restore(order[k], lost);
            }
            double value = catastrophic ? weight[drawn] : 0;
            sum += value;
            squares += value * value;
        }
        double mean = sum / samples;
        double variance = Math.max(0, squares / samples - mean * mean) / (samples - 1);
        // What lies beyond the last draw counts as error, as a sample with no hit at all has none of its own.
        double unseen = last < elements ? weight[last + 1] : 0;
        return new double[] {mean, Math.sqrt(variance) + unseen + (sum == 0 ? weight[1] / samples : 0)};
    }

    private boolean lose(int element, int[] lost) {
        boolean catastrophic = false;
        for (int i = 0; i < groupsIn[element].length; i++) {
            int group = groupsIn[element][i];
            lost[group] += membersIn[element][i];
            catastrophic |= lost[group] > losses;
        }
        return catastrophic;
    }

    private void restore(int element, int[] lost) {
        for (int i = 0; i < groupsIn[element].length; i++) {
            lost[groupsIn[element][i]] -= membersIn[element][i];
        }
    }
}
