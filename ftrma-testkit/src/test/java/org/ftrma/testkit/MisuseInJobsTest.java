package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.Request;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;

/**
 * Programs that break the contract of a resilient program are refused at the call that breaks it, whatever the protocol
 * and the schedule.
 */
class MisuseInJobsTest {
    private static final List<Map<String, String>> PROTOCOLS = List.of(Map.of("checksums", "0", "protocol", "none"),
        Map.of("checksums", "1", "protocol", "coordinated", "interval", "1"),
        Map.of("checksums", "1", "protocol", "full", "interval", "2"));

    /** A call that is to be refused. */
    private record Call(String name, Consumer<Window> body) {
    }

    static List<SimResult> run(int ranks, Program program) {
        List<SimResult> results = new ArrayList<>();
        for (Map<String, String> protocol : PROTOCOLS) {
            for (long seed = 1; seed <= 4; seed++) {
                Map<String, String> given = new java.util.TreeMap<>(Map.of("ranks", "" + ranks, "deadline", "40s"));
                given.putAll(protocol);
                results.add(new SimCluster(JobOptions.of(given), new SimProgram() {
                    @Override
                    public String name() {
                        return "misuse";
                    }

                    @Override
                    public void run(Job job, Results stored) throws Exception {
                        program.run(job);
                    }
                }, seed).run());
            }
        }
        return results;
    }

    static void accepted(Program program) {
        run(2, program).forEach(result -> assertTrue(result.succeeded(), result::story));
    }

    /** The job ends as failed, with a misuse whose message names all of the parts. */
    static void refused(int ranks, Program program, String... parts) {
        for (SimResult result : run(ranks, program)) {
            assertNotNull(result.outcome(), result::story);
            assertEquals(1, result.outcome().kind().exitCode(), result::story);
            String message = result.outcome().message();
            for (String part : parts) {
                assertTrue(message.contains(part), () -> "lacks \"" + part + "\": " + message);
            }
            assertTrue(message.contains("MisuseException"), message);
        }
    }

    static void refused(Program program, String... parts) {
        refused(2, program, parts);
    }

    /** The call is refused with a message that names all of the parts, and nothing else happens. */
    private static void misuse(Runnable call, String... parts) {
        try {
            call.run();
        } catch (MisuseException e) {
            for (String part : parts) {
                assertTrue(e.getMessage().contains(part), () -> "lacks \"" + part + "\": " + e.getMessage());
            }
            return;
        }
        throw new IllegalStateException("accepted: expected a message of " + List.of(parts));
    }

    private static MemorySegment local() {
        return Arena.ofAuto().allocate(64, 8);
    }

