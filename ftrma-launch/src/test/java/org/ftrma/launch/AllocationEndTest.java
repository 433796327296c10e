package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.ftrma.core.coordinator.JobEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a job is stopped because of the end of its allocation. */
@Tag("long")
@Timeout(60)
class AllocationEndTest {
    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final BlockingQueue<String> stops = new LinkedBlockingQueue<>();

    private AllocationEnd of(Supplier<OptionalLong> nanosLeft, long drainSeconds, Predicate<String> stop) {
        return new AllocationEnd("17", nanosLeft, drainSeconds * SECOND, stop, new PrintStream(told, true,
            StandardCharsets.UTF_8));
    }

    private String awaitStop() throws InterruptedException {
        return stops.poll(50, TimeUnit.SECONDS);
    }

    @Test
    void theJobStopsWhenTheTimeLeftIsThatForStopping() throws InterruptedException {
        long begun = System.nanoTime();
        AtomicInteger asked = new AtomicInteger();
        Supplier<OptionalLong> left = () -> {
            asked.incrementAndGet();
            return OptionalLong.of(4 * SECOND - (System.nanoTime() - begun));
        };
        try (AllocationEnd end = of(left, 1, stops::add)) {
            end.event(new JobEvent.Flushed(1, 5, "image-000001", 100, SECOND / 2), 0);
            end.watch();
            assertNull(stops.poll(200, TimeUnit.MILLISECONDS));
            assertTrue(awaitStop().startsWith("allocation 17 ends in "));
            long after = System.nanoTime() - begun;
            assertTrue(after >= 5 * SECOND / 2, "1 s, and 0.5 s for what a flush takes, before the end: " + after);
            assertEquals(2, asked.get());
        }
        assertEquals("", told.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aShortAllocationIsUsedByHalfAndThatIsSaid() throws InterruptedException {
        long begun = System.nanoTime();
        try (AllocationEnd end = of(() -> OptionalLong.of(3 * SECOND - (System.nanoTime() - begun)), 60, stops::add)) {
            end.watch();
            awaitStop();
            assertTrue(System.nanoTime() - begun >= SECOND, "not at once");
        }
        assertTrue(told.toString(StandardCharsets.UTF_8).contains(", and --drain-timeout=1m is more than half of that: "
            + "the job stops on disk when half of it is over"), told::toString);
    }

    @Test
    void aJobThatCannotStopYetIsToldAgain() throws InterruptedException {
        AtomicInteger times = new AtomicInteger();
        try (AllocationEnd end = of(() -> OptionalLong.of(0), 60, why -> times.incrementAndGet() == 2
            && stops.add(why))) {
            end.watch();
            assertEquals("allocation 17 ends in 0s", awaitStop());
            assertEquals(2, times.get());
        }
    }

    @Test
    void withoutALimitNothingHappensAndSlurmIsAskedSeldom() throws InterruptedException {
        List<Long> asked = new CopyOnWriteArrayList<>();
        try (AllocationEnd end = of(() -> {
            asked.add(System.nanoTime());
            return OptionalLong.empty();
        }, 60, stops::add)) {
            end.watch();
            assertNull(stops.poll(500, TimeUnit.MILLISECONDS));
            assertEquals(1, asked.size());
        }
        try (AllocationEnd end = of(() -> {
            asked.add(System.nanoTime());
            return OptionalLong.of(1_000_000 * SECOND);
        }, 60, stops::add)) {
            end.watch();
            assertNull(stops.poll(500, TimeUnit.MILLISECONDS));
            assertEquals(2, asked.size());
        }
        assertEquals("", told.toString(StandardCharsets.UTF_8));
    }

    @Test
    void outsideOfAllocationsNobodyLooks() {
        assertNull(AllocationEnd.of(Map.of(), SECOND, stops::add, System.err));
        assertNull(AllocationEnd.of(Map.of("SLURM_CONF", "/etc/slurm.conf"), SECOND, stops::add, System.err));
    }
}
