package org.ftrma.apps.samples;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.testkit.programs.SimProgram;

/** A sample as a program of the simulator: what it reports, but for what chance decides, is its result. */
final class SimulatedSample implements SimProgram {
    private static final Set<Object> BY_CHANCE = Set.of("seconds", "tasks.iterations", "mostOfARank");
    private final String line;
    private String spoiled = "";

    SimulatedSample(String line) {
        this.line = line;
    }

    /** Rank 0 changes one bit of this window of its own after the last step. */
    SimulatedSample spoiling(String window) {
        spoiled = window;
        return this;
    }

    @Override
    public String name() {
        return line.split(" ")[0];
    }

    private Program program() {
        List<String> words = List.of(line.split(" "));
        String[] args = words.subList(1, words.size()).toArray(String[]::new);
        return Samples.byName(words.getFirst()).program().apply(args);
    }

    @Override
    public void run(Job job, Results results) throws Exception {
        Window[] victim = new Window[1];
        program().run((Job) Proxy.newProxyInstance(Job.class.getClassLoader(), new Class<?>[] {Job.class},
            (proxy, method, args) -> {
                if (method.getName().equals("report") && !BY_CHANCE.contains(args[0])
                    && !BY_CHANCE.contains(name() + "." + args[0])) {
                    byte[] bytes = args[1].toString().getBytes(StandardCharsets.UTF_8);
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment text = arena.allocate(bytes.length);
                        text.copyFrom(MemorySegment.ofArray(bytes));
                        results.store((String) args[0], text);
                    }
                }
                try {
                // After the last step of all, when nothing but the report is left.
                    if (method.getName().equals("nondeterministic") && victim[0] != null && job.rank() == 0) {
                        MemorySegment own = victim[0].memory();
                        own.set(ValueLayout.JAVA_LONG, 0, own.get(ValueLayout.JAVA_LONG, 0) ^ 4);
                    }
                    Object result = method.invoke(job, args);
                    if (result instanceof Window window && window.name().equals(spoiled)) {
                        victim[0] = window;
                    }
                    return result;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }));
    }
}
