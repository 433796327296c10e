package org.ftrma.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.ftrma.AtomicOp;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.testkit.programs.SimProgram;

/**
 * A program one of whose accesses goes wrong: at one rank the n-th call of a name returns a value with a wrong bit, or
 * is left out if it returns none. Atomic reads do not count: a program may read again. Also notes the names of all
 * calls.
 */
final class TamperedProgram implements SimProgram {
    private final SimProgram program;
    private final String call;
    private final int rank;
    private final int which;
    private final Set<String> called;
    private final AtomicInteger calls = new AtomicInteger();

    TamperedProgram(SimProgram program, String call, int rank, int which, Set<String> called) {
        this.program = program;
        this.call = call;
        this.rank = rank;
        this.which = which;
        this.called = called;
    }

    /** Whether the call took place. */
    boolean tampered() {
        return calls.get() >= which;
    }

    @Override
    public String name() {
        return program.name();
    }

    @Override
    public void run(Job job, Results results) throws Exception {
        program.run(wrap(Job.class, job, job.rank()), results);
    }

    private <T> T wrap(Class<T> type, T target, int ofRank) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            called.add(method.getName());
            boolean wrong = ofRank == rank && method.getName().equals(call) && isChange(args)
                && calls.incrementAndGet() == which;
            if (wrong && method.getReturnType() == void.class) {
                return null;
            }
            Object result = invoke(method, target, args);
            if (result instanceof Window window) {
                return wrap(Window.class, window, ofRank);
            }
            return wrong ? (Object) ((long) result ^ 2) : result;
        }));
    }

    private static boolean isChange(Object[] args) {
        return args == null || args.length == 0 || args[0] != AtomicOp.NO_OP;
    }

    private static Object invoke(Method method, Object target, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
