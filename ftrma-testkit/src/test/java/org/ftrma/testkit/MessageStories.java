package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.testkit.Script.Part;
import org.ftrma.testkit.Script.Story;

/** Stories of ranks that send messages: the part of each, and how they are played. No state. */
final class MessageStories {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    static final int SEEDS = 6;
    /** Tags. */
    static final int ASKED = 5;
    static final int GO = 6;
    static final int TOLD = 7;
    /** The part of a rank that has none. */
    static final Role BYSTANDER = scene -> { };

    /** What one rank does in a step. */
    interface Role extends Serializable {
        void play(Scene scene);
    }

    /** What a rank has in a step of a story. Its data thread only. */
    static final class Scene {
        final Job job;
        final Script script;
        final Window window;
        final Channel world;
        private final MemorySegment memory;
        private final Arena arena;

        private Scene(Job job, Script script, Window window, MemorySegment memory, Arena arena) {
            this.job = job;
            this.script = script;
            this.window = window;
            this.world = job.messages();
            this.memory = memory;
            this.arena = arena;
        }

        /** Memory for this step. */
        MemorySegment room(long bytes) {
            return arena.allocate(bytes, 8);
        }

        /** A word of the result. */
        void note(long at, long value) {
            memory.set(LONG, at, value);
        }

        long noted(long at) {
            return memory.get(LONG, at);
        }

        /** Waits for a stage, while messages make progress. */
        void progressTo(int stage) {
            script.progress(job, () -> script.isAt(stage));
        }

        /** Messages make progress until all that was under way has come to rest. */
        void progressToRest() {
            long since = script.nanos();
            script.progress(job, () -> script.nanos() > since + 20_000_000);
        }

        /** Waits until all that was under way has come to rest. */
        void settle() {
            script.settle(job, window);
        }

        /** A rank dies when all that was under way has come to rest. */
        void settleAndKill(int stage, int... ranks) {
            settle();
            script.die(job, stage, ranks);
        }

        /** Waits until so many generations count: one does before the first step, where ranks are recovered alone. */
        void awaitCommitted(int count) {
            script.progress(job, () -> script.committed() >= count);
        }

        /** In a run with losses: waits until so many replacements have come back by replay. */
        void awaitReplays(int count) {
            script.progress(job, () -> script.replays() >= count || !script.hasFailures());
        }

        /** In a replacement: what others have sent again may be here before the program asks for it. */
        void letAllCome() {
            if (job.incarnation() > 0) {
                settle();
                job.progress();
            }
        }

        /** Waits for the loss, and then takes a message that was not asked for before. */
        void takeWhatIsLeftAt(int stage) {
            progressTo(stage);
            note(8, world.recvLong(Channel.ANY_SOURCE, ASKED));
        }
    }

    private MessageStories() {
    }

    /** Options of protocol pessimistic-v with little memory, and these. */
    static Map<String, String> logged(String... more) {
        Map<String, String> options = new HashMap<>(Map.of("protocol", "pessimistic-v", "lane", "4KiB", "eager",
            "512B", "recovery-deadline", "2s"));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return options;
    }

    /** A story with a part for each rank, and one checksum rank. */
    static Story story(String name, Map<String, String> options, String interval, long steps, Role... roles) {
        return new Story(name, roles.length, 1, interval, steps, new Part() {
            @Override
            public void prepare(Job job) {
                job.messages();
            }

            @Override
            public void run(Job job, Script script, Window window, MemorySegment memory) {
                try (Arena arena = Arena.ofConfined()) {
                    roles[job.rank()].play(new Scene(job, script, window, memory, arena));
                }
            }
        }, options);
    }

    /** As above, of one step without further checkpoints. */
    static Story story(String name, Role... roles) {
        return story(name, logged(), "none", 1, roles);
    }

    /** As below, with ranks that come back alone. */
    static Map<Integer, Map<String, byte[]>> isKept(Story story, int losses, String... bugs) {
        return isKept(story, SEEDS, losses, 0, bugs);
    }

    /**
     * Recovered as often as told, and where the bug is in, some run ends in another way. Returns what it comes to
     * without losses.
     *
     * @param seeds how many are tried without a bug
     * @param losses ranks that come back alone
     * @param rollbacks how often all go back
     */
    static Map<Integer, Map<String, byte[]>> isKept(Story story, int seeds, int losses, int rollbacks,
        String... bugs) {
        SimResult plain = story.run(1, false, Set.of());
        assertTrue(plain.succeeded(), plain::story);
        for (long seed = 1; seed <= seeds; seed++) {
            SimResult result = story.run(seed, true, Set.of());
            assertNull(result.fault(plain.contents()), result::story);
            assertEquals(losses, result.outcome().localRecoveries(), result::story);
            assertEquals(rollbacks, result.outcome().rollbacks(), result::story);
        }
        for (String bug : bugs) {
            int found = 0;
            for (long seed = 1; seed <= SEEDS; seed++) {
                SimResult result = story.run(seed, true, Set.of(bug));
                found += result.fault(plain.contents()) != null || result.outcome().rollbacks() > rollbacks ? 1 : 0;
            }
            System.out.println(bug + ": " + found + " of " + SEEDS + " runs show");
            assertTrue(found > 0, bug + " was not found");
        }
        return plain.contents();
    }

    /** What a rank has noted. */
    static long noted(Map<Integer, Map<String, byte[]>> contents, int rank, long at) {
        return MemorySegment.ofArray(contents.get(rank).get("m")).get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    }
}
