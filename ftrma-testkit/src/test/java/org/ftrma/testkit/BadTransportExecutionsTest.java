package org.ftrma.testkit;

import static org.ftrma.testkit.MessageStories.ASKED;
import static org.ftrma.testkit.MessageStories.BYSTANDER;
import static org.ftrma.testkit.MessageStories.GO;
import static org.ftrma.testkit.MessageStories.LONG;
import static org.ftrma.testkit.MessageStories.TOLD;
import static org.ftrma.testkit.MessageStories.logged;
import static org.ftrma.testkit.MessageStories.noted;
import static org.ftrma.testkit.MessageStories.story;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.ftrma.Channel;
import org.ftrma.Message;
import org.ftrma.MessageRequest;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.MemberState;
import org.ftrma.messaging.transport.SendLogDescriptor;
import org.ftrma.testkit.MessageStories.Role;
import org.ftrma.testkit.MessageStories.Scene;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Executions in which the transport of messages goes wrong unless a rule is kept, as {@link BadMessageExecutionsTest}
 * has those of their logging. Where a rule has no method that a bug could break, mutations.txt has the mutation that
 * the test finds.
 */
@Tag("long")
class BadTransportExecutionsTest {
    private static final Map<String, String> UNLOGGED = Map.of("protocol", "none", "checksums", "0", "lane", "4KiB",
        "eager", "512B", "outbox", "1MiB", "unexpected", "64KiB");
    private static final int SEEDS = 3;
    private static final long PIECE = 64 << 10;
    private static final int SHORT = 200;

    private static Map<Integer, Map<String, byte[]>> isKept(Story story, int losses, String... bugs) {
        return MessageStories.isKept(story, SEEDS, losses, 0, bugs);
    }

    /** A message of which each word tells which one it is. */
    private static MemorySegment message(Scene scene, long bytes, long number) {
        MemorySegment memory = scene.room(Math.max(8, bytes));
        for (long at = 0; at + 8 <= memory.byteSize(); at += 8) {
            memory.set(LONG, at, number << 32 | at);
        }
        return memory.asSlice(0, bytes);
    }

    /** Receives such a message from a rank; returns 1 if it is another one than it should be. */
    private static long receiveWrong(Scene scene, int source, int tag, long bytes, long number) {
        MemorySegment memory = scene.room(bytes);
        return scene.world.recv(memory, source, tag).bytes() == bytes
            && memory.mismatch(message(scene, bytes, number)) < 0 ? 0 : 1;
    }

    /** In the design a tail is published behind a frame; here the first word of the frame is what counts. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "network"})
    void m1AFrameCountsWhenAllOfItIsThere(String path) {
        int messages = 60;
        Story story = story("payload, then first word", logged("path", path), "none", 1, scene -> {
            for (int i = 1; i <= messages; i++) {
                scene.world.send(message(scene, i * 136 % 512, i), 1, ASKED);
            }
        }, scene -> {
            long wrong = 0;
            for (int i = 1; i <= messages; i++) {
                wrong += receiveWrong(scene, 0, ASKED, i * 136 % 512, i);
            }
            scene.note(0, wrong);
        });
        assertEquals(0, noted(isKept(story, 0), 1, 0));
    }

    /**
     * In the design the bit that announces a source comes after the tail, and who waits looks at all lanes; here it is
     * set before the first frame of each lane, and nobody looks elsewhere. Rank 1 is replaced, so that its bits are not
     * set, and rank 0 dies before the call, of those that send its next message.
     */
    @ParameterizedTest
    @ValueSource(strings = {"op", "put", "flush", "putLong"})
    void m2ASourceDiesBetweenItsBitAndItsFrame(String call) {
        isKept(story("bit, then frame", logged("path", "network"), "1", 2, scene -> {
            if (scene.job.step() == 2) {
                scene.awaitCommitted(2);
                scene.script.die(scene.job, 1, 1);
                scene.awaitReplays(1);
                scene.script.hold(2, 0, call, () -> scene.script.kill(0), () -> false);
            }
            scene.world.sendLong(scene.job.step(), 1, ASKED);
        }, scene -> scene.note(8 * scene.job.step(), scene.world.recvLong(0, ASKED)), BYSTANDER), 2);
    }

