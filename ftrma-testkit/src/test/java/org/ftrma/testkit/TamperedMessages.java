package org.ftrma.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.util.Set;
import org.ftrma.Channel;
import org.ftrma.testkit.programs.SimProgram;

/**
 * A program of which one rank sends something else than it remembers: the source of its n-th call of a name has a wrong
 * bit. Also notes the names of all calls of channels.
 */
final class TamperedMessages extends Tampered {
    TamperedMessages(SimProgram program, String call, int rank, int which, Set<String> called) {
        super(program, call, rank, which, called);
    }

    @Override
    Object call(Object target, Method method, Object[] args, int ofRank) throws Throwable {
        if (target instanceof Channel) {
            called.add(method.getName());
            if (isMeant(method, ofRank)) {
                change(args);
            }
        }
        Object result = invoke(method, target, args);
        return result instanceof Channel channel ? wrap(Channel.class, channel, ofRank) : result;
    }

    private void change(Object[] args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof MemorySegment source) {
                if (source.byteSize() >= 8 && isTheOne()) {
                    MemorySegment wrong = Arena.ofAuto().allocate(source.byteSize(), 8).copyFrom(source);
                    wrong.set(ValueLayout.JAVA_BYTE, 5, (byte) (source.get(ValueLayout.JAVA_BYTE, 5) ^ 2));
                    args[i] = wrong;
                }
                return;
            }
        }
    }
}
