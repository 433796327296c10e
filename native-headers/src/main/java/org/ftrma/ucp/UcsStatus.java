package org.ftrma.ucp;

/**
 * {@code ucs_status_t}: one signed byte (the enumeration is packed), and its other form {@code ucs_status_ptr_t}: a
 * pointer-sized result that is 0 for "done", a request's address for "under way", or a negative status.
 */
public final class UcsStatus {
    /** Done. */
    public static final byte UCS_OK = 0;
    /** Under way. */
    public static final byte UCS_INPROGRESS = 1;
    /** Out of a resource; try again. */
    public static final byte UCS_ERR_NO_RESOURCE = -2;
    /** Input or output failed. */
    public static final byte UCS_ERR_IO_ERROR = -3;
    /** Out of memory. */
    public static final byte UCS_ERR_NO_MEMORY = -4;
    /** Invalid parameter. */
    public static final byte UCS_ERR_INVALID_PARAM = -5;
    /** Destination is unreachable. */
    public static final byte UCS_ERR_UNREACHABLE = -6;
    /** Address not valid. */
    public static final byte UCS_ERR_INVALID_ADDR = -7;
    /** Not implemented. */
    public static final byte UCS_ERR_NOT_IMPLEMENTED = -8;
    /** Busy: for a worker that is to be armed, that events are pending. */
    public static final byte UCS_ERR_BUSY = -15;
    /** Request was cancelled. */
    public static final byte UCS_ERR_CANCELED = -16;
    /** Timed out. */
    public static final byte UCS_ERR_TIMED_OUT = -20;
    /** Not supported here. */
    public static final byte UCS_ERR_UNSUPPORTED = -22;
    /** Rejected by the other side. */
    public static final byte UCS_ERR_REJECTED = -23;
    /** Not connected. */
    public static final byte UCS_ERR_NOT_CONNECTED = -24;
    /** Connection reset by the other side. */
    public static final byte UCS_ERR_CONNECTION_RESET = -25;
    /** The other side does not answer. */
    public static final byte UCS_ERR_ENDPOINT_TIMEOUT = -80;
    /** Below every error. */
    public static final byte UCS_ERR_LAST = -100;

    private UcsStatus() {
    }

    /** Whether a {@code ucs_status_ptr_t} is an error ({@code UCS_PTR_IS_ERR}). */
    public static boolean isError(long statusPointer) {
        return Long.compareUnsigned(statusPointer, UCS_ERR_LAST) >= 0;
    }

    /** Whether a {@code ucs_status_ptr_t} is a request that has to be tested and freed ({@code UCS_PTR_IS_PTR}). */
    public static boolean isRequest(long statusPointer) {
        return Long.compareUnsigned(statusPointer - 1, UCS_ERR_LAST - 1L) < 0;
    }

    /** The status in a {@code ucs_status_ptr_t} that is no request. */
    public static byte of(long statusPointer) {
        return (byte) statusPointer;
    }
}
