package org.ftrma.rank.disk;

import org.ftrma.FtrmaException;

/** A file of an image is not as it was written; the message says which, and where. */
public final class DamagedImageException extends FtrmaException {
    private static final long serialVersionUID = 1L;

    public DamagedImageException(String message) {
        super(Category.FATAL, message);
    }

    public DamagedImageException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
