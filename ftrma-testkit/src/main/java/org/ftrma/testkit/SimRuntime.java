package org.ftrma.testkit;

import java.util.function.Consumer;
import org.ftrma.JobRuntime;
import org.ftrma.MisuseException;
import org.ftrma.Program;

/**
 * Connects a program's {@link org.ftrma.Ftrma#run} to the simulated process whose thread has called its main method.
 * Any thread.
 */
public final class SimRuntime implements JobRuntime {
    private static final ScopedValue<Entry> CURRENT = ScopedValue.newInstance();

    /** Found by its name in META-INF/services. */
    public SimRuntime() {
    }

    @Override
    public boolean available() {
        return CURRENT.isBound();
    }

    @Override
    public void run(String[] args, Program program) {
        CURRENT.get().enter(program);
    }

    /** Calls {@code body} with the entry bound to this thread. */
    static <X extends Throwable> void call(Entry entry, ScopedValue.CallableOp<Void, X> body) throws X {
        ScopedValue.where(CURRENT, entry).call(body);
    }

    /** Where a simulated process enters the program, once. The process's thread only. */
    static final class Entry {
        private final Consumer<Program> rank;
        private boolean entered;

        Entry(Consumer<Program> rank) {
            this.rank = rank;
        }

        boolean entered() {
            return entered;
        }

        void enter(Program program) {
            if (entered) {
                throw new MisuseException("Ftrma.run was called a second time: a process plays one rank of one job; "
                    + "make both phases one program, or simulate a second job");
            }
            entered = true;
            rank.accept(program);
        }
    }
}
