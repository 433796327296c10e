package org.ftrma.core.control;

import org.ftrma.FtrmaException;
import org.ftrma.spi.ControlPlane;

/**
 * Messages as bytes: one tag byte (the place of the record in {@link MessageKinds}), then the components in order.
 *
 * <pre>
 *   int, long     4, 8 bytes, big-endian          String, byte[]   4 bytes length, contents (UTF-8)
 *   boolean       1 byte, 0 or 1                   long[], byte[][] 4 bytes count, elements
 *   Map           4 bytes count, key and value of each as String
 * </pre>
 *
 * <p>A frame that is not exactly one well-formed message is refused; lengths are checked before memory is taken.
 * Immutable; any thread.
 */
public final class MessageCodec {
    private MessageCodec() {
    }

    /** A frame that is not a message. */
    public static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    /** The frame of a message. */
    public static byte[] encode(ControlMessage message) {
        MessageWriter out = new MessageWriter();
        MessageKinds.write(message, out);
        if (out.size() > ControlPlane.MAX_FRAME_BYTES) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "message=" + message.getClass().getSimpleName() + " bytes=" + out.size()
                + " maximum=" + ControlPlane.MAX_FRAME_BYTES + ": too many ranks for one frame");
        }
        return out.toByteArray();
    }

    /** Whether a frame says that it is a message of that kind; it may be malformed. */
    public static boolean isOf(byte[] frame, Class<? extends ControlMessage> kind) {
        return frame.length > 0 && frame[0] >= 0 && frame[0] < MessageKinds.count()
            && MessageKinds.type(frame[0]) == kind;
    }

    /** The message of a frame. */
    public static ControlMessage decode(byte[] frame) throws MalformedException {
        if (frame.length == 0 || frame.length > ControlPlane.MAX_FRAME_BYTES) {
            throw new MalformedException("frame of " + frame.length + " bytes");
        }
        int tag = frame[0];
        if (tag < 0 || tag >= MessageKinds.count()) {
            throw new MalformedException("unknown tag " + tag);
        }
        MessageReader in = new MessageReader(frame);
        ControlMessage message;
        try {
            message = MessageKinds.read(tag, in);
        } catch (MalformedException e) {
            throw new MalformedException(MessageKinds.type(tag).getSimpleName() + " " + e.getMessage());
        }
        if (in.remaining() > 0) {
            throw new MalformedException(MessageKinds.type(tag).getSimpleName() + " with " + in.remaining()
                + " bytes too many");
        }
        return message;
    }
}
