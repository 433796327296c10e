package org.ftrma.messaging.match;

import java.util.Arrays;

/** The ranks of one channel, and the number of its context. Immutable; any thread. */
public final class ChannelMembers {
    /** By number in the channel: the number in the job. */
    private final int[] members;
    /** By number in the job: that in the channel, -1: not in it. */
    private final int[] numbers;
    private final int rank;
    private final int context;

    /**
     * The ranks of a channel, in its order.
     *
     * @param context the number of its messages' context; the one after it is for its collectives
     * @param member this rank
     * @param ranks ranks of the job
     */
    public ChannelMembers(int[] members, int context, int member, int ranks) {
        this.members = members.clone();
        this.context = context;
        this.numbers = new int[ranks];
        Arrays.fill(numbers, -1);
        for (int i = 0; i < members.length; i++) {
            numbers[members[i]] = i;
        }
        this.rank = numbers[member];
    }

    /** The number of this rank in the channel. */
    public int rank() {
        return rank;
    }

    /** How many ranks the channel has. */
    public int size() {
        return members.length;
    }

    /** The context of its messages. */
    public int context() {
        return context;
    }

    /** The context of its collectives' messages. */
    public int collectiveContext() {
        return context + 1;
    }

    /** The number in the job of a rank of the channel. */
    public int member(int number) {
        return members[number];
    }

    /** The number in the channel of a rank of the job. */
    public int numberOf(int member) {
        return numbers[member];
    }

    /** The numbers in the job, in the order of the channel. */
    public int[] toArray() {
        return members.clone();
    }

    /** The least number in the job: channels of one context have no rank in common. */
    public int least() {
        return Arrays.stream(members).min().orElse(0);
    }
}
