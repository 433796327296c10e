package org.ftrma.ucp;

/** Rethrows the {@code Throwable} that every method handle declares: a downcall throws nothing checked. */
final class Rethrow {
    private Rethrow() {
    }

    static RuntimeException unchecked(Throwable t) {
        if (t instanceof RuntimeException e) {
            return e;
        }
        if (t instanceof Error e) {
            throw e;
        }
        return new IllegalStateException(t);
    }
}