    /** From a stage on, which makes the next one, nothing is taken out of lanes. */
    private static void lookAwayFrom(Scene scene, int stage, BooleanSupplier end) {
        scene.progressTo(stage);
        scene.script.reach(stage + 1);
        scene.script.idle(scene.job, end);
    }

    /**
     * In the design frames have eras; here a source is cut off, or known to be dead, before its lane is emptied. What
     * rank 0 had sent when it was lost lands among the frames of the process in its place.
     */
    @Test
    void m3AFrameOfALostProcessDoesNotLandAmongThoseOfTheNextOne() {
        isKept(story("old frame, new lane", logged("path", "network"), "none", 1, scene -> {
            scene.world.sendLong(1, 1, ASKED);
            scene.progressTo(1);
            if (scene.job.incarnation() == 0 && scene.script.hasFailures()) {
                scene.script.keepUnderWay(0);
                scene.script.hold(9, 0, "flush", () -> scene.script.kill(0), () -> false);
            } else {
                scene.script.reach(2);
                scene.progressTo(3);
            }
            for (int i = 2; i <= 5; i++) {
                scene.world.sendLong(i, 1, ASKED);
            }
            scene.script.deliver();
            scene.progressToRest();
            scene.script.reach(4);
        }, scene -> {
            scene.note(0, scene.world.recvLong(0, ASKED));
            scene.script.reach(1);
            lookAwayFrom(scene, 2, () -> scene.script.isAt(4));
            for (int i = 1; i < 5; i++) {
                scene.note(8 * i, scene.world.recvLong(0, ASKED));
            }
        }, BYSTANDER), 1, "OLD_INCARNATION_ACCEPTED", "REVOKE_ONE_WAY");
    }

    /** Where memory is mapped nobody is cut off: rank 0 stands still, is taken for lost, and goes on in its frame. */
    @Test
    void m3AProcessThatIsTakenForLostWritesNoFrameInALaneOfTheNextOne() {
        long[] since = new long[1];
        isKept(story("goes on in its frame", scene -> {
            scene.script.hold(1, 0, "op", () -> {
                since[0] = scene.script.nanos();
                scene.script.fence(0, 200_000_000);
            }, () -> scene.script.nanos() > since[0] + 100_000_000);
            if (scene.job.incarnation() > 0 || !scene.script.hasFailures()) {
                scene.script.reach(2);
                scene.progressTo(3);
            }
            scene.world.sendLong(1, 1, ASKED);
            scene.script.idle(scene.job, () -> scene.job.incarnation() > 0 || !scene.script.hasFailures());
            for (int i = 2; i <= 4; i++) {
                scene.world.sendLong(i, 1, ASKED);
            }
        }, scene -> {
            lookAwayFrom(scene, 2, () -> scene.script.nanos() > since[0] + 150_000_000);
            for (int i = 0; i < 4; i++) {
                scene.note(8 * i, scene.world.recvLong(0, ASKED));
            }
        }, BYSTANDER), 1, "REPLACED_ALIVE");
    }