    private static List<Call> accesses() {
        MemorySegment data = local();
        AtomicOp sum = AtomicOp.SUM;
        DataType type = DataType.INT64;
        return List.of(new Call("put", w -> w.put(data, 0, 0, 0, 8)), new Call("whole put", w -> w.put(data, 0, 0)),
            new Call("putLong", w -> w.putLong(1000, 0, 0)), new Call("get", w -> w.get(data, 0, 0, 0, 8)),
            new Call("whole get", w -> w.get(data, 0, 0)),
            new Call("getLong", w -> w.getLong(0, 0)), new Call("stage", w -> w.stage(0, 8)),
            new Call("putStrided", w -> w.putStrided(data, 0, 8, 0, 0, 8, 8, 2)),
            new Call("getStrided", w -> w.getStrided(data, 0, 8, 0, 0, 8, 8, 2)),
            new Call("accumulate", w -> w.accumulate(sum, type, data, 0, 0, 0, 1)),
            new Call("getAccumulate", w -> w.getAccumulate(sum, type, data, 0, data, 8, 0, 0, 1)),
            new Call("accumulateStrided", w -> w.accumulateStrided(sum, type, data, 0, 8, 0, 0, 8, 1, 2)),
            new Call("getAccumulateStrided", w -> w.getAccumulateStrided(sum, type, data, 0, 8, data, 16, 8, 0, 0, 8, 1,
            2)),
            new Call("fetchAndOp", w -> w.fetchAndOp(sum, type, 500, 0, 0)),
            new Call("compareAndSwap", w -> w.compareAndSwap(type, 0, 1, 0, 0)),
            new Call("rput", w -> w.rput(data, 0, 0, 0, 8)), new Call("rget", w -> w.rget(data, 0, 0, 0, 8)),
            new Call("raccumulate", w -> w.raccumulate(sum, type, data, 0, 0, 0, 1)),
            new Call("rgetAccumulate", w -> w.rgetAccumulate(sum, type, data, 0, data, 8, 0, 0, 1)),
            new Call("rputStrided", w -> w.rputStrided(data, 0, 8, 0, 0, 8, 8, 2)),
            new Call("rgetStrided", w -> w.rgetStrided(data, 0, 8, 0, 0, 8, 8, 2)),
            new Call("raccumulateStrided", w -> w.raccumulateStrided(sum, type, data, 0, 8, 0, 0, 8, 1, 2)),
            new Call("rgetAccumulateStrided", w -> w.rgetAccumulateStrided(sum, type, data, 0, 8, data, 16, 8, 0, 0, 8,
            1, 2)),
            new Call("flush", w -> w.flush(0)), new Call("flushAll", Window::flushAll),
            new Call("flushLocal", w -> w.flushLocal(0)),
            new Call("flushLocalAll", Window::flushLocalAll), new Call("lock", w -> w.lock(LockType.SHARED, 0)),
            new Call("unlock", w -> w.unlock(0)),
            new Call("lockAll", Window::lockAll), new Call("unlockAll", Window::unlockAll),
            new Call("prefetch", w -> w.prefetch(0, 0)));
    }

    @Test
    void accessesAndLocksBeforeTheFirstStepAreRefusedOutsideOfInitialize() {
        accepted(job -> {
            Window w = job.allocateWindow("w", 64);
            List<Call> calls = accesses();
            for (Call call : calls) {
                misuse(() -> call.body.accept(w), "window=w", "before the first step, outside of initialize",
                    "job.initialize()", "job.steps()");
            }
            job.initialize(() -> w.memory().set(java.lang.foreign.ValueLayout.JAVA_LONG, 8, 7));
            Iterable<Long> steps = job.steps(2);
            for (Call call : calls) {
                misuse(() -> call.body.accept(w), "window=w", "before the first step");
            }
            for (long step : steps) {
                assertEquals(0, w.getLong(0, 0), "a refused access took effect");
                assertEquals(7, w.getLong(0, 8));
                w.putLong(step, job.rank(), 16);
                job.gsync();
            }
            assertEquals(2, w.getLong(1 - job.rank(), 16), "accesses are allowed after the loop");
            job.gsync();
        });
    }

    @Test
    void collectivesBeforeTheFirstStepAreRefusedOutsideOfInitialize() {
        accepted(job -> {
            MemorySegment one = local();
            List<Runnable> calls = List.of(job::gsync, job::barrier, () -> job.broadcast(one, 0),
                () -> job.allReduce(AtomicOp.SUM, 1L),
                () -> job.allReduce(AtomicOp.SUM, 1.0), () -> job.allReduce(AtomicOp.SUM, DataType.INT64, one, local()),
                () -> job.allGather(one, Arena.ofAuto().allocate(64L * job.ranks(), 8)),
                () -> job.nondeterministic(() -> 1));
            List<String> names = List.of("gsync", "barrier", "broadcast", "allReduce", "allReduce", "allReduce",
                "allGather", "nondeterministic");
            for (int i = 0; i < calls.size(); i++) {
                misuse(calls.get(i), names.get(i) + " before the first step, outside of initialize",
                    "job.initialize()");
            }
            job.initialize(() -> calls.forEach(Runnable::run));
            misuse(calls.getFirst(), "gsync before the first step");
            for (long step : job.steps(1)) {
                calls.forEach(Runnable::run);
            }
            calls.forEach(Runnable::run);
        });
    }

