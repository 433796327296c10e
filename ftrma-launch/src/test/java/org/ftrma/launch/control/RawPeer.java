package org.ftrma.launch.control;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.ftrma.rank.control.ControlPeer;
import org.ftrma.rank.control.FrameDescriptor;
import org.ftrma.rank.control.FrameReader;
import org.ftrma.rank.control.Handshake;
import org.ftrma.rank.control.Seal;
import org.ftrma.rank.control.Token;

/** The connecting end of a control connection, byte by byte. One thread. */
final class RawPeer implements AutoCloseable {
    final Socket socket;
    final FrameReader reader = new FrameReader();
    Handshake handshake;
    Seal seal;

    /** Connects, and says nothing. */
    RawPeer(InetSocketAddress launcher) throws IOException {
        socket = new Socket(launcher.getAddress(), launcher.getPort());
        socket.setSoTimeout(20_000);
    }

    /** Reads up to the next whole frame; false at the end. */
    boolean next() throws IOException {
        while (!reader.next()) {
            ByteBuffer space = reader.space();
            int count = socket.getInputStream().read(space.array(), space.position(), space.remaining());
            if (count < 0) {
                return false;
            }
            space.position(space.position() + count);
        }
        return true;
    }

    /** What it says to the challenge. */
    byte[] hello(ControlPeer who, Token token, boolean sealed) throws IOException {
        if (!next()) {
            throw new IOException("no challenge");
        }
        handshake = Handshake.answering(reader.kind(), reader.body(), who, sealed, token);
        return handshake.hello().array();
    }

    RawPeer write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Says who it is. */
    RawPeer greet(ControlPeer who, Token token, boolean sealed) throws IOException {
        write(hello(who, token, sealed));
        seal = handshake.toLauncher();
        return this;
    }

    /** Reads the welcome. */
    void awaitWelcome() throws IOException {
        if (!next()) {
            throw new IOException("no welcome");
        }
        handshake.welcomed(reader.kind(), reader.body());
        reader.trust(handshake.fromLauncher());
    }

    byte[] payload(byte[] body) {
        return seal.frame(FrameDescriptor.PAYLOAD, body).array();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
