package org.ftrma.launch.disk;

import org.ftrma.FtrmaException;

/** A file of an image is not as it was written; the message says which, and where. */
public final class DamagedImageException extends FtrmaException {
    private static final long serialVersionUID = 1L;

    DamagedImageException(String message) {
        super(Category.FATAL, message);
    }

    DamagedImageException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