    @Test
    void whatNeedsNoOtherRankIsAllowedBeforeTheFirstStep() {
        accepted(job -> {
            Window w = job.allocateWindow("w", 64 * job.ranks());
            job.protect("local", 8 + job.ranks()).fill((byte) 0);
            job.protectRotating("turning", 64).next().fill((byte) 0);
            job.report("rank" + job.rank(), job.rank());
            assertEquals(0, w.memory().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
            assertEquals(0, job.step() + job.incarnation() + job.counters().records());
            job.progress();
        });
    }

    @Test
    void aRefusedAccessFailsTheJobWithTheRuleAndTheFix() {
        refused(job -> {
            Window w = job.allocateWindow("w", 64);
            w.fetchAndOp(AtomicOp.SUM, DataType.INT64, 500, 0, 0);
        }, "an access or lock, window=w target=0, before the first step, outside of initialize",
            "do it in what is handed to job.initialize()");
    }

    @Test
    void otherThreadsThanTheDataThreadAreRefused() {
        accepted(job -> {
            Window w = job.allocateWindow("w", 64);
            elsewhere(() -> job.allocateWindow("late", 64));
            elsewhere(() -> job.protect("late", 64));
            elsewhere(() -> job.initialize(() -> { }));
            elsewhere(() -> job.steps(1));
            Request[] request = new Request[1];
            for (long step : job.steps(2)) {
                for (Call call : accesses()) {
                    if (!call.name.equals("prefetch")) {
                        elsewhere(() -> call.body.accept(w));
                    }
                }
                elsewhere(job::gsync);
                elsewhere(job::barrier);
                elsewhere(() -> job.allReduce(AtomicOp.SUM, 1L));
                elsewhere(() -> job.report("key", 1));
                elsewhere(job::progress);
                elsewhere(() -> job.nondeterministic(() -> 1));
                assertEquals(0, w.getLong(0, 0), "a refused access took effect");
                request[0] = w.rput(local(), 0, 1 - job.rank(), 8, 8);
                request[0].await();
                assertEquals(step, job.step());
            }
        });
    }

    private static void elsewhere(Runnable call) {
        Throwable[] thrown = new Throwable[1];
        Thread thread = Thread.ofPlatform().name("helper").start(() -> {
            try {
                misuse(call, "thread=", "helper", "only the thread that entered the program may");
            } catch (RuntimeException | Error e) {
                thrown[0] = e;
            }
        });
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (thrown[0] != null) {
            throw new CompletionException(thrown[0]);
        }
    }

    @Test
    void nullArgumentsAreRefusedByName() {
        accepted(job -> {
            misuse(() -> job.allocateWindow(null, 64), "window: name is null");
            misuse(() -> job.allocateWindow("w", 64, null), "window w: kind is null");
            misuse(() -> job.protect(null, 64), "protected segment: name is null");
            misuse(() -> job.protectRotating(null, 64), "rotating segment: name is null");
            misuse(() -> job.initialize(null), "initialize: body is null");
            Window w = job.allocateWindow("w", 64);
            for (long step : job.steps(1)) {
                nullsOfTheJob(job);
                nullsOfAWindow(w);
                job.gsync();
                assertEquals(0, w.getLong(0, 0), "a refused access took effect");
            }
        });
    }

    @Test
    void memoryThatACollectiveCannotUseIsRefusedBeforeAnybodyWaits() {
        accepted(job -> {
            MemorySegment gone;
            try (Arena arena = Arena.ofConfined()) {
                gone = arena.allocate(8);
            }
            MemorySegment data = local();
            MemorySegment fixed = data.asReadOnly();
            for (long step : job.steps(1)) {
                misuse(() -> job.broadcast(gone, 0), "broadcast: data is closed");
                misuse(() -> job.broadcast(fixed, (job.rank() + 1) % job.ranks()), "broadcast: data is read-only");
                for (MemorySegment bad : List.of(gone, fixed)) {
                    misuse(() -> job.allReduce(AtomicOp.SUM, DataType.INT64, data, bad), "allReduce: destination is ");
                    misuse(() -> job.allGather(data, bad), "allGather: destination is ");
                }
                misuse(() -> job.allReduce(AtomicOp.SUM, DataType.INT64, gone, data), "allReduce: source is closed");
                misuse(() -> job.allGather(gone, data), "allGather: source is closed");
                assertEquals(job.ranks(), job.allReduce(AtomicOp.SUM, 1L), "a refused call took part");
            }
        });
    }

    private static void nullsOfTheJob(Job job) {
        MemorySegment data = local();
        misuse(() -> job.broadcast(null, 0), "broadcast: data is null");
        misuse(() -> job.allReduce(null, 1L), "allReduce: op is null");
        misuse(() -> job.allReduce(null, 1.0), "allReduce: op is null");
        misuse(() -> job.allReduce(null, DataType.INT64, data, data), "allReduce: op is null");
        misuse(() -> job.allReduce(AtomicOp.SUM, null, data, data), "allReduce: type is null");
        misuse(() -> job.allReduce(AtomicOp.SUM, DataType.INT64, null, data), "allReduce: source is null");
        misuse(() -> job.allReduce(AtomicOp.SUM, DataType.INT64, data, null), "allReduce: destination is null");
        misuse(() -> job.allGather(null, data), "allGather: source is null");
        misuse(() -> job.allGather(data, null), "allGather: destination is null");
        misuse(() -> job.nondeterministic(null), "nondeterministic: supplier is null");
        misuse(() -> job.report(null, "value"), "report: key is null");
        misuse(() -> job.report(null, 1), "report: key is null");
        misuse(() -> job.report("key", null), "report: value is null");
    }

    private static void nullsOfAWindow(Window w) {
        MemorySegment data = local();
        AtomicOp sum = AtomicOp.SUM;
        DataType type = DataType.INT64;
        misuse(() -> w.put((MemorySegment) null, 0, 0), "source is null", "window=w");
        misuse(() -> w.put((MemorySegment) null, 0, 0, 0, 8), "source is null");
        misuse(() -> w.get((MemorySegment) null, 0, 0), "destination is null");
        misuse(() -> w.get((MemorySegment) null, 0, 0, 0, 8), "destination is null");
        misuse(() -> w.rput(null, 0, 0, 0, 8), "source is null");
        misuse(() -> w.rget(null, 0, 0, 0, 8), "destination is null");
        misuse(() -> w.putStrided(null, 0, 8, 0, 0, 8, 8, 2), "source is null");
        misuse(() -> w.getStrided(null, 0, 8, 0, 0, 8, 8, 2), "destination is null");
        misuse(() -> w.accumulate(null, type, data, 0, 0, 0, 1), "operation=null");
        misuse(() -> w.accumulate(sum, null, data, 0, 0, 0, 1), "type=null");
        misuse(() -> w.accumulate(sum, type, null, 0, 0, 0, 1), "source is null");
        misuse(() -> w.getAccumulate(null, type, data, 0, data, 8, 0, 0, 1), "operation=null");
        misuse(() -> w.getAccumulate(sum, type, data, 0, null, 8, 0, 0, 1), "result is null");
        misuse(() -> w.accumulateStrided(null, type, data, 0, 8, 0, 0, 8, 1, 2), "operation=null");
        misuse(() -> w.accumulateStrided(sum, null, data, 0, 8, 0, 0, 8, 1, 2), "type=null");
        misuse(() -> w.getAccumulateStrided(sum, null, data, 0, 8, data, 16, 8, 0, 0, 8, 1, 2), "type=null");
        misuse(() -> w.fetchAndOp(null, type, 1, 0, 0), "operation=null");
        misuse(() -> w.fetchAndOp(sum, null, 1, 0, 0), "type=null");
        misuse(() -> w.compareAndSwap(null, 0, 1, 0, 0), "type=null");
        misuse(() -> w.lock(null, 0), "type=null", "SHARED or EXCLUSIVE");
    }

    @Test
    void aProgramHasOneLoopThatIsIteratedOnce() {
        accepted(job -> {
            Iterable<Long> steps = job.steps(2);
            misuse(() -> job.steps(2), "steps() was called before");
            misuse(() -> job.steps(3), "one resilient loop");
            for (long step : steps) {
                misuse(() -> job.steps(2), "steps() was called before");
                misuse(steps::iterator, "iterated already");
            }
            misuse(steps::iterator, "iterated already");
        });
    }

    @Test
    void stepsTakenByHandAreTheSame() {
        accepted(job -> {
            Window w = job.allocateWindow("w", 64);
            Iterator<Long> steps = job.steps(3).iterator();
            for (long expected = 1; expected <= 3; expected++) {
                assertEquals(expected, steps.next());
                assertEquals(expected, job.step());
                w.putLong(expected, 0, 8L * job.rank());
                job.gsync();
            }
            assertEquals(false, steps.hasNext());
        });
    }

    @Test
    void aRotatingSegmentAdvancesInInitializeAndInStepsOnly() {
        accepted(job -> {
            RotatingSegment segment = job.protectRotating("r", 64);
            misuse(segment::advance, "advance, rotating segment r,", "before the first step, outside of initialize");
            job.initialize(segment::advance);
            for (long step : job.steps(2)) {
                segment.advance();
                misuse(segment::advance, "once in a step");
            }
        });
    }

    @Test
    void allocationsAreRefusedInTheLoopInInitializeAndTwiceByOneName() {
        accepted(job -> {
            job.allocateWindow("w", 64);
            job.protect("p", 64);
            job.protectRotating("r", 64);
            misuse(() -> job.allocateWindow("w", 64), "window w: the name is taken");
            misuse(() -> job.protect("p", 64), "protected segment p: the name is taken");
            misuse(() -> job.protectRotating("r", 64), "rotating segment r: the name is taken");
            misuse(() -> job.protect("w", 64), "protected segment w: the name is taken");
            misuse(() -> job.allocateWindow("r", 64), "window r: the name is taken");
            misuse(() -> job.protectRotating("p", 64), "rotating segment p: the name is taken");
            misuse(() -> job.allocateWindow("n", 0), "bytes=0");
            job.initialize(() -> {
                misuse(() -> job.allocateWindow("v", 64), "window v is allocated inside of initialize",
                    "allocate before steps()");
                misuse(() -> job.protect("v", 64), "protected segment v is allocated inside of initialize");
                misuse(() -> job.steps(3), "inside of initialize");
            });
            Iterable<Long> steps = job.steps(1);
            misuse(() -> job.allocateWindow("v", 64), "window v is allocated after steps()");
            misuse(() -> job.initialize(() -> { }), "initialize: call it before steps()");
            for (long step : steps) {
                misuse(() -> job.allocateWindow("v", 64), "window v is allocated after the first step has begun");
                misuse(() -> job.protectRotating("v", 64), "allocate before steps()");
                misuse(() -> job.initialize(() -> { }), "initialize: call it before steps()");
            }
        });
    }

    @Test
    void anExclusiveLockHeldAtTheEndIsRefusedAndASharedOneIsNot() {
        refused(job -> {
            Window w = job.allocateWindow("w", 64);
            for (long step : job.steps(2)) {
                if (step == 2 && job.rank() == 1) {
                    w.lock(LockType.EXCLUSIVE, 0);
                }
            }
        }, "rank 1 failed", "window=w target=0: the program returned with an exclusive lock held", "unlock it");
        accepted(job -> {
            Window w = job.allocateWindow("w", 64, WindowKind.SCRATCH);
            for (long step : job.steps(2)) {
                if (step == 2) {
                    w.lock(LockType.SHARED, 0);
                }
            }
        });
    }
}
