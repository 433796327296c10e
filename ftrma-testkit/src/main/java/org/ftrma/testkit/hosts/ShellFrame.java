package org.ftrma.testkit.hosts;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A piece of a remote shell's conversation: kind (u8), length (u32), so many bytes.
 *
 * @param kind COMMAND first, then INPUT and INPUT_END from the client, OUTPUT, ERROR and at last EXIT from the server
 */
record ShellFrame(int kind, byte[] bytes) {
    static final int COMMAND = 1;
    static final int INPUT = 2;
    static final int INPUT_END = 3;
    static final int OUTPUT = 4;
    static final int ERROR = 5;
    static final int EXIT = 6;
    private static final int PIECE_BYTES = 1 << 16;
    private static final int MAX_BYTES = 1 << 20;

    /** The next one, or null at the end of the connection. */
    static ShellFrame read(DataInputStream in) throws IOException {
        try {
            int kind = in.readUnsignedByte();
            int length = in.readInt();
            if (length < 0 || length > MAX_BYTES) {
                throw new IOException("length=" + length + ": a piece of a remote shell has at most " + MAX_BYTES);
            }
            return new ShellFrame(kind, in.readNBytes(length));
        } catch (EOFException e) {
            return null;
        }
    }

    /** Any thread. */
    static void write(DataOutputStream out, int kind, byte[] bytes) throws IOException {
        synchronized (out) {
            out.writeByte(kind);
            out.writeInt(bytes.length);
            out.write(bytes);
            out.flush();
        }
    }

    /** Sends all that comes, until its end. */
    static void pass(InputStream from, DataOutputStream out, int kind) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        for (int length = from.read(piece); length >= 0; length = from.read(piece)) {
            write(out, kind, Arrays.copyOf(piece, length));
        }
    }
}
