package org.ftrma.ucp;

/** The UCX library is missing, too old, or lacks a symbol. The message says what to do. */
public final class UcpUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UcpUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
