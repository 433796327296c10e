package org.ftrma.apps.kvstore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Supplier;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.testkit.programs.SimProgram;

/** A program on simulated ranks: what it reports, but for times, is its result. */
record SimulatedProgram(String name, Supplier<Program> program) implements SimProgram {
    private static final Set<String> TIMES = Set.of("seconds", "insertsPerSecond", "insertingShare", "meanWaitNanos",
        "allocatedBytesPerInsert",
        "processorNanosPerInsert");

    /** The benchmark with these arguments. */
    static SimulatedProgram benchmark(String arguments) {
        return new SimulatedProgram("kv", () -> new KvStore(arguments.split(" ")));
    }

    @Override
    public void run(Job job, Results results) throws Exception {
        program.get().run((Job) Proxy.newProxyInstance(Job.class.getClassLoader(), new Class<?>[] {Job.class},
            (proxy, method, args) -> {
                if (method.getName().equals("report") && !TIMES.contains(args[0])) {
                    byte[] bytes = args[1].toString().getBytes(StandardCharsets.UTF_8);
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment text = arena.allocate(bytes.length);
                        text.copyFrom(MemorySegment.ofArray(bytes));
                        results.store((String) args[0], text);
                    }
                }
                try {
                    return method.invoke(job, args);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }));
    }
}
