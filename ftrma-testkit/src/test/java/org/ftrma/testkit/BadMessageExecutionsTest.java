package org.ftrma.testkit;

import static org.ftrma.testkit.MessageStories.ASKED;
import static org.ftrma.testkit.MessageStories.BYSTANDER;
import static org.ftrma.testkit.MessageStories.GO;
import static org.ftrma.testkit.MessageStories.LONG;
import static org.ftrma.testkit.MessageStories.TOLD;
import static org.ftrma.testkit.MessageStories.isKept;
import static org.ftrma.testkit.MessageStories.logged;
import static org.ftrma.testkit.MessageStories.story;

import java.lang.foreign.MemorySegment;
import org.ftrma.Channel;
import org.ftrma.MessageRequest;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.MessageStories.Role;
import org.ftrma.testkit.MessageStories.Scene;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Executions in which messages that are logged pessimistically go wrong unless a rule is kept: each is played with the
 * loss, whose rank is then recovered alone with the result of the run without it; and once more with the rule broken,
 * which is found.
 */
@Tag("long")
class BadMessageExecutionsTest {
    /** Is told something by rank 0, which is a stage. */
    private static Role isTold(int stage) {
        return scene -> {
            scene.note(0, scene.world.recvLong(0, TOLD));
            scene.script.reach(stage);
        };
    }

    /** What rank 0 has looked for in vain comes when another rank was told so, and then rank 0 is lost. */
    private static void sendTooLate(Scene scene) {
        scene.progressTo(1);
        scene.world.sendLong(5, 0, ASKED);
        scene.settleAndKill(3, 0);
    }

    /** Notes what it has found, tells rank 1, and goes on when it was lost. */
    private static void tell(Scene scene, boolean isFound) {
        scene.note(0, isFound ? 1 : 0);
        scene.world.sendLong(isFound ? 1 : 0, 1, TOLD);
        scene.takeWhatIsLeftAt(3);
    }

    /**
     * A receive matches a long message that is still under way; a second one matches a short one and is told. In the
     * replay the first one must not take the short one.
     */
    @Test
    void v1AReceiveIsAnEventWhenItIsMatchedNotWhenItIsComplete() {
        long length = 6 << 20;
        isKept(story("match, then complete", scene -> {
            scene.letAllCome();
            scene.world.probe(2, ASKED);
            MessageRequest first = scene.world.irecv(scene.room(length), Channel.ANY_SOURCE, ASKED);
            scene.script.reach(1);
            MessageRequest second = scene.world.irecv(scene.room(length), Channel.ANY_SOURCE, ASKED);
            int source = second.await().source();
            scene.note(0, source);
            scene.world.sendLong(source, 3, TOLD);
            scene.progressTo(3);
            scene.note(8, first.await().source());
        }, scene -> {
            scene.progressTo(1);
            scene.world.sendLong(9, 0, ASKED);
            scene.progressTo(2);
            scene.settleAndKill(3, 0);
        }, scene -> {
            MessageRequest sent = scene.world.isend(scene.room(length), 0, ASKED);
            scene.script.await(scene.job, scene.window, 3);
            sent.await();
        }, isTold(2)), 1, "EVENT_AT_COMPLETION");
    }

    /** Who has sent synchronously knows what was taken first, and tells another one. */
    @Test
    void v2TheAnswerToASynchronousSendWaitsForEvents() {
        isKept(story("an answer is a message", scene -> {
            scene.letAllCome();
            scene.note(0, scene.world.recvLong(Channel.ANY_SOURCE, ASKED));
            scene.takeWhatIsLeftAt(3);
        }, scene -> {
            scene.world.recvLong(2, GO);
            scene.world.sendLong(11, 0, ASKED);
            scene.script.reach(2);
        }, scene -> {
            MemorySegment one = scene.room(8);
            one.set(LONG, 0, 22);
            scene.world.ssend(one, 0, ASKED);
            scene.world.sendLong(1, 1, GO);
            scene.progressTo(2);
            scene.settleAndKill(3, 0);
        }, BYSTANDER), 1, "CONTROL_NOT_GATED");
    }

    /** What was told depends on what was not there yet. */
    @Test
    void v3NothingWasThereIsAnEventWhenSomethingLeaves() {
        isKept(story("a streak, then a message", scene -> {
            scene.letAllCome();
            tell(scene, scene.world.iprobe(Channel.ANY_SOURCE, ASKED) != null);
        }, isTold(1), BadMessageExecutionsTest::sendTooLate, BYSTANDER), 1, "STREAK_NOT_FLUSHED",
            "FAILED_TEST_FREE");
    }

