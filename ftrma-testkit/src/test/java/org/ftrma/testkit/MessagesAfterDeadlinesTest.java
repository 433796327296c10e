package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.Channel;
import org.ftrma.Comparison;
import org.ftrma.DeadlineException;
import org.ftrma.Job;
import org.ftrma.Message;
import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that catches a deadline goes on: nothing is left of a call that ended so, and no message is missing. */
@Tag("long")
class MessagesAfterDeadlinesTest {
    private static final int LONG_BYTES = 6 << 20;
    private static final List<Map<String, String>> PROTOCOLS = List.of(Map.of("protocol", "none", "checksums", "0"),
        Map.of("protocol", "none", "checksums", "0", "path", "network"),
        Map.of("protocol", "coordinated", "interval", "1", "path", "network"),
        Map.of("protocol", "pessimistic-v", "interval", "1"),
        Map.of("protocol", "pessimistic-v", "interval", "1", "path", "network"));

    private interface Body {
        void run(Job job, Channel world, Channel other, Window idle);
    }

    private static SimResult run(Map<String, String> given, int steps, List<Crash> crashes, Body body) {
        Map<String, String> all = new TreeMap<>(Map.of("ranks", "3", "checksums", "1", "spares", "1", "deadline", "2s",
            "outbox", "128KiB", "lane", "4KiB", "eager", "1KiB"));
        all.putAll(given);
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return "after deadlines";
            }

