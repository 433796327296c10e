package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/patterns.md says is so: each pattern is recovered as told there, for the reasons told there. */
@Tag("long")
class PatternsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int STEPS = 3;
    private static final int RANKS = 3;
    private static final int POINTS = 24;
    private static final String LOCAL = "local";
    /** Whether a crash hits the start, or a fallback, is not a matter of the pattern. */
    private static final Set<String> ANYWHERE = Set.of(FallbackReason.WHILE_RESTORING.name(),
        FallbackReason.BEFORE_FIRST_CHECKPOINT.name());

    /** What one rank does in a step: a window of 256 bytes, and as much local memory. */
    private interface Body {
        void run(Job job, Window window, MemorySegment local, long step);
    }

    /** A pattern; {@code unique}: the final contents are the same in every run. */
    private record Programmed(String name, boolean unique, Body body) implements SimProgram {
        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("cells", 256);
            MemorySegment sum = job.protect("sum", 8);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment local = arena.allocate(256, 8);
                for (long step : job.steps(STEPS)) {
                    local.fill((byte) 0);
                    body.run(job, window, local, step);
                    sum.set(LONG, 0, sum.get(LONG, 0) * 31 + local.get(LONG, 248));
                }
            }
            job.gsync();
            results.store("cells", window.memory());
            results.store("sum", sum);
        }
    }

    private static final Map<String, Programmed> PATTERNS = patterns();

    private static void add(Map<String, Programmed> patterns, String name, boolean unique, Body body) {
        patterns.put(name, new Programmed(name, unique, body));
    }

    private static int right(Job job) {
        return (job.rank() + 1) % job.ranks();
    }

    private static long value(Job job, long step) {
        return step * 1000 + job.rank() + 1;
    }

    private static Map<String, Programmed> patterns() {
        Map<String, Programmed> patterns = new LinkedHashMap<>();
        gsyncPatterns(patterns);
        requestPatterns(patterns);
        lockPatterns(patterns);
        atomicPatterns(patterns);
        spinLock(patterns);
        brokenPatterns(patterns);
        return patterns;
    }

    private static void gsyncPatterns(Map<String, Programmed> patterns) {
        add(patterns, "halo", true, (job, window, local, step) -> {
            window.putLong(window.memory().get(LONG, 0) + value(job, step), right(job), 8);
            job.gsync();
            window.memory().set(LONG, 0, window.memory().get(LONG, 0) * 7 + window.memory().get(LONG, 8));
            job.gsync();
        });
        add(patterns, "gets", true, (job, window, local, step) -> {
            window.memory().set(LONG, 0, window.memory().get(LONG, 16) + value(job, step));
            job.gsync();
            window.get(local, 0, right(job), 0, 8);
            window.flush(right(job));
            window.get(local, 8, (job.rank() + 2) % RANKS, 0, 8);
            window.flushLocal((job.rank() + 2) % RANKS);
            window.memory().set(LONG, 16, local.get(LONG, 0) * 3 + local.get(LONG, 8));
            job.gsync();
        });
        add(patterns, "own-window", true, (job, window, local, step) -> {
            window.get(local, 0, job.rank(), 0, 16);
            window.flush(job.rank());
            window.putLong(local.get(LONG, 0) * 5 + local.get(LONG, 8) + value(job, step), job.rank(), 0);
            window.flush(job.rank());
            window.putLong(value(job, step), right(job), 32 + 8 * (step & 1));
            job.gsync();
            window.putLong(window.getLong(job.rank(), 32 + 8 * (step & 1)), job.rank(), 8);
            job.gsync();
        });
        add(patterns, "collectives", true, (job, window, local, step) -> {
            long total = job.allReduce(AtomicOp.SUM, window.memory().get(LONG, 0) + value(job, step));
            local.set(LONG, 0, total * (job.rank() + 1));
            job.allGather(local.asSlice(0, 8), local.asSlice(8, 8 * RANKS));
            job.broadcast(local.asSlice(16, 8), (int) (step % RANKS));
            window.memory().set(LONG, 0, total ^ local.get(LONG, 8) * 3 ^ local.get(LONG, 16));
        });
        AtomicLong outside = new AtomicLong();
        add(patterns, "nondeterministic", false, (job, window, local, step) -> {
            long drawn = job.nondeterministic(outside::incrementAndGet);
            window.putLong(drawn, right(job), 8 * step);
            job.gsync();
            window.putLong(-drawn, right(job), 64 + 8 * step);
            job.gsync();
            if (window.memory().get(LONG, 8 * step) + window.memory().get(LONG, 64 + 8 * step) != 0) {
                throw new IllegalStateException("a value was drawn twice");
            }
        });
    }

    private static void requestPatterns(Map<String, Programmed> patterns) {
        add(patterns, "tests", false, (job, window, local, step) -> {
            local.set(LONG, 0, value(job, step));
            Request request = window.rput(local, 0, right(job), 128, 8);
            long polls = 1;
            while (!request.test()) {
                polls++;
            }
            window.putLong(polls, right(job), 8 * step);
            job.gsync();
            window.putLong(-polls, right(job), 64 + 8 * step);
            job.gsync();
            if (window.memory().get(LONG, 8 * step) + window.memory().get(LONG, 64 + 8 * step) != 0) {
                throw new IllegalStateException("requests were tested more often the second time");
            }
        });
    }

    private static void lockPatterns(Map<String, Programmed> patterns) {
        add(patterns, "exclusive-locks", true, (job, window, local, step) -> {
            for (int i = 0; i < RANKS; i++) {
                int target = (job.rank() + i) % RANKS;
                window.lock(LockType.EXCLUSIVE, target);
                window.get(local, 0, target, 8, 8);
                window.flush(target);
                window.putLong(local.get(LONG, 0) + value(job, step), target, 8);
                window.unlock(target);
            }
        });
        add(patterns, "shared-locks", true, (job, window, local, step) -> {
            window.lock(LockType.SHARED, right(job));
            window.get(local, 248, right(job), 8 * (1 + job.rank()), 8);
            window.flush(right(job));
            window.putLong(value(job, step), right(job), 8 * (1 + job.rank()));
            window.unlock(right(job));
        });
        add(patterns, "guard-elsewhere", true, (job, window, local, step) -> {
            window.lock(LockType.EXCLUSIVE, 0);
            window.get(local, 0, 1, 16, 8);
            window.flush(1);
            window.putLong(local.get(LONG, 0) + value(job, step), 1, 16);
            window.flush(1);
            window.unlock(0);
        });
        add(patterns, "own-lock-others-none", true, (job, window, local, step) -> {
            if (job.rank() == 0) {
                window.putLong(value(job, step), 1, 64 + 8 * step);
                window.flush(1);
            }
            window.lock(LockType.EXCLUSIVE, job.rank());
            window.putLong(value(job, step), job.rank(), 8);
            window.unlock(job.rank());
        });
    }

    private static void spinLock(Map<String, Programmed> patterns) {
        add(patterns, "spin-lock", true, (job, window, local, step) -> {
            while (window.compareAndSwap(DataType.INT64, 0, 1, 1, 0) != 0) {
                Thread.onSpinWait();
            }
            window.get(local, 0, 1, 8, 8);
            window.flush(1);
            window.putLong(local.get(LONG, 0) + value(job, step), 1, 8);
            window.flush(1);
            window.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, 0, 1, 0);
        });
    }

    private static void atomicPatterns(Map<String, Programmed> patterns) {
        add(patterns, "accumulates", true, (job, window, local, step) -> {
            local.set(LONG, 0, value(job, step));
            window.accumulate(AtomicOp.SUM, DataType.INT64, local, 0, right(job), 8, 1);
            window.accumulate(AtomicOp.BXOR, DataType.INT64, local, 0, 0, 16, 1);
            window.flushAll();
        });
        add(patterns, "fetches", true, (job, window, local, step) -> {
            window.fetchAndOp(AtomicOp.SUM, DataType.INT64, value(job, step), right(job), 8);
            long expected = window.getLong(0, 16);
            long old = window.compareAndSwap(DataType.INT64, expected, expected + value(job, step), 0, 16);
            while (old != expected) {
                expected = old;
                old = window.compareAndSwap(DataType.INT64, expected, expected + value(job, step), 0, 16);
            }
        });
        add(patterns, "signals", true, (job, window, local, step) -> {
            await(window, job.rank(), 8, step - 1);
            window.putLong(value(job, step), right(job), 16);
            window.flush(right(job));
            window.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, step, right(job), 0);
            await(window, job.rank(), 0, step);
            window.get(local, 248, job.rank(), 16, 8);
            window.flush(job.rank());
            window.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, step, (job.rank() + RANKS - 1) % RANKS, 8);
        });
        signalPatterns(patterns);
        add(patterns, "relay", true, (job, window, local, step) -> {
            if (job.rank() == 0) {
                window.putLong(value(job, step), 1, 16);
                window.flush(1);
                window.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, step, 2, 0);
            } else if (job.rank() == 2) {
                await(window, 2, 0, step);
                window.putLong(value(job, step), 1, 16);
            }
            job.gsync();
        });
        add(patterns, "mixed-types", true, (job, window, local, step) -> {
            window.fetchAndOp(AtomicOp.BXOR, job.rank() == 0 ? DataType.INT32 : DataType.INT64, value(job, step), 1, 8);
            job.gsync();
        });
    }

    private static void signalPatterns(Map<String, Programmed> patterns) {
        add(patterns, "put-with-signal", true, (job, window, local, step) -> {
            window.waitUntil(8, Comparison.GE, step - 1);
            local.set(LONG, 0, value(job, step));
            window.putSignal(local, 0, right(job), 16, 8, AtomicOp.REPLACE, step, 0);
            window.waitUntil(0, Comparison.GE, step);
            local.set(LONG, 248, window.memory().get(LONG, 16));
            window.signal(AtomicOp.REPLACE, step, (job.rank() + RANKS - 1) % RANKS, 8);
        });
        add(patterns, "relay-by-signals", true, (job, window, local, step) -> {
            if (job.rank() == 0) {
                window.putLong(value(job, step), 1, 16);
                window.flush(1);
                window.signal(AtomicOp.REPLACE, step, 2, 0);
            } else if (job.rank() == 2) {
                window.waitUntil(0, Comparison.GE, step);
                window.putLong(value(job, step), 1, 16);
            }
            job.gsync();
        });
    }

    private static void await(Window window, int self, long offset, long value) {
        while (window.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, self, offset) < value) {
            Thread.onSpinWait();
        }
    }

    private static void brokenPatterns(Map<String, Programmed> patterns) {
        add(patterns, "race", false, (job, window, local, step) -> {
            if (job.rank() != 1) {
                window.putLong(value(job, step), 1, 8);
            }
            job.gsync();
        });
        AtomicLong outside = new AtomicLong();
        add(patterns, "clock", false, (job, window, local, step) -> {
            window.getLong(right(job), 8 * (outside.incrementAndGet() & 7));
            window.getLong(right(job), 8 * (outside.incrementAndGet() & 7));
            job.gsync();
        });
    }

    private static String document() throws IOException {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/patterns.md"))) {
            place = place.getParent();
        }
        return Files.readString(place.resolve("docs/patterns.md")).replaceAll("\n {2,}", " "); // an item is a line
    }

    /** What the table says of each pattern: {@code local} and reasons. */
    private static Map<String, Set<String>> told() throws IOException {
        Map<String, Set<String>> told = new LinkedHashMap<>();
        Matcher rows = Pattern.compile("^- `([a-z-]+)` \\(([^)]+)\\): ", Pattern.MULTILINE).matcher(document());
        while (rows.find()) {
            told.put(rows.group(1), new TreeSet<>(List.of(rows.group(2).replaceAll("[`*]", "").split(", "))));
        }
        return told;
    }

    static Stream<String> names() {
        return PATTERNS.keySet().stream();
    }

    @Test
    void everyPatternOfTheDocumentIsTested() throws IOException {
        assertEquals(PATTERNS.keySet(), told().keySet());
    }

    @ParameterizedTest
    @MethodSource("names")
    void patternIsRecoveredAsTheDocumentSays(String name) throws IOException {
        Programmed program = PATTERNS.get(name);
        Simulation simulation = new Simulation().program(program).ranks(RANKS).checksums(1).spares(2).steps(STEPS)
            .interval("none").protocol("full")
            .seed(5);
        SimMemory memory = new SimMemory();
        SimResult base = simulation.run(5, List.of(), memory);
        assertTrue(base.succeeded(), base::story);
        Set<String> seen = new TreeSet<>();
        for (int member = 0; member < RANKS; member++) {
            long points = base.memberPoints()[member];
            for (int i = 0; i < POINTS; i++) {
                long point = points / 4 + (points - points / 4) * i / POINTS;
                for (Crash.How how : new Crash.How[] {Crash.How.BEFORE, Crash.How.AFTER}) {
                    SimResult result = simulation.run(5, List.of(new Crash(true, member, point, how)), memory);
                    assertNull(result.fault(program.unique ? base.contents() : result.contents()), result::story);
                    if (result.outcome().localRecoveries() > 0 && result.outcome().rollbacks() == 0) {
                        seen.add(LOCAL);
                    }
                    seen.addAll(result.outcome().fallbacks().keySet());
                }
            }
        }
        seen.removeAll(ANYWHERE);
        Set<String> told = told().get(name);
        assertNotNull(told, "docs/patterns.md lacks the pattern " + name);
        assertEquals(told, seen, "recoveries of the pattern " + name);
    }

    @Test
    void everyReasonIsListedWithItsMeaning() throws IOException {
        String document = document();
        for (FallbackReason reason : FallbackReason.values()) {
            assertTrue(document.contains("\n- `" + reason.name() + "`: " + reason.meaning() + "."),
                "docs/patterns.md lacks an item of " + reason);
        }
        Matcher names = Pattern.compile("`([A-Z][A-Z_]{5,})`").matcher(document);
        while (names.find()) {
            assertEquals(names.group(1), FallbackReason.valueOf(names.group(1)).name());
        }
    }
}
