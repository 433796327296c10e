package org.ftrma.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.testkit.programs.SimProgram;

/**
 * A program of which one rank sends something else than it remembers: the source of its n-th call of a name has a wrong
 * bit. Also notes the names of all calls of channels.
 */
final class TamperedMessages implements SimProgram {
    private final SimProgram program;
    private final String call;
    private final int rank;
    private final int which;
    private final Set<String> called;
    private final AtomicInteger calls = new AtomicInteger();

    TamperedMessages(SimProgram program, String call, int rank, int which, Set<String> called) {
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
            if (type == Channel.class) {
                called.add(method.getName());
                if (ofRank == rank && method.getName().equals(call)) {
                    change(args);
                }
            }
            Object result = invoke(method, target, args);
            return result instanceof Channel channel ? wrap(Channel.class, channel, ofRank) : result;
        }));
    }

    private void change(Object[] args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof MemorySegment source) {
                if (source.byteSize() >= 8 && calls.incrementAndGet() == which) {
                    MemorySegment wrong = Arena.ofAuto().allocate(source.byteSize(), 8).copyFrom(source);
                    wrong.set(ValueLayout.JAVA_BYTE, 5, (byte) (source.get(ValueLayout.JAVA_BYTE, 5) ^ 2));
                    args[i] = wrong;
                }
                return;
            }
        }
    }

    private static Object invoke(Method method, Object target, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
