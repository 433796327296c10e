package org.ftrma.rma.log;

/**
 * Logs the values that accesses returned. The same access with the same outcome again, when nothing else was logged
 * meanwhile, is only counted in its record: the program polls. Part of an {@link AccessLog}; data thread only;
 * allocates nothing.
 */
final class ResultRecorder {
    /** The newest logged access; its log is null if what comes is no repetition whatever it is. */
    final Determinant last = new Determinant();
    private LogWriter lastLog;
    private long value;
    private long value2;
    private long repeats;

    /** Logs one value; false if there was no room. */
    boolean log(LogWriter results, Determinant access, long result) {
        if (repeats(results, access, result, 0)) {
            return true;
        }
        boolean appended = results.appendLong(access, result);
        begin(results, access, result, 0);
        return appended;
    }

    /** Logs the three values of an atomic access. */
    boolean log(LogWriter results, Determinant access, long operand, long old, long updated) {
        boolean repeatable = old == updated;
        if (repeatable && repeats(results, access, operand, old)) {
            return true;
        }
        boolean appended = results.appendLong(access, operand, old, updated);
        begin(repeatable ? results : null, access, operand, old);
        return appended;
    }

    private boolean repeats(LogWriter results, Determinant access, long first, long second) {
        return lastLog == results && value == first && value2 == second && last.is(access) && again();
    }

    /**
     * Whether the newest one was the same get with the same value, when that was. Nothing is filled in to find that
     * out: a program that polls waits for it.
     */
    boolean repeatsLong(LogWriter results, int window, long offset, long result) {
        return lastLog == results && value == result && last.isAt(LogDescriptor.GET_LONG, window, offset);
    }

    /** The newest one, which {@link #repeatsLong}, is counted once more; false if its record is complete. */
    boolean again() {
        if (lastLog.repeat(last, repeats + 1)) {
            repeats++;
            return true;
        }
        return false;
    }

    private void begin(LogWriter results, Determinant access, long first, long second) {
        if (lastLog != results) { // comparisons cost less than stores here: see Determinant.next
            lastLog = results;
        }
        if (!last.is(access)) {
            last.copy(access);
        }
        value = first;
        value2 = second;
        repeats = 0;
    }

    /** Another record follows: what comes is no repetition. */
    void forget() {
        lastLog = null;
    }
}
