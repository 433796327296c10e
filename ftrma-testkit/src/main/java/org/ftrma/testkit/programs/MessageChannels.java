package org.ftrma.testkit.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.ftrma.Channel;
import org.ftrma.Job;

/**
 * The channels of a random message program: all ranks in their order; all in another order; those messages alone whose
 * tags nobody asks for; and some of the ranks. Each rank knows who is in which one.
 */
final class MessageChannels {
    /** All ranks, in their order. */
    static final int WORLD = 0;
    /** All ranks, in another order. */
    static final int TURNED = 1;
    /** All ranks, for receives of any tag. */
    static final int ANY_TAG = 2;
    private static final int PARTS = 2;
    private static final int PARTS_OF_PARTS = 2;

    private final List<Channel> channels = new ArrayList<>();
    private final List<int[]> members = new ArrayList<>();

    /** Collective. All ranks have the same random numbers. */
    MessageChannels(Job job, Channel world, SimRandom random) {
        int ranks = job.ranks();
        channels.add(world);
        members.add(IntStream.range(0, ranks).toArray());
        int[] one = new int[ranks];
        for (int i = 0; i < 2; i++) {
            split(job, world, one, keys(ranks, random));
        }
        for (int i = 0; i < PARTS; i++) {
            int[] colors = new int[ranks];
            Arrays.setAll(colors, rank -> random.chance(150) ? -1 : random.below(2));
            split(job, world, colors, keys(ranks, random));
        }
        for (int i = 0; i < PARTS_OF_PARTS; i++) {
            int[] colors = new int[ranks];
            Arrays.setAll(colors, rank -> random.chance(150) ? -1 : random.below(2));
            split(job, channels.size() - 1 - random.below(PARTS), colors, keys(ranks, random));
        }
    }

    private static int[] keys(int ranks, SimRandom random) {
        int[] keys = new int[ranks];
        Arrays.setAll(keys, rank -> random.below(3) - 1);
        return keys;
    }

    private void split(Job job, Channel world, int[] colors, int[] keys) {
        channels.add(world.split(colors[job.rank()], keys[job.rank()]));
        members.add(IntStream.range(0, colors.length).filter(rank -> colors[rank] == colors[job.rank()]).boxed()
            .sorted(Comparator.<Integer>comparingInt(rank -> keys[rank]).thenComparingInt(rank -> rank))
            .mapToInt(Integer::intValue).toArray());
    }

    /** Ranks that are in no channel of that number, or in another one, take no part. */
    private void split(Job job, int number, int[] colors, int[] keys) {
        Channel parent = channels.get(number);
        Channel part = parent == null ? null : parent.split(colors[job.rank()], keys[job.rank()]);
        int[] all = members.get(number);
        channels.add(part);
        members.add(parent == null ? new int[0] : IntStream.range(0, all.length)
            .filter(i -> colors[all[i]] == colors[job.rank()]).boxed()
            .sorted(Comparator.<Integer>comparingInt(i -> keys[all[i]]).thenComparingInt(i -> i))
            .mapToInt(i -> all[i]).toArray());
    }

    int count() {
        return channels.size();
    }

    /** The channel of that number, or null where this rank is in none. */
    Channel of(int channel) {
        return channels.get(channel);
    }

    /** The rank in the job of a rank in the own channel of that number. */
    int member(int channel, int number) {
        return members.get(channel)[number];
    }

    /** The rank in a channel of a rank in the job. */
    int number(int channel, int member) {
        int[] all = members.get(channel);
        return IntStream.range(0, all.length).filter(i -> all[i] == member).findFirst().orElseThrow();
    }
}
