package org.ftrma.testkit.programs;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.Channel;
import org.ftrma.Message;
import org.ftrma.MessageRequest;

/**
 * Messages between two ranks each, one after the other in an order that all know: so a rank may wait for what it has
 * sent to be received, and no ranks wait for each other. Some sends and receives stay open until the end of the step's
 * part.
 */
final class OrderedMessages implements MessagePart {
    private static final long PART = 11;
    private static final int TAGS = 3;
    private static final int WAYS = 5;
    private static final int EXCHANGE = 4;
    private final MessageState state;

    /** A receive that stays open. */
    private record Open(MessageRequest request, MemorySegment room, int source) {
    }

    /** A message of the plan. */
    private static final class Planned {
        final int from;
        final int to;
        final int channel;
        final int tag;
        final int bytes;
        final int back;
        final int send;
        final int receive;

        Planned(SimRandom plan, int ranks) {
            from = plan.below(ranks);
            to = plan.below(ranks);
            channel = plan.chance(300) ? MessageChannels.TURNED : MessageChannels.WORLD;
            tag = plan.below(TAGS);
            bytes = MessageState.size(plan);
            back = MessageState.size(plan);
            send = plan.below(WAYS);
            receive = plan.below(WAYS - 1);
        }
    }

    OrderedMessages(MessageState state) {
        this.state = state;
    }

    @Override
    public void step(long step) {
        SimRandom plan = state.plan(PART, step);
        SimRandom own = state.ownPlan(PART, step);
        List<MessageRequest> sends = new ArrayList<>();
        List<Open> receives = new ArrayList<>();
        for (int left = 1 + plan.below(2 * state.ranks + 2); left > 0; left--) {
            Planned one = new Planned(plan, state.ranks);
            Channel channel = state.channels.of(one.channel);
            if (one.from == one.to) {
                if (one.from == state.rank) {
                    toItself(channel, one, own);
                }
            } else if (one.from == state.rank) {
                send(channel, one, own, sends);
            } else if (one.to == state.rank) {
                receive(channel, one, own, receives);
            }
        }
        for (Open open : receives) {
            open.request.await();
            state.received(open.source, open.room);
        }
        state.waitAll(sends);
    }

    private void toItself(Channel channel, Planned one, SimRandom own) {
        MemorySegment data = state.message(state.rank, one.bytes);
        int self = channel.rank();
        MessageRequest send = one.send % 2 == 0 ? channel.isend(data, self, one.tag)
            : channel.issend(data, self, one.tag);
        MemorySegment room = state.destination(one.bytes, own);
        channel.recv(room, self, one.tag);
        send.await();
        state.received(state.rank, room);
    }

    private void send(Channel channel, Planned one, SimRandom own, List<MessageRequest> sends) {
        MemorySegment data = state.message(one.to, one.bytes);
        int target = state.channels.number(one.channel, one.to);
        switch (one.send) {
            case 0 -> channel.send(data, target, one.tag);
            case 1 -> channel.ssend(data, target, one.tag);
            case 2 -> channel.isend(data, target, one.tag).await();
            case 3 -> sends.add((one.bytes & 8) == 0 ? channel.isend(data, target, one.tag)
                : channel.issend(data, target, one.tag));
            default -> exchange(channel, one.to, data, one.back, one, own);
        }
    }

    private void receive(Channel channel, Planned one, SimRandom own, List<Open> receives) {
        int source = state.channels.number(one.channel, one.from);
        if (one.send == EXCHANGE) {
            exchange(channel, one.from, state.message(one.from, one.back), one.bytes, one, own);
            return;
        }
        MemorySegment room = state.destination(one.bytes, own);
        switch (one.receive) {
            case 0 -> require(channel.recv(room, source, one.tag), one.bytes);
            case 1 -> {
                require(channel.probe(source, one.tag), one.bytes);
                channel.recv(room, source, one.tag);
            }
            case 2 -> require(channel.irecv(room, source, one.tag).await(), one.bytes);
            default -> {
                receives.add(new Open(channel.irecv(room, source, one.tag), room, one.from));
                return;
            }
        }
        state.received(one.from, room);
    }

    private void exchange(Channel channel, int peer, MemorySegment data, int bytes, Planned one, SimRandom own) {
        int number = state.channels.number(one.channel, peer);
        MemorySegment room = state.destination(bytes, own);
        require(channel.sendrecv(data, number, one.tag, room, number, one.tag), bytes);
        state.received(peer, room);
    }

    private static void require(Message message, long bytes) {
        if (message.bytes() != bytes) {
            throw new IllegalStateException("a message of " + message.bytes() + " bytes, which had " + bytes);
        }
    }
}
