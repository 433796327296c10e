package org.ftrma.launch.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.ftrma.xor.DalyInterval;
import org.ftrma.xor.domains.CatastropheFormula;
import org.ftrma.xor.domains.GroupMapper;
import org.ftrma.xor.domains.Machine;
import org.ftrma.xor.domains.NoPlacementException;
import org.ftrma.xor.domains.Placement;
import org.ftrma.xor.domains.PlacementRisk;
import org.ftrma.xor.domains.Topology;

/**
 * The figures of the plan command: how to protect a job. Times are seconds, rates are per day. A value class; any
 * thread.
 *
 * @param machine with the distributions that hold for the plan
 * @param ranks   computing ranks
 * @param seconds what the job and its protection take
 * @param target  wanted P_cf for the length of the job
 * @param samples of the estimates for placements
 * @param seed    of the samples
 */
record Plan(Machine machine, int ranks, Seconds seconds, double target, int samples, long seed) {
    static final double SECONDS_PER_DAY = 86_400;
    /** The most computing ranks of a group in a plan: each checkpoint and each recovery reads all their images. */
    static final int LARGEST_GROUP = 64;
    private static final int LIKELY_GROUP = 4;
    private static final int MAX_TRIES = 40;

    /**
     * Times of a job.
     *
     * @param checkpoint what a checkpoint costs
     * @param recovery   what a recovery costs besides the work done anew
     * @param length     what the job takes without any of this
     */
    record Seconds(double checkpoint, double recovery, double length) {
    }

    /**
     * How a job is protected.
     *
     * @param losses    m
     * @param aware     t-awareness level, 0 for none
     * @param checksums checksum ranks
     * @param groupSize members of the largest group
     */
    record Protection(int losses, int aware, int checksums, int groupSize) {
    }

    /**
     * A way to protect the job.
     *
     * @param formula   P_cf a day by the paper's formula
     * @param placement P_cf a day of the placement that the mapper makes
     * @param ofLength  P_cf of the placement for the length of the job
     * @param reached   whether that is at most the target, two standard errors included
     */
    record Choice(Protection protection, double formula, PlacementRisk.Result placement, double ofLength,
        boolean reached) {
        int losses() {
            return protection.losses;
        }

        int aware() {
            return protection.aware;
        }

        int checksums() {
            return protection.checksums;
        }
    }

    /** Failures of anything, a day. */
    double failuresPerDay() {
        double sum = 0;
        for (int level = 1; level <= machine.topology().levels(); level++) {
            sum += failuresPerDay(level);
        }
        return sum;
    }

    double failuresPerDay(int level) {
        return machine.failures().get(level - 1) == null ? 0
            : machine.failures().get(level - 1).perDay(1, machine.topology().count(level));
    }

    /** Mean time between failures of anything. */
    double mtbfSeconds() {
        return SECONDS_PER_DAY / failuresPerDay();
    }

    /** From the end of a checkpoint to the next one's beginning (Daly). */
    double intervalSeconds() {
        return DalyInterval.seconds(seconds.checkpoint, mtbfSeconds());
    }

    /** Part of the time that goes into checkpoints. */
    double checkpointWaste() {
        return seconds.checkpoint == 0 ? 0 : seconds.checkpoint / (intervalSeconds() + seconds.checkpoint);
    }

    /** Part of the time that is lost by failures: half an interval done anew, and the recovery. */
    double failureWaste() {
        return ((intervalSeconds() + seconds.checkpoint) / 2 + seconds.recovery) / mtbfSeconds();
    }

    double waste() {
        return checkpointWaste() + failureWaste();
    }

    /** What the job takes with checkpoints and failures; infinite where nothing is left for it. */
    double expectedSeconds() {
        return waste() >= 1 ? Double.POSITIVE_INFINITY : seconds.length / (1 - waste());
    }

    double ofLength(double perDay) {
        return -Math.expm1(-perDay * Math.min(expectedSeconds(), Double.MAX_VALUE) / SECONDS_PER_DAY);
    }

    /**
     * For each m and level the fewest checksum ranks that reach the target by the formula, and more where the placement
     * needs more; where none do, what groups of four computing ranks give.
     */
    List<Choice> choices(int leastLosses, int mostLosses, int leastLevel, int mostLevel) {
        List<Choice> choices = new ArrayList<>();
        for (int losses = leastLosses; losses <= mostLosses; losses++) {
            for (int level = leastLevel; level <= mostLevel; level++) {
                choice(losses, level).ifPresent(choices::add);
            }
        }
        return choices;
    }

    private Optional<Choice> choice(int losses, int level) {
        double days = expectedSeconds() / SECONDS_PER_DAY;
        int fewest = CatastropheFormula.fewestChecksums(machine, ranks, losses, level, -Math.log1p(-target) / days);
        int groups = Math.max((ranks - 1) / LARGEST_GROUP + 1,
            fewest < 0 ? (ranks - 1) / LIKELY_GROUP + 1 : fewest / losses);
        Optional<Choice> last = Optional.empty();
        for (int tries = 0; groups <= ranks && tries < MAX_TRIES; tries++) {
            // The mapper may need smaller groups than the formula, where nodes have few slots.
            Optional<Placement> placement = placement(losses, level, groups * losses);
            if (placement.isPresent()) {
                PlacementRisk.Result risk = PlacementRisk.of(placement.get(), machine.failures(), samples, seed);
                CatastropheFormula.Result formula = CatastropheFormula.of(machine, ranks, groups * losses, losses,
                    level);
                boolean reached = ofLength(risk.perDay() + 2 * risk.standardError()) <= target;
                last = Optional.of(new Choice(new Protection(losses, level, groups * losses, formula.groupSize()),
                    formula.perDay(), risk, ofLength(risk.perDay()), reached));
                if (reached || fewest < 0) {
                    return last;
                }
            }
            groups = Math.max(groups + 1, groups + groups / 16);
        }
        return last;
    }

    private Optional<Placement> placement(int losses, int level, int checksums) {
        try {
            return Optional.of(GroupMapper.map(machine.topology(), ranks, checksums, losses, level));
        } catch (NoPlacementException e) {
            return Optional.empty();
        }
    }

    /**
     * The fewest checksum ranks, then the smaller m, then the lower level; where nothing reaches the target, the least
     * probability.
     */
    static Optional<Choice> best(List<Choice> choices) {
        boolean any = choices.stream().anyMatch(Choice::reached);
        Comparator<Choice> order = Comparator.comparingInt(Choice::checksums);
        if (!any) {
            order = Comparator.comparingDouble(Choice::ofLength);
        }
        return choices.stream().filter(choice -> choice.reached || !any)
            .min(order.thenComparingInt(Choice::losses).thenComparingInt(Choice::aware));
    }

    String levelName(int level) {
        Topology topology = machine.topology();
        return level == 0 ? "none" : topology.levelName(level);
    }
}
