package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.ftrma.Channel;
import org.ftrma.Message;
import org.ftrma.MessageRequest;

/**
 * Receives messages of any source in all ways that there are, and folds into the history what came first, how often a
 * test or probe told of nothing, and whether a receive could be taken back. Of one step.
 */
final class AnyReceiver {
    private static final int ALONE = 6;
    private static final int WAYS = 10;
    private static final int NEVER = Integer.MAX_VALUE;
    private static final int MOST_OPEN = 3;
    private final MessageState state;
    private final int number;
    private final Channel channel;
    private final SimRandom own;

    AnyReceiver(MessageState state, int number, SimRandom own) {
        this.state = state;
        this.number = number;
        this.own = own;
        channel = state.channels.of(number);
    }

    /** Sometimes looks for whatever there is. */
    void peek() {
        for (int times = own.chance(300) ? 1 + own.below(3) : 0; times > 0; times--) {
            Message found = channel.iprobe(Channel.ANY_SOURCE, Channel.ANY_TAG);
            state.learn(found == null ? -1 : mix(found.source(), found.tag(), found.bytes()));
        }
    }

    /** Receives so many messages with a tag, or any; tells of each who has sent it, as a rank of the job. */
    void take(int count, int tag, IntConsumer then) {
        for (int left = count; left > 0;) {
            int way = own.below(WAYS);
            if (way < ALONE || left == 1) {
                one(way % ALONE, tag, then);
                left--;
            } else {
                int open = Math.min(left, 2 + own.below(MOST_OPEN - 1));
                several(way, open, tag, then);
                left -= open;
            }
            peek();
        }
    }

    private MemorySegment room() {
        return state.room(MessageState.LONGEST);
    }

    private void note(Message message, MemorySegment room, IntConsumer then) {
        int source = state.channels.member(number, message.source());
        state.learn(message.tag());
        state.received(source, room.asSlice(0, message.bytes()));
        then.accept(source);
    }

    private void one(int way, int tag, IntConsumer then) {
        MemorySegment room = room();
        switch (way) {
            case 0 -> note(channel.recv(room, Channel.ANY_SOURCE, tag), room, then);
            case 1 -> {
                Message found = channel.probe(Channel.ANY_SOURCE, tag);
                note(channel.recv(room, found.source(), found.tag()), room, then);
            }
            case 2 -> {
                Message found = channel.iprobe(Channel.ANY_SOURCE, tag);
                for (int i = 0; found == null; i++) {
                    state.learn(i);
                    found = channel.iprobe(Channel.ANY_SOURCE, tag);
                }
                note(channel.recv(room, found.source(), found.tag()), room, then);
            }
            case 3 -> {
                MessageRequest receive = channel.irecv(room, Channel.ANY_SOURCE, tag);
                for (int i = 0; !receive.test(); i++) {
                    state.learn(-i);
                }
                note(receive.message(), room, then);
            }
            case 4 -> {
                MessageRequest never = state.world.irecv(state.room(8), Channel.ANY_SOURCE, NEVER);
                MessageRequest receive = channel.irecv(room, Channel.ANY_SOURCE, tag);
                MessageRequest[] both = {never, receive};
                if (channel.waitAny(both) != 1) {
                    throw new IllegalStateException("a receive of what nobody sends was complete");
                }
                note(receive.message(), room, then);
                if (!never.cancel() || !never.test()) {
                    throw new IllegalStateException("a receive of what nobody sends could not be taken back");
                }
            }
            default -> takenBack(room, tag, then);
        }
    }

    private void takenBack(MemorySegment room, int tag, IntConsumer then) {
        MessageRequest receive = channel.irecv(room, Channel.ANY_SOURCE, tag);
        for (int i = own.below(3); i > 0; i--) {
            state.job.progress();
        }
        boolean isBack = receive.cancel();
        state.learn(isBack ? 1 : 2);
        Message message = receive.await();
        if (isBack != (message == null)) {
            throw new IllegalStateException("a receive that was taken back has a message, or another one has none");
        }
        note(isBack ? channel.recv(room, Channel.ANY_SOURCE, tag) : message, room, then);
    }

    private void several(int way, int count, int tag, IntConsumer then) {
        MemorySegment[] rooms = new MemorySegment[count];
        MessageRequest[] open = new MessageRequest[count];
        for (int i = 0; i < count; i++) {
            rooms[i] = room();
            open[i] = channel.irecv(rooms[i], Channel.ANY_SOURCE, tag);
        }
        MessageRequest[] all = open.clone();
        switch (way - ALONE) {
            case 0 -> {
                for (int i = 0; i < count; i++) {
                    int which = channel.waitAny(open);
                    state.learn(which);
                    note(all[which].message(), rooms[which], then);
                }
            }
            case 1 -> {
                for (int left = count; left > 0;) {
                    int which = channel.testAny(open);
                    state.learn(which);
                    if (which >= 0) {
                        note(all[which].message(), rooms[which], then);
                        left--;
                    }
                }
            }
            case 2 -> {
                while (!channel.testAll(open)) {
                    state.learn(3);
                }
                if (!Arrays.stream(open).allMatch(request -> request == null)) {
                    throw new IllegalStateException("testAll leaves requests that are complete");
                }
                int[] sources = Arrays.stream(all).mapToInt(request -> request.message().source()).toArray();
                noteAll(sources, Arrays.stream(all).mapToLong(request -> request.message().bytes()).toArray(), rooms,
                    then);
            }
            default -> {
                int[] sources = new int[count];
                long[] bytes = new long[count];
                for (int i = count - 1; i >= 0; i--) {
                    Message message = open[i].await();
                    sources[i] = message.source();
                    bytes[i] = message.bytes();
                }
                noteAll(sources, bytes, rooms, then);
            }
        }
    }

    private void noteAll(int[] sources, long[] bytes, MemorySegment[] rooms, IntConsumer then) {
        for (int i = 0; i < sources.length; i++) {
            int source = state.channels.member(number, sources[i]);
            state.received(source, rooms[i].asSlice(0, bytes[i]));
            then.accept(source);
        }
    }
}
