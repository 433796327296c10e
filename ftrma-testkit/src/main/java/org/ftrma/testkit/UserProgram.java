package org.ftrma.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.options.ShellLine;
import org.ftrma.testkit.programs.SimProgram;

/**
 * A program of a user in simulated processes: each has an object of its own, or, where it is a class with a main
 * method, classes of its own. It ends with the contents of its protected windows and segments. Any thread; what it does
 * in a process on that one's.
 */
abstract class UserProgram implements SimProgram {
    private final String name;
    private final Set<String> compared;
    /** Takes the state at each step of the runs that begin now, or null. */
    private volatile StepStates states;

    private UserProgram(String name, Set<String> compared) {
        this.name = name;
        this.compared = compared;
    }

    /**
     * The program that a class's main method runs.
     *
     * @param compared the windows and segments whose contents count; none: all
     */
    static UserProgram of(Class<?> main, List<String> arguments, Set<String> compared) {
        requireMain(main);
        FreshClasses classes = new FreshClasses(main);
        String said = arguments.isEmpty() ? main.getName() : main.getName() + " " + ShellLine.of(arguments);
        return new UserProgram(said, compared) {
            @Override
            public void begin(Results results, Consumer<Program> rank) {
                SimRuntime.Entry entry = new SimRuntime.Entry(program -> rank.accept(watched(program, results)));
                Throwable failure = null;
                try {
                    Method method = classes.load().getMethod("main", String[].class);
                    method.setAccessible(true);
                    SimRuntime.call(entry, () -> {
                        method.invoke(null, (Object) arguments.toArray(String[]::new));
                        return null;
                    });
                } catch (InvocationTargetException e) {
                    failure = e.getCause();
                } catch (ReflectiveOperationException e) {
                    failure = e;
                }
                end(failure, entry, rank);
            }
        };
    }

    /** A program of which each process makes an object. */
    static UserProgram of(String name, Supplier<? extends Program> maker, Set<String> compared) {
        return new UserProgram(name, compared) {
            @Override
            public void begin(Results results, Consumer<Program> rank) {
                rank.accept(watched(maker.get(), results));
            }
        };
    }

    private static void requireMain(Class<?> main) {
        Method method;
        try {
            method = main.getMethod("main", String[].class);
        } catch (NoSuchMethodException e) {
            throw new MisuseException(main.getName() + " has no public static void main(String[])");
        }
        if (!Modifier.isStatic(method.getModifiers())) {
            throw new MisuseException(main.getName() + ".main is not static");
        }
    }

    /** What was thrown inside of Ftrma.run the job knows already. */
    private static void end(Throwable failure, SimRuntime.Entry entry, Consumer<Program> rank) {
        if (failure instanceof SimDeath death) {
            throw death;
        }
        if (!entry.entered()) {
            Exception told = failure instanceof Exception known ? known : new MisuseException(failure == null
                ? "main returned without having called Ftrma.run" : "main threw " + failure);
            rank.accept(job -> {
                throw told;
            });
        } else if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw new IllegalStateException("the program's main method threw " + failure, failure);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void run(Job job, Results results) {
        throw new IllegalStateException(name + " is entered by begin");
    }

    @Override
    public abstract void begin(Results results, Consumer<Program> rank);

    void record(StepStates ofRun) {
        states = ofRun;
    }

    Program watched(Program program, Results results) {
        return job -> {
            WatchedJob watched = new WatchedJob(job, states);
            program.run(watched);
            watched.end(compared, results);
        };
    }

    /** Names of those that do not exist are an error of the test. */
    static void requireKnown(Set<String> compared, Set<String> found) {
        for (String one : compared) {
            if (found.stream().noneMatch(name -> name.endsWith(" " + one))) {
                throw new MisuseException("comparing=" + one + ": the program has no protected window or segment of "
                    + "that name; it has " + Arrays.toString(found.toArray()));
            }
        }
    }
}