    /** A probe that had found something waits in the replay until that is there again. */
    @Test
    void v4WhatWasThereIsWaitedFor() {
        isKept(story("a probe finds", scene -> {
            scene.progressTo(1);
            scene.settle();
            tell(scene, scene.world.iprobe(Channel.ANY_SOURCE, ASKED) != null);
        }, scene -> {
            scene.note(0, scene.world.recvLong(0, TOLD));
            scene.script.die(scene.job, 3, 0);
        }, scene -> {
            scene.world.sendLong(5, 0, ASKED);
            scene.script.reach(1);
        }, BYSTANDER), 1);
    }

    /** How often a synchronous send was not complete yet is what another rank knows. */
    @Test
    void v5OutcomesOfSendsAreEvents() {
        isKept(story("tests of a send", scene -> {
            MessageRequest sent = scene.world.issend(scene.room(8), 2, ASKED);
            long tests = 0;
            while (!sent.test()) {
                tests++;
                scene.script.reach(tests == 3 ? 1 : 0);
            }
            scene.world.sendLong(tests, 1, TOLD);
            scene.progressTo(3);
            scene.note(0, scene.world.recvLong(1, TOLD) - tests);
        }, scene -> {
            long told = scene.world.recvLong(0, TOLD);
            scene.settleAndKill(3, 0);
            scene.world.sendLong(told, 0, TOLD);
        }, scene -> {
            scene.script.await(scene.job, scene.window, 1);
            scene.world.recvLong(0, ASKED);
        }, BYSTANDER), 1, "FAILED_TEST_FREE");
    }

    /** A receive was ended before anything came, and another rank knows. */
    @Test
    void v6ThatAReceiveWasCancelledIsAnEvent() {
        isKept(story("cancel", scene -> {
            scene.letAllCome();
            MessageRequest receive = scene.world.irecv(scene.room(8), Channel.ANY_SOURCE, ASKED);
            boolean isCancelled = receive.cancel();
            receive.await();
            tell(scene, isCancelled);
        }, isTold(1), BadMessageExecutionsTest::sendTooLate, BYSTANDER), 1, "SEND_BEFORE_STABLE");
    }

    /** What rank 0 has sent before its image is asked for after it was lost, and so was the one that asks. */
    @Test
    void v7TheSendLogIsInTheImage() {
        isKept(story("the log that died", logged(), "1", 4, scene -> {
            if (scene.job.step() == 1) {
                MemorySegment one = scene.room(40_000);
                one.set(LONG, 32_000, 77);
                scene.world.send(one, 1, ASKED);
            } else if (scene.job.step() == 4) {
                scene.progressTo(2);
            }
        }, scene -> {
            if (scene.job.step() == 3) {
                scene.progressTo(2);
            } else if (scene.job.step() == 4) {
                MemorySegment room = scene.room(40_000);
                scene.world.recv(room, 0, ASKED);
                scene.note(0, room.get(LONG, 32_000));
            }
        }, scene -> {
            if (scene.job.step() == 3) {
                scene.settleAndKill(1, 0);
                scene.awaitReplays(1);
                scene.script.die(scene.job, 2, 1);
            }
        }, BYSTANDER), 2, "LOG_NOT_IN_IMAGE");
    }

    /** The event logger is lost, and later the rank whose events it had. */
    @Test
    void el1AReplacedLoggerIsGivenTheEventsAgain() {
        isKept(story("logger, then rank", scene -> {
            scene.letAllCome();
            scene.note(0, scene.world.recvLong(Channel.ANY_SOURCE, ASKED));
            scene.world.sendLong(1, 1, GO);
            scene.note(8, scene.world.recvLong(Channel.ANY_SOURCE, ASKED));
            scene.world.sendLong(scene.noted(0), 3, TOLD);
            scene.progressTo(3);
        }, scene -> {
            scene.world.recvLong(0, GO);
            scene.world.sendLong(11, 0, ASKED);
        }, scene -> scene.world.sendLong(22, 0, ASKED), scene -> {
            scene.note(0, scene.world.recvLong(0, TOLD));
            scene.settleAndKill(2, 4);
            scene.script.await(scene.job, scene.window, () -> {
                scene.job.progress(); // gives the new logger the events of this rank, too
                return !scene.script.hasFailures()
                    || scene.script.count(JobEvent.RedundancyChanged.class, JobEvent.RedundancyChanged::whole) > 0;
            });
            scene.settleAndKill(3, 0);
        }), 1, "LOGGER_NOT_REFILLED");
    }
}
