package org.ftrma;

/**
 * A wrong argument or a call at the wrong time. The message names the values and the limit; nothing was changed. Of
 * messages and collectives it also tells what another rank does that does not fit ({@link Channel}).
 */
public final class MisuseException extends FtrmaException {
    private static final long serialVersionUID = 1L;

    /** A misuse with the values and the limit in its message. */
    public MisuseException(String message) {
        super(Category.MISUSE, message);
    }
}
