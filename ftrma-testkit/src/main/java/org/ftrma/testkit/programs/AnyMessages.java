package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.Channel;
import org.ftrma.MessageRequest;

/**
 * Questions, each of which is answered, and messages whose tags nobody knows: received of any source in whatever way
 * {@link AnyReceiver} chooses, so that each message depends on all outcomes before.
 */
final class AnyMessages implements MessagePart {
    private static final long QUESTIONS = 21;
    private static final long ANY_TAGS = 22;
    private static final long WAYS = 23;
    private static final int ANSWER = 1 << 20;
    private static final int QUESTION = ANSWER + 1;
    private static final int MOST_TAGS = 5;
    private final MessageState state;
    private final List<MessageRequest> sends = new ArrayList<>();

    AnyMessages(MessageState state) {
        this.state = state;
    }

    @Override
    public void initialize() {
        anyTags(0);
    }

    @Override
    public void step(long step) {
        if (state.plan(QUESTIONS, step).chance(750)) {
            questions(step);
        }
        if (state.plan(ANY_TAGS, step).chance(600)) {
            anyTags(step);
        }
        SimRandom own = state.ownPlan(QUESTIONS, step);
        if (own.chance(300)) {
            state.learn(state.job.nondeterministic(() -> mix(step, state.job.incarnation())));
        }
    }

    /** How many messages each rank sends to each other one: by sender and target. */
    private int[][] counts(SimRandom plan) {
        int[][] counts = new int[state.ranks][state.ranks];
        for (int from = 0; from < state.ranks; from++) {
            for (int to = 0; to < state.ranks; to++) {
                counts[from][to] = plan.chance(from == to ? 150 : 600) ? 1 + plan.below(2) : 0;
            }
        }
        return counts;
    }

    private int toBeReceived(int[][] counts) {
        int sum = 0;
        for (int[] from : counts) {
            sum += from[state.rank];
        }
        return sum;
    }

    private void questions(long step) {
        SimRandom plan = state.plan(QUESTIONS + 100, step);
        int[][] counts = counts(plan);
        SimRandom own = state.ownPlan(WAYS, step);
        AnyReceiver receiver = new AnyReceiver(state, MessageChannels.WORLD, own);
        int answers = 0;
        sends.clear();
        for (int i = 0; i < state.ranks; i++) {
            int target = (state.rank + i) % state.ranks;
            for (int j = 0; j < counts[state.rank][target]; j++) {
                receiver.peek();
                send(state.world, target, target, QUESTION + (int) step, own.chance(200));
                answers++;
            }
        }
        receiver.take(toBeReceived(counts), QUESTION + (int) step,
            source -> send(state.world, source, source, ANSWER, false));
        receiver.take(answers, ANSWER, source -> { });
        state.waitAll(sends);
    }

    /** A rank may take messages of a later step for those of this one: there are as many in the end. */
    private void anyTags(long step) {
        SimRandom plan = state.plan(ANY_TAGS + 100, step);
        if (step == 0 && plan.chance(500)) {
            return;
        }
        int[][] counts = counts(plan);
        SimRandom own = state.ownPlan(WAYS + 100, step);
        Channel channel = state.channels.of(MessageChannels.ANY_TAG);
        sends.clear();
        for (int target = 0; target < state.ranks; target++) {
            for (int j = 0; j < counts[state.rank][target]; j++) {
                send(channel, target, state.channels.number(MessageChannels.ANY_TAG, target), own.below(MOST_TAGS),
                    false);
            }
        }
        new AnyReceiver(state, MessageChannels.ANY_TAG, own).take(toBeReceived(counts), Channel.ANY_TAG,
            source -> { });
        state.waitAll(sends);
    }

    private void send(Channel channel, int target, int number, int tag, boolean isSynchronous) {
        MemorySegment data = state.message(target, state.ownSize(tag));
        sends.add(isSynchronous ? channel.issend(data, number, tag) : channel.isend(data, number, tag));
    }
}
