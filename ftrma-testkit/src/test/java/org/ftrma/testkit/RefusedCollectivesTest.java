package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;

/** What holds of a channel when a collective of it was refused: all that come later are, too, and others are not. */
class RefusedCollectivesTest {
    private static final int RANKS = 3;
    private static final String LATER = "an earlier collective of this channel was refused";
    private static final List<Map<String, String>> PROTOCOLS = List.of(Map.of("protocol", "none", "checksums", "0"),
        Map.of("protocol", "coordinated", "interval", "1"), Map.of("protocol", "coordinated", "path", "network"),
        Map.of("protocol", "pessimistic-v", "interval", "1"), Map.of("protocol", "pessimistic-v", "path", "network"));

    /** What a rank does in a step, on a channel that a refusal breaks and on another one. */
    private interface Body {
        void run(Job job, Channel broken, Channel other, long step);
    }

    private static SimResult run(Map<String, String> given, long seed, List<Crash> crashes, int steps, Body body) {
        Map<String, String> all = new TreeMap<>(Map.of("ranks", "" + RANKS, "checksums", "1", "spares", "1",
            "deadline", "40s"));
        all.putAll(given);
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return "refused";
            }

            @Override
            public void run(Job job, Results results) {
                Channel world = job.messages();
                Channel other = world.split(0, 0);
                for (long step : job.steps(steps)) {
                    body.run(job, world, other, step);
                }
            }
        };
        return new SimCluster(JobOptions.of(all), program, seed).crashing(crashes).run();
    }

    private static void holds(int steps, Body body) {
        for (Map<String, String> protocol : PROTOCOLS) {
            for (long seed = 1; seed <= 4; seed++) {
                SimResult result = run(protocol, seed, List.of(), steps, body);
                assertTrue(result.succeeded(), () -> protocol + ": " + result.story());
            }
        }
    }

    private static MemorySegment cell() {
        return Arena.ofAuto().allocate(8, 8);
    }

    private static MessageRequest unlike(Channel channel) {
        return channel.iallReduce(channel.rank() == 2 ? AtomicOp.MAX : AtomicOp.SUM, DataType.INT64, cell(), cell());
    }

    private static String refusal(Runnable call, String... parts) {
        try {
            call.run();
        } catch (MisuseException e) {
            for (String part : parts) {
                assertTrue(e.getMessage().contains(part), () -> "lacks \"" + part + "\": " + e.getMessage());
            }
            return e.getMessage();
        }
        throw new AssertionError("was accepted");
    }

    @Test
    void allLaterOnesAreRefusedWithWhatTheFirstOneWas() {
        holds(1, (job, broken, other, step) -> {
            String first = refusal(() -> unlike(broken).await(), " of a channel of 3 ranks",
                "calls iallReduce SUM", "calls iallReduce MAX");
            refusal(broken::barrier, "barrier: " + LATER + ": " + first);
            refusal(broken::ibarrier, "ibarrier: " + LATER + ": " + first);
            refusal(() -> broken.broadcast(cell(), 0), LATER + ": " + first);
            refusal(() -> broken.allReduce(AtomicOp.SUM, 1L), "allReduce SUM INT64 of 8 bytes: " + LATER + ": "
                + first);
            assertEquals((long) RANKS, other.allReduce(AtomicOp.SUM, 1L));
        });
    }

    /** Blocking ones meet what others have sent for the one that will be refused. */
    @Test
    void thoseThatAreOpenAreRefusedWhenTheProgramIsToldOfTheFirst() {
        holds(1, (job, broken, other, step) -> {
            MessageRequest unlike = unlike(broken);
            MessageRequest second = broken.ibarrier();
            MessageRequest third = broken.iallGather(cell(), Arena.ofAuto().allocate(8L * RANKS, 8));
            broken.barrier();
            assertEquals((long) RANKS, broken.allReduce(AtomicOp.SUM, 1L));
            second.await();
            String first = refusal(unlike::await, " of a channel of 3 ranks", "calls iallReduce SUM",
                "calls iallReduce MAX");
            refusal(third::await, "iallGather of 8 bytes of each rank: " + LATER + ": " + first);
            other.barrier();
        });
    }

    /** Also by a rank that has gone back to an image from after the refusal. */
    @Test
    void laterOnesAreRefusedAfterALoss() {
        Body body = (job, broken, other, step) -> {
            if (step == 2) {
                refusal(() -> unlike(broken).await(), " of a channel of 3 ranks");
            } else if (step > 2) {
                refusal(broken::barrier, "barrier: " + LATER);
                refusal(() -> broken.ibroadcast(cell(), 1), LATER);
            } else {
                broken.barrier();
            }
            assertEquals((long) RANKS, other.allReduce(AtomicOp.SUM, 1L));
        };
        int back = 0;
        for (Map<String, String> protocol : PROTOCOLS.subList(1, PROTOCOLS.size())) {
            long steps = run(protocol, 1, List.of(), 6, body).steps();
            for (int eighth = 1; eighth < 8; eighth++) {
                Crash crash = new Crash(true, eighth % RANKS, steps * eighth / 8, Crash.How.AT_STEP);
                SimResult result = run(protocol, 1, List.of(crash), 6, body);
                assertTrue(result.succeeded(), () -> protocol + " " + crash + ": " + result.story());
                back += result.outcome().rollbacks() + result.outcome().localRecoveries() > 0 ? 1 : 0;
            }
        }
        assertTrue(back > 15, "losses: " + back);
    }

    @Test
    void oneThatBlocksDoesNotMatchOneThatDoesNotAndThatIsSaid() {
        for (Map<String, String> protocol : PROTOCOLS) {
            SimResult result = run(protocol, 1, List.of(), 1, (job, broken, other, step) -> {
                if (job.rank() == 0) {
                    broken.barrier();
                } else {
                    broken.ibarrier().await();
                }
            });
            String message = result.outcome().message();
            assertTrue(message.contains("one that blocks does not match one that does not"), message);
        }
    }
}
