package org.ftrma.checkpoint.log;

/** The newest logged outcome of an {@link AccessLog}: the same again is only counted. Data thread only. */
final class Same {
    private LogWriter log;
    private int kind;
    private int window;
    private int target;
    private int code;
    private long offset;
    private long value;
    private long value2;
    private long epoch;
    private long gc;
    private long sc;
    private long gnc;
    long repeats;

    boolean is(LogWriter inLog, int ofKind, int inWindow, int atTarget, int withCode, long at, long first, long second) {
        return log == inLog && kind == ofKind && window == inWindow && target == atTarget && code == withCode && offset == at && value == first
            && value2 == second;
    }

    boolean at(long anEpoch, long aGc, long anSc, long aGnc) {
        return epoch == anEpoch && gc == aGc && sc == anSc && gnc == aGnc;
    }

    void set(LogWriter inLog, int ofKind, int inWindow, int atTarget, int withCode, long at, long first, long second) {
        log = inLog;
        kind = ofKind;
        window = inWindow;
        target = atTarget;
        code = withCode;
        offset = at;
        value = first;
        value2 = second;
    }

    /** Another record follows: what comes is no repetition. */
    void forget() {
        log = null;
    }

    void moment(long anEpoch, long aGc, long anSc, long aGnc) {
        epoch = anEpoch;
        gc = aGc;
        sc = anSc;
        gnc = aGnc;
        repeats = 0;
    }
}