    /** The first frames of a new lane are those that were sent before, whatever is sent when it is opened. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "network"})
    void m3WhatIsSentAgainIsNotOvertaken(String path) {
        isKept(story("again, then new", logged("path", path), "none", 1, scene -> {
            for (int i = 1; i <= 3; i++) {
                scene.world.sendLong(i, 1, ASKED);
            }
            scene.script.die(scene.job, 1, 1);
            scene.script.await(scene.job, scene.window, () -> scene.script.hasReplayed()
                || !scene.script.hasFailures());
            scene.world.sendLong(4, 1, ASKED);
        }, scene -> {
            scene.progressTo(1);
            for (int i = 0; i < 4; i++) {
                scene.note(8 * i, scene.world.recvLong(0, ASKED));
            }
        }, BYSTANDER), 1);
    }

    /**
     * What has come of tag A fills the memory for it up to the last message, the lane is full, too, and B is what comes
     * next.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void m4TagBIsReceivedWhileTagAFillsTheLane(boolean isLogged) {
        int before = 113;
        int after = 20;
        Story story = story("B behind A", isLogged ? logged("unexpected", "64KiB") : UNLOGGED, "none", 1, scene -> {
            for (int i = 1; i <= before + after; i++) {
                scene.world.send(message(scene, 512, i), 1, ASKED);
                if (i == before) {
                    scene.world.send(message(scene, 512, 999), 1, GO);
                }
            }
        }, scene -> {
            long wrong = receiveWrong(scene, 0, GO, 512, 999);
            if (isLogged) {
                scene.script.die(scene.job, 1, 1);
            }
            for (int i = 1; i <= before + after; i++) {
                wrong += receiveWrong(scene, 0, ASKED, 512, i);
            }
            scene.note(0, wrong);
        });
        assertEquals(0, noted(isKept(story, isLogged ? 1 : 0), 1, 0));
    }

    /** Sends some times what a lane has room for, and as much as the memory for long messages; receives the same. */
    private static Role exchange(int rounds, int pieces, int other, boolean isLossy) {
        return scene -> {
            long wrong = 0;
            for (int round = 0; round < rounds; round++) {
                List<MessageRequest> sends = new ArrayList<>();
                for (int i = 0; i < SHORT; i++) {
                    sends.add(scene.world.isend(message(scene, 8, i), other, GO));
                }
                sends.add(scene.world.isend(message(scene, pieces * PIECE, round), other, ASKED));
                sends.add(scene.world.isend(message(scene, pieces * PIECE, 100 + round), other, ASKED));
                sends.forEach(MessageRequest::await);
                if (isLossy && round == 0 && other == 1) {
                    scene.script.die(scene.job, 1, 1);
                }
                wrong += receiveWrong(scene, other, ASKED, pieces * PIECE, round);
                wrong += receiveWrong(scene, other, ASKED, pieces * PIECE, 100 + round);
                for (int i = 0; i < SHORT; i++) {
                    wrong += receiveWrong(scene, other, GO, 8, i);
                }
            }
            scene.note(0, wrong);
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void m5BothSendLongMessagesBeforeTheyReceive(boolean isLogged) {
        Map<String, String> options = isLogged ? logged("message-log", "1MiB") : UNLOGGED;
        Map<Integer, Map<String, byte[]>> contents = isKept(story("both send first", options, "none", 1,
            exchange(2, 6, 1, isLogged), exchange(2, 6, 0, isLogged)), isLogged ? 1 : 0);
        assertEquals(0, noted(contents, 0, 0) + noted(contents, 1, 0));
    }

    /** Where more is sent than there is room for, the end of the wait names the pair and the options. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void m5WhereAllMemoryIsUsedUpTheDeadlineSaysSo(boolean isLogged) {
        SimResult result = story("too much", isLogged ? logged("message-log", "1MiB") : UNLOGGED, "none", 1,
            exchange(1, 10, 1, false), exchange(1, 10, 0, false)).run(1, false, Set.of());
        assertEquals(1, result.outcome().kind().exitCode(), result::story);
        for (String part : new String[] {"DeadlineException", "room for a message", "of rank ",
            isLogged ? "--message-log" : "--outbox", "--unexpected"}) {
            assertTrue(result.outcome().message().contains(part), () -> part + ": " + result.outcome().message());
        }
        assertTrue(result.story().contains("has waited long for room for a message"), result::story);
    }

    /**
     * One receive takes any source, one any tag, in this order. Both match the first of the messages of rank 1; that of
     * rank 2 comes before or after these. Where it comes before them it is behind them in the replay, so that it takes
     * the event to tell what came first.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void m6ReceivesOfAnySourceAndOfAnyTagCompete(int first) {
        Story story = story("two receives, first from " + first, scene -> {
            scene.letAllCome();
            MessageRequest source = scene.world.irecv(scene.room(8), Channel.ANY_SOURCE, ASKED);
            MessageRequest tag = scene.world.irecv(scene.room(8), 1, Channel.ANY_TAG);
            scene.script.reach(1);
            scene.note(0, source.await().source());
            scene.note(8, tag.await().tag());
            scene.world.sendLong(scene.noted(0), 3, TOLD);
            scene.progressTo(4);
            Message left = scene.world.recv(scene.room(8), Channel.ANY_SOURCE, Channel.ANY_TAG);
            scene.note(16, left.source());
            scene.note(24, left.tag());
        }, scene -> {
            scene.progressTo(first == 1 ? 1 : 2);
            scene.world.sendLong(11, 0, ASKED);
            scene.world.sendLong(12, 0, GO);
            scene.progressToRest();
            scene.script.reach(2);
        }, scene -> {
            scene.progressTo(first == 2 ? 1 : 2);
            scene.world.sendLong(22, 0, ASKED);
            scene.progressToRest();
            scene.script.reach(2);
        }, scene -> {
            scene.note(0, scene.world.recvLong(0, TOLD));
            scene.settleAndKill(4, 0);
        });
        Map<Integer, Map<String, byte[]>> contents = isKept(story, 1, first == 1 ? new String[0]
            : new String[] {"MATCH_NOT_LOGGED"});
        assertEquals(first, noted(contents, 0, 0), "what came first is for the receive that was posted first");
        assertEquals(first == 1 ? GO : ASKED, noted(contents, 0, 8), "the other receive");
        assertEquals(first == 1 ? 2 : 1, noted(contents, 0, 16), "what is left");
    }

    /**
     * In the design a log is trimmed to what images cover; here a full one drops what was received, too. The log of
     * rank 0 is full, and it wants room for rank 2, while rank 1 is in the middle of its pull.
     */
    @Test
    void m7WhatAReceiverPullsStaysInTheLog() {
        Story story = story("pulled, not received", logged("path", "network", "message-log", "1MiB"), "none", 1,
            scene -> {
                scene.script.hold(1, 1, "get", () -> scene.script.reach(1), () -> scene.script.isAt(2));
                scene.world.send(message(scene, 12 * PIECE, 1), 1, ASKED);
                scene.script.progress(scene.job, () -> scene.script.isAt(1) || !scene.script.hasFailures());
                MessageRequest next = scene.world.isend(message(scene, 9 * PIECE, 2), 2, ASKED);
                scene.progressToRest();
                scene.script.reach(2);
                next.await();
            }, scene -> scene.note(0, receiveWrong(scene, 0, ASKED, 12 * PIECE, 1)),
            scene -> scene.note(0, receiveWrong(scene, 0, ASKED, 9 * PIECE, 2)));
        Map<Integer, Map<String, byte[]>> contents = isKept(story, 0);
        assertEquals(0, noted(contents, 1, 0) + noted(contents, 2, 0));
    }

    /**
     * The image of rank 1 has a message, and no parity has the image when rank 1 is lost: the checksum rank is held
     * before it says so. Its log runs low, so that rank 0 drops what is covered.
     */
    @Test
    void m7WhatOnlyACopiedImageHasStaysInTheLog() {
        isKept(story("copied, not committed", logged("message-log", "1MiB"), "2", 4, scene -> {
            if (scene.job.step() == 2) {
                scene.script.hold(1, 3, "control send", () -> { },
                    () -> scene.script.count(JobEvent.MemberLost.class, e -> true) > 0);
                scene.world.send(message(scene, 12 * PIECE, 1), 1, ASKED);
            } else if (scene.job.step() == 3) {
                scene.progressTo(2);
            } else if (scene.job.step() == 4) {
                scene.script.die(scene.job, 3, 1);
            }
        }, scene -> {
            if (scene.job.step() == 2) {
                scene.note(0, receiveWrong(scene, 0, ASKED, 12 * PIECE, 1));
            } else if (scene.job.step() == 3) {
                scene.progressToRest();
                scene.script.reach(2);
                scene.progressTo(3);
            }
        }, BYSTANDER), 1, "RELEASE_AT_COPY");
    }

    /**
     * Rank 1 has received the second message of rank 0, which was synchronous, and not the first one. Rank 0 comes back
     * and sends both again. When rank 1 says that it has them rank 0 drops them, and has something else in this memory;
     * so the answer to the second one must be there before.
     */
    @Test
    void m7WhatComesAgainIsAnsweredBeforeItsMemoryIsAnotherOnes() {
        long length = 15 * SendLogDescriptor.PIECE + 1000;
        Map<String, String> options = logged("path", "network", "message-log", "1MiB");
        Story story = story("answered, then dropped", options, "1", 2, scene -> {
            if (scene.job.step() == 1) {
                scene.world.sendLong(1, 1, ASKED);
                scene.world.ssend(scene.room(8), 1, GO);
                return;
            }
            scene.awaitCommitted(2);
            scene.script.die(scene.job, 1, 0);
            scene.script.idle(scene.job, () -> scene.script.isAt(2));
            MessageRequest next = scene.world.isend(message(scene, length, 2), 2, ASKED);
            scene.script.progress(scene.job, () -> scene.script.isAt(3) || !scene.script.hasFailures());
            scene.progressToRest();
            scene.script.reach(4);
            next.await();
        }, scene -> {
            if (scene.job.step() == 1) {
                scene.world.recv(scene.room(8), 0, GO);
                return;
            }
            scene.script.progress(scene.job, () -> !scene.script.hasFailures()
                || scene.script.count(JobEvent.MemberChanged.class, e -> e.to() == MemberState.REPLAYING) > 0);
            MessageRequest first = scene.world.irecv(scene.room(8), 0, ASKED);
            scene.script.hold(9, 1, "putLong", () -> scene.script.reach(3), () -> scene.script.isAt(4));
            scene.script.reach(2);
            first.await();
            scene.progressToRest();
            scene.script.reach(5);
        }, scene -> {
            if (scene.job.step() == 2) {
                scene.progressTo(5);
                scene.note(0, receiveWrong(scene, 0, ASKED, length, 2));
            }
        });
        assertEquals(0, noted(isKept(story, 1), 2, 0));
    }

    /** Some ranks call a broadcast in the first step, the others in the second one; another one follows. */
    private static Role broadcastsFrom(int step, int victim, boolean isLogged) {
        return scene -> {
            MemorySegment data = message(scene, 100_000, scene.job.rank() == 0 ? 7 : 0);
            MemorySegment more = message(scene, 8, scene.job.rank() == 0 ? 8 : 0);
            if (scene.job.step() == step) {
                scene.world.broadcast(data, 0);
            }
            if (scene.job.step() == 2) {
                if (scene.job.rank() == 3) {
                    scene.awaitCommitted(isLogged ? 2 : 1);
                    scene.script.die(scene.job, 1, victim);
                }
                scene.world.broadcast(more, 0);
                scene.note(8, more.mismatch(message(scene, 8, 8)));
            }
            scene.note(0, scene.job.step() == step ? data.mismatch(message(scene, 100_000, 7)) : scene.noted(0));
        };
    }

    /**
     * Broadcasts end before a boundary at each rank that calls them; so what a cut finds half way is one that some
     * ranks call before it, and others after it. Where all go back, and where one rank does, which has passed it on or
     * has yet to.
     */
    @ParameterizedTest
    @ValueSource(strings = {"coordinated 2", "pessimistic-v 1", "pessimistic-v 2"})
    void m8ACutFindsABroadcastHalfWayDownItsTree(String how) {
        boolean isLogged = how.startsWith("p");
        int victim = how.charAt(how.length() - 1) - '0';
        Role early = broadcastsFrom(1, victim, isLogged);
        Role late = broadcastsFrom(2, victim, isLogged);
        Map<String, String> options = isLogged ? logged() : Map.of("protocol", "coordinated", "lane", "4KiB", "eager",
            "512B", "outbox", "1MiB", "unexpected", "64KiB");
        Story story = story("half way", options, "1", 2, early, early, late, early, late, late);
        Map<Integer, Map<String, byte[]>> contents = MessageStories.isKept(story, SEEDS, isLogged ? 1 : 0,
            isLogged ? 0 : 1);
        for (int rank = 0; rank < 6; rank++) {
            assertEquals(-2, noted(contents, rank, 0) + noted(contents, rank, 8), "rank " + rank);
        }
    }
}
