package org.ftrma.testkit;

import java.lang.reflect.Method;
import java.util.Set;
import org.ftrma.AtomicOp;
import org.ftrma.Window;
import org.ftrma.testkit.programs.SimProgram;

/**
 * A program one of whose accesses goes wrong: at one rank the n-th call of a name returns a value with a wrong bit, or
 * is left out if it returns none. Atomic reads do not count: a program may read again. Also notes the names of all
 * calls.
 */
final class TamperedProgram extends Tampered {
    TamperedProgram(SimProgram program, String call, int rank, int which, Set<String> called) {
        super(program, call, rank, which, called);
    }

    @Override
    Object call(Object target, Method method, Object[] args, int ofRank) throws Throwable {
        called.add(method.getName());
        boolean wrong = isMeant(method, ofRank) && isChange(args) && isTheOne();
        if (wrong && method.getReturnType() == void.class) {
            return null;
        }
        Object result = invoke(method, target, args);
        if (result instanceof Window window) {
            return wrap(Window.class, window, ofRank);
        }
        return wrong ? (Object) ((long) result ^ 2) : result;
    }

    private static boolean isChange(Object[] args) {
        return args == null || args.length == 0 || args[0] != AtomicOp.NO_OP;
    }
}
