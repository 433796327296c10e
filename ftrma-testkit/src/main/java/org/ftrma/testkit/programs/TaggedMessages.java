package org.ftrma.testkit.programs;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.Channel;
import org.ftrma.MessageRequest;

/**
 * Several messages of a pair of ranks at once, which are asked for by their tags in another order, and some a step or
 * two later. All sends are begun before the first receive; some are in the initialization.
 */
final class TaggedMessages implements MessagePart {
    private static final long PART = 12;
    private static final long ORDER = 13;
    private static final int MOST = 4;
    private static final int LATEST = 2;
    private static final int FIRST_TAG = 1 << 16;
    private final MessageState state;
    private final long steps;
    private final List<MessageRequest> sends = new ArrayList<>();

    /** A message of the plan, sent in a step, and received so many later. */
    private static final class Planned {
        final int from;
        final int to;
        final long step;
        int tag;
        int bytes;
        int later;
        boolean isSynchronous;
        boolean isProbed;

        Planned(long step, int from, int to) {
            this.step = step;
            this.from = from;
            this.to = to;
        }
    }

    /** A receive that is open. */
    private record Open(MessageRequest request, MemorySegment room, int source) {
    }

    TaggedMessages(MessageState state, long steps) {
        this.state = state;
        this.steps = steps;
    }

    private List<Planned> planned(long step) {
        SimRandom plan = state.plan(PART, step);
        List<Planned> all = new ArrayList<>();
        boolean isSilent = step == 0 && plan.chance(400);
        for (int from = 0; from < state.ranks && !isSilent; from++) {
            for (int to = 0; to < state.ranks; to++) {
                for (int i = plan.chance(500) ? 0 : 1 + plan.below(MOST); i > 0; i--) {
                    Planned one = new Planned(step, from, to);
                    int later = step == 0 ? 1 + plan.below(LATEST) : plan.chance(700) ? 0 : plan.below(LATEST + 1);
                    one.tag = FIRST_TAG + (int) step * MOST + i - 1;
                    one.bytes = MessageState.size(plan);
                    one.later = (int) Math.min(later, steps - step);
                    one.isSynchronous = plan.chance(150) && later == 0;
                    one.isProbed = plan.chance(250);
                    all.add(one);
                }
            }
        }
        return all;
    }

    @Override
    public void initialize() {
        begin(0);
        state.waitAll(sends);
    }

    @Override
    public void step(long step) {
        begin(step);
        List<Planned> due = new ArrayList<>();
        for (long before = Math.max(0, step - LATEST); before <= step; before++) {
            planned(before).stream().filter(one -> one.to == state.rank && one.step + one.later == step)
                .forEach(due::add);
        }
        SimRandom own = state.ownPlan(ORDER, step);
        List<Open> receives = new ArrayList<>();
        for (Planned one : RandomProgram.shuffled(due, own)) {
            receive(one, own, receives);
        }
        for (Open open : receives) {
            open.request.await();
            state.received(open.source, open.room);
        }
        state.waitAll(sends);
    }

    private void begin(long step) {
        sends.clear();
        Channel world = state.world;
        for (Planned one : planned(step)) {
            if (one.from == state.rank) {
                MemorySegment data = state.message(one.to, one.bytes);
                sends.add(one.isSynchronous ? world.issend(data, one.to, one.tag)
                    : world.isend(data, one.to, one.tag));
            }
        }
    }

    private void receive(Planned one, SimRandom own, List<Open> receives) {
        Channel world = state.world;
        if (one.isProbed && world.probe(one.from, one.tag).bytes() != one.bytes) {
            throw new IllegalStateException("a message of another length");
        }
        MemorySegment room = state.destination(one.bytes, own);
        if (own.chance(500)) {
            receives.add(new Open(world.irecv(room, one.from, one.tag), room, one.from));
        } else {
            world.recv(room, one.from, one.tag);
            state.received(one.from, room);
        }
    }
}
