package org.ftrma.spi;

/**
 * Leaves the program's code because the view changed. Not an error and not for programs: whoever catches it must throw
 * it on. Until the program was left every later access fails, and what the program throws instead (from a finally
 * block, say) counts as this. Carries no stack trace.
 */
public final class Unwind extends Error {
    private static final long serialVersionUID = 1L;

    /** Leaves the program. */
    public Unwind(String reason) {
        super(reason, null, false, false);
    }
}
