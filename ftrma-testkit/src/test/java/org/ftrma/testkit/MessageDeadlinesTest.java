package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.MessageRequest;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;

/** Who waits for messages in vain is told what for, and where that can be known before the deadline, before. */
class MessageDeadlinesTest {
    private static final List<Map<String, String>> PROTOCOLS = List.of(Map.of("protocol", "none", "checksums", "0"),
        Map.of("protocol", "coordinated", "path", "network"), Map.of("protocol", "pessimistic-v", "interval", "1"));

    private static final long STEP_LIMIT = 8_000_000;

    private interface Body {
        void run(Job job, Channel world);
    }

    private static void ends(Body body, String... parts) {
        ends("20s", body, parts);
    }

    private static void ends(String deadline, Body body, String... parts) {
        for (Map<String, String> protocol : PROTOCOLS) {
            Map<String, String> all = new TreeMap<>(Map.of("ranks", "3", "checksums", "1", "deadline", deadline));
            all.putAll(protocol);
            SimResult result = new SimCluster(JobOptions.of(all), new SimProgram() {
                @Override
                public String name() {
                    return "deadlines";
                }

                @Override
                public void run(Job job, Results results) {
                    Channel world = job.messages();
                    for (long step : job.steps(1)) {
                        body.run(job, world);
                    }
                }
            }, 1, new SimMemory(), STEP_LIMIT).run();
            assertEquals(1, result.outcome().kind().exitCode(), result::story);
            String message = result.outcome().message();
            for (String part : parts) {
                assertTrue(message.contains(part), () -> protocol + " lacks \"" + part + "\": " + message);
            }
        }
    }

    private static MemorySegment bytes(long count) {
        return Arena.ofAuto().allocate(count, 8);
    }

    private static MessageRequest gather(Channel world, int root) {
        return world.igather(bytes(8), bytes(24), root);
    }

    @Test
    void aCollectiveIsNamedWithItsRootAndTheRanksOfWhichNothingCame() {
        ends((job, world) -> {
            world.barrier();
            if (job.rank() == 1) {
                gather(world, 1).await();
            } else {
                gather(world, 0).await();
                world.send(bytes(8), 1, 7); // so that nobody ends
                world.recv(bytes(8), 1, 8);
            }
        }, "DeadlineException", "igather of 8 bytes of each rank to rank 1, collective 2 of a channel of 3 ranks: "
            + "not all has come from ranks 2, 0");
    }

    @Test
    void aCollectiveAmongSeveralRequestsIsNamed() {
        ends((job, world) -> {
            MessageRequest[] open = {world.irecv(bytes(8), (job.rank() + 1) % 3, 9), gather(world, job.rank())};
            world.waitAny(open);
        }, "DeadlineException", "2 are open: a receive of at most 8 bytes from rank ",
            " with tag 9; rank ", "igather of 8 bytes of each rank to rank ", "not all has come from ranks ");
    }

    @Test
    void aReceiveIsNamed() {
        ends((job, world) -> world.recv(bytes(8), (job.rank() + 1) % 3, 9), "DeadlineException",
            "a receive of at most 8 bytes from rank ", " with tag 9");
    }

    /** Rank 2 waits for nothing; what it sends in the next collective tells rank 0 that it sent nothing in this. */
    @Test
    void otherRootsAreFoundWhereALaterCollectiveShowsThat() {
        ends((job, world) -> {
            MessageRequest gather = gather(world, job.rank() == 0 ? 0 : 1);
            if (job.rank() != 1) {
                gather.await();
                world.barrier();
            } else {
                world.recv(bytes(8), 0, 9);
            }
        }, "MisuseException: collective 1 of a channel of 3 ranks: rank 0 calls igather of 8 bytes of each rank to "
            + "rank 0, rank 2 has sent nothing of that, and calls barrier as collective 2: all ranks must");
        ends((job, world) -> {
            if (job.rank() == 0) {
                world.gather(bytes(8), bytes(24), 0);
            } else if (job.rank() == 2) {
                world.gather(bytes(8), bytes(24), 1);
                world.ibarrier().await();
            } else {
                world.gather(bytes(8), bytes(24), 0);
                world.recv(bytes(8), 0, 9);
            }
        }, "MisuseException: collective 1 of a channel of 3 ranks: rank 0 calls gather of 8 bytes of each rank to rank "
            + "0, rank 2 has sent nothing of that, and calls ibarrier as collective 2: all ranks must");
    }

    private interface Poll {
        boolean isAnswered(Channel world, MessageRequest request, MessageRequest[] requests);
    }

    /** Who asks again and again for what cannot come is told as who waits is; who asks now and then is not. */
    @Test
    void pollsForWhatCannotComeAreTold() {
        Poll[] polls = {(world, request, requests) -> request.test(),
            (world, request, requests) -> world.testAll(requests),
            (world, request, requests) -> world.testAny(requests) >= 0,
            (world, request, requests) -> world.testSome(new int[1], requests) > 0,
            (world, request, requests) -> world.iprobe(1, 9) != null,
            (world, request, requests) -> world.iprobe(Channel.ANY_SOURCE, 9) != null};
        for (Poll poll : polls) {
            ends("10ms", (job, world) -> {
                if (job.rank() == 0) {
                    MessageRequest request = world.irecv(bytes(8), 1, 9);
                    MessageRequest[] requests = {request};
                    boolean isAnswered = false;
                    while (!isAnswered) {
                        isAnswered = poll.isAnswered(world, request, requests);
                    }
                }
            }, "MisuseException",
                " waits for a rank that has finished: its program returned, and sent no such message");
        }
    }
}
