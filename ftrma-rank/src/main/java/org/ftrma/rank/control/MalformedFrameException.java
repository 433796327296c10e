package org.ftrma.rank.control;

import java.io.IOException;

/** Received bytes are not a frame; the connection they came from is of no further use. */
public final class MalformedFrameException extends IOException {
    private static final long serialVersionUID = 1L;

    public MalformedFrameException(String message) {
        super(message);
    }
}
