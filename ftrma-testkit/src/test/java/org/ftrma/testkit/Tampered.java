package org.ftrma.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.ftrma.Job;
import org.ftrma.testkit.programs.SimProgram;

/** A program of which the n-th call of a name goes wrong at one rank. Also notes the names of calls. */
abstract class Tampered implements SimProgram {
    /** Names of calls. */
    final Set<String> called;
    private final SimProgram program;
    private final String call;
    private final int rank;
    private final int which;
    private final AtomicInteger calls = new AtomicInteger();

    Tampered(SimProgram program, String call, int rank, int which, Set<String> called) {
        this.program = program;
        this.call = call;
        this.rank = rank;
        this.which = which;
        this.called = called;
    }

    /** Whether the call took place. */
    final boolean tampered() {
        return calls.get() >= which;
    }

    /** Whether a method is the one of which a call goes wrong, at the rank where it does. */
    final boolean isMeant(Method method, int ofRank) {
        return ofRank == rank && method.getName().equals(call);
    }

    /** One more of those calls: whether it is the one that goes wrong. */
    final boolean isTheOne() {
        return calls.incrementAndGet() == which;
    }

    @Override
    public final String name() {
        return program.name();
    }

    @Override
    public final void run(Job job, Results results) throws Exception {
        program.run(wrap(Job.class, job, job.rank()), results);
    }

    /** What a rank has, with calls that may go wrong. */
    final <T> T wrap(Class<T> type, T target, int ofRank) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) ->
            call(target, method, args, ofRank)));
    }

    /** Does a call, wrongly if it is the one; what it returns is wrapped where further calls of that may be. */
    abstract Object call(Object target, Method method, Object[] args, int ofRank) throws Throwable;

    static Object invoke(Method method, Object target, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