            @Override
            public void run(Job job, Results results) {
                Window idle = job.allocateWindow("idle", 64);
                Channel world = job.messages();
                Channel other = world.split(0, 0);
                for (long step : job.steps(steps)) {
                    body.run(job, world, other, idle);
                    together(job, other);
                }
            }
        };
        return new SimCluster(JobOptions.of(all), program, 1).crashing(crashes).run();
    }

    private static void holds(Body body) {
        holds(PROTOCOLS, body);
    }

    private static void holds(List<Map<String, String>> protocols, Body body) {
        for (Map<String, String> protocol : protocols) {
            SimResult result = run(protocol, 2, List.of(), body);
            assertTrue(result.succeeded(), () -> protocol + ": " + result.story());
        }
    }

    private static MemorySegment bytes(long count, int seed) {
        MemorySegment memory = Arena.ofAuto().allocate(count, 8);
        for (long i = 0; i + 8 <= count; i += 8) {
            memory.set(ValueLayout.JAVA_LONG, i, seed * 31L + i);
        }
        return memory;
    }

    private static byte[] array(MemorySegment memory) {
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    private static DeadlineException ends(Runnable call) {
        return assertThrows(DeadlineException.class, call::run);
    }

    /** So long that waits of the others which began before end. Nothing of messages goes on meanwhile. */
    private static void idle(Window idle, int deadlines) {
        for (int i = 0; i < deadlines; i++) {
            ends(() -> idle.waitUntil(0, Comparison.GE, 1));
        }
    }

    /** All ranks meet, however late some are. */
    private static void together(Job job, Channel channel) {
        int last = channel.size() - 1;
        if (channel.rank() == last) {
            for (int i = 0; i < last; i++) {
                patiently(channel, i, 1000);
            }
            for (int i = 0; i < last; i++) {
                channel.sendLong(1, i, 1001);
            }
        } else {
            channel.sendLong(1, last, 1000);
            patiently(channel, last, 1001);
        }
    }

    private static long patiently(Channel channel, int source, int tag) {
        while (true) {
            try {
                return channel.recvLong(source, tag);
            } catch (DeadlineException e) {
                assertTrue(e.getMessage().contains("a receive of at most 8 bytes from rank " + source), e::getMessage);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void aReceiveIsWithdrawn(int source) {
        holds((job, world, other, idle) -> {
            if (job.rank() == 0) {
                Arena arena = Arena.ofConfined();
                MemorySegment closed = arena.allocate(8);
                MemorySegment open = bytes(8, 0);
                ends(() -> world.recv(closed, source, 1));
                ends(() -> world.recv(open, source, 1));
                ends(() -> world.sendrecv(bytes(8, 3), 2, 9, closed, source, 1));
                arena.close();
                world.sendLong(1, 1, 2);
                assertEquals(4711, patiently(world, 1, 1));
                assertEquals(4712, patiently(world, 1, 1));
                assertArrayEquals(array(bytes(8, 0)), array(open));
            } else if (job.rank() == 1) {
                patiently(world, 0, 2);
                world.sendLong(4711, 0, 1);
                world.sendLong(4712, 0, 1);
            } else {
                recvPatiently(world, bytes(8, 1), 0, 8, 0, 9);
            }
        });
    }

    /** The sender stands still when a part of its message was read; another message of it comes behind. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void aReceiveThatHasBegunIsWithdrawn(int source) {
        holds(PROTOCOLS.subList(0, 4), (job, world, other, idle) -> {
            if (job.rank() == 0) {
                MemorySegment first = bytes(LONG_BYTES, 0);
                ends(() -> world.recv(first, source, 1));
                byte[] known = array(first);
                other.sendLong(1, 1, 2);
                Message found = probePatiently(world, source, Channel.ANY_TAG);
                assertEquals(LONG_BYTES, found.bytes());
                MemorySegment second = bytes(LONG_BYTES, 0);
                recvPatiently(world, second, 0, LONG_BYTES, source, Channel.ANY_TAG);
                assertArrayEquals(array(bytes(LONG_BYTES, 1)), array(second));
                assertEquals(77, patiently(world, 1, 1));
                assertArrayEquals(known, array(first), "nothing comes into a destination that was given back");
            } else if (job.rank() == 1) {
                MessageRequest send = world.isend(bytes(LONG_BYTES, 1), 0, 1);
                MessageRequest next = world.isend(bytes(8, 0), 0, 3);
                idle(idle, 2);
                patiently(other, 0, 2);
                awaitPatiently(world, send, next);
                world.sendLong(77, 0, 1);
            }
            if (job.rank() == 0) {
                assertEquals(0, patiently(world, 1, 3));
            }
        });
    }

    private static Message probePatiently(Channel channel, int source, int tag) {
        while (true) {
            try {
                return channel.probe(source, tag);
            } catch (DeadlineException e) {
                assertTrue(e.getMessage().contains("probe"), e::getMessage);
            }
        }
    }

    private static void recvPatiently(Channel channel, MemorySegment to, long offset, long length, int source,
        int tag) {
        while (true) {
            try {
                channel.recv(to, offset, length, source, tag);
                return;
            } catch (DeadlineException e) {
                assertTrue(e.getMessage().contains("a receive of at most " + length), e::getMessage);
            }
        }
    }

    private static void awaitPatiently(Channel channel, MessageRequest... requests) {
        while (true) {
            try {
                channel.waitAll(requests);
                return;
            } catch (DeadlineException e) {
                assertTrue(e.getMessage().contains("a send of "), e::getMessage);
            }
        }
    }

    /** What does not fit is lost with the call that it does not fit, as with any: the next message is there. */
    @Test
    void aReceiveThatIsTooShortEndsWithThatAndTakesItsMessage() {
        holds((job, world, other, idle) -> {
            if (job.rank() == 0) {
                MemorySegment first = bytes(100_000, 0);
                MisuseException e = assertThrows(MisuseException.class, () -> world.recv(first, 1, 1));
                assertTrue(e.getMessage().contains("does not fit"), e::getMessage);
                other.sendLong(1, 1, 2);
                assertEquals(77, patiently(world, 1, 1));
            } else if (job.rank() == 1) {
                MessageRequest send = world.isend(bytes(LONG_BYTES, 1), 0, 1);
                idle(idle, 2);
                patiently(other, 0, 2);
                awaitPatiently(world, send);
                world.sendLong(77, 0, 1);
            }
        });
    }

    /** Its receiver does not look: the message counts as sent, whole, and what comes after it is behind it. */
    @ParameterizedTest
    @ValueSource(ints = {LONG_BYTES, 1000})
    void aSendThatEndsCountsAsSent(int length) {
        int count = length == LONG_BYTES ? 1 : 8;
        holds((job, world, other, idle) -> {
            if (job.rank() == 0) {
                int ended = 0;
                for (int i = 0; i < count; i++) {
                    MemorySegment source = bytes(length, i);
                    try {
                        world.send(source, 1, 1);
                    } catch (DeadlineException e) {
                        ended++;
                        assertTrue(e.getMessage().contains("counts as sent"), e::getMessage);
                    }
                    source.fill((byte) -1);
                }
                try {
                    world.sendLong(5, 1, 1);
                } catch (DeadlineException e) {
                    ended++;
                }
                other.sendLong(ended, 2, 5);
                job.report("ended", ended);
            } else if (job.rank() == 1) {
                idle(idle, 12);
                MemorySegment got = bytes(length, 99);
                for (int i = 0; i < count; i++) {
                    recvPatiently(world, got, 0, length, 0, 1);
                    assertArrayEquals(array(bytes(length, i)), array(got), "message " + i);
                }
                assertEquals(5, patiently(world, 0, 1));
            } else {
                patiently(other, 0, 5);
            }
        });
    }

    @Test
    void requestsStayOpenAndAreAwaitedAgain() {
        holds((job, world, other, idle) -> {
            if (job.rank() == 0) {
                MemorySegment cells = bytes(32, 0);
                MessageRequest first = world.irecv(cells, 0, 8, 1, 1);
                MessageRequest second = world.irecv(cells, 8, 8, 1, 2);
                MessageRequest third = world.irecv(cells, 16, 8, 1, 3);
                MessageRequest[] all = {first, second, third};
                ends(first::await);
                ends(() -> world.waitAll(all));
                ends(() -> world.waitAny(all));
                ends(() -> world.waitSome(new int[3], all));
                ends(() -> world.probe(1, 9));
                world.sendLong(1, 1, 4);
                while (!second.test()) {
                    job.progress();
                }
                ends(() -> world.waitAll(first, third));
                assertFalse(first.test());
                assertTrue(third.cancel());
                assertNull(third.await());
                world.sendLong(1, 1, 4);
                assertEquals(8, await(first).bytes());
                assertEquals(11, cells.get(ValueLayout.JAVA_LONG, 0));
                assertEquals(12, cells.get(ValueLayout.JAVA_LONG, 8));
                assertEquals(13, patiently(world, 1, 3));
            } else if (job.rank() == 1) {
                patiently(world, 0, 4);
                world.sendLong(12, 0, 2);
                patiently(world, 0, 4);
                world.sendLong(11, 0, 1);
                world.sendLong(13, 0, 3);
            }
        });
    }

    private static Message await(MessageRequest request) {
        while (true) {
            try {
                return request.await();
            } catch (DeadlineException e) {
                assertTrue(e.getMessage().contains("a receive of"), e::getMessage);
            }
        }
    }

    /** Its channel's collectives are over at the ranks that were told; all else goes on, also where nobody caught. */
    @Test
    void aCollectiveThatEndsLeavesAllElseAsItWas() {
        holds((job, world, other, idle) -> {
            if (job.rank() == 0) {
                String text = "";
                try {
                    world.broadcast(bytes(300_000, 0), 1);
                } catch (DeadlineException | MisuseException e) {
                    text = e.getMessage();
                }
                String first = text;
                assertNotEquals("", first);
                MisuseException e = assertThrows(MisuseException.class, world::barrier);
                assertTrue(e.getMessage().contains("an earlier collective of this channel"), e::getMessage);
                world.sendLong(5, 1, 2);
                world.sendLong(5, 2, 2);
                job.report("again", false);
            } else {
                assertEquals(5, patiently(world, 0, 2));
            }
        });
    }

    /** A replay that got the message, where the first run had gone on without it, would be another one. */
    @Test
    void noReplayHasAnotherOutcome() {
        Body body = (job, world, other, idle) -> {
            if (job.rank() == 0) {
                boolean isThere = true;
                try {
                    world.recvLong(Channel.ANY_SOURCE, 1);
                } catch (DeadlineException e) {
                    isThere = false;
                }
                world.sendLong(isThere ? 1 : 0, 1, 2);
                assertEquals(isThere ? 1 : 0, patiently(world, 1, 3), "what rank 1 was told");
                if (!isThere) {
                    assertEquals(8, patiently(world, 1, 1));
                }
            } else if (job.rank() == 1) {
                long told = patiently(world, 0, 2);
                world.sendLong(8, 0, 1);
                world.sendLong(told, 0, 3);
            }
        };
        Map<String, String> logged = Map.of("protocol", "pessimistic-v", "interval", "1");
        SimResult plain = run(logged, 3, List.of(), body);
        assertTrue(plain.succeeded(), plain::story);
        int ended = 0;
        int alone = 0;
        for (long at = 40; at < plain.steps(); at += 7) {
            for (int member = 0; member < 2; member++) {
                Crash crash = new Crash(true, member, at, Crash.How.AT_STEP);
                SimResult result = run(logged, 3, List.of(crash), body);
                assertTrue(result.succeeded(), () -> crash + ": " + result.story());
                ended += result.outcome().fallbacks().containsKey(FallbackReason.CAUGHT_EXCEPTION.name()) ? 1 : 0;
                alone += result.outcome().localRecoveries();
            }
        }
        assertTrue(ended > 5 && alone > 5, "fell back " + ended + " times, recovered alone " + alone + " times");
    }
}
