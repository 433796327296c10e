package org.ftrma.launch;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/** Standard output that remembers why it could not be written: a print stream only knows that. Any thread. */
final class StandardOutput extends PrintStream {
    private final Remembering stream;

    /** Prints UTF-8 to a stream, a line at a time. */
    StandardOutput(OutputStream stream) {
        this(new Remembering(stream));
    }

    private StandardOutput(Remembering stream) {
        super(new BufferedOutputStream(stream), true, StandardCharsets.UTF_8);
        this.stream = stream;
    }

    /** The first failure, or null. */
    IOException failure() {
        return stream.failure.get();
    }

    private static final class Remembering extends FilterOutputStream {
        private final AtomicReference<IOException> failure = new AtomicReference<>();

        Remembering(OutputStream stream) {
            super(stream);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                failure.compareAndSet(null, e);
                throw e;
            }
        }
    }
}
