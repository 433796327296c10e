package org.ftrma.launch.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.rank.control.FrameDescriptor;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;

/** A process with the ports of a launcher and of an agent that runs out of files, and gets some back. One thread. */
final class StarvedPorts {
    private static final long SECOND = 1_000_000_000L;

    private StarvedPorts() {
    }

    /** Says what it does, a line each; each line that it is given makes it go on. */
    public static void main(String[] arguments) throws IOException {
        Token token = Token.random();
        ControlServer.Listener listener = new ControlServer.Listener() {
            @Override
            public void joined(int process, long pid) {
                throw new IllegalStateException("nobody is expected");
            }

            @Override
            public void received(int process, byte[] payload) {
                throw new IllegalStateException("nobody is expected");
            }

            @Override
            public void disconnected(int process, String why) {
                throw new IllegalStateException("nobody is expected");
            }

            @Override
            public void rejected(String why) {
                System.out.println("server: " + why);
            }
        };
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ControlServer server = new ControlServer(any, token, listener, 60 * SECOND, SECOND,
            MachineClock.HERE);
            Lifelines lifelines = new Lifelines(token, 60 * SECOND, () -> { }, why ->
                System.out.println("lifelines: " + why), MachineClock.HERE)) {
            connectOnce(server, lifelines);
            System.out.println("ports " + server.address().getPort() + " " + lifelines.port());
            List<InputStream> taken = new ArrayList<>();
            String full = takeAll(taken);
            System.out.println("full " + full);
            System.in.read(); // somebody has connected to both
            System.out.println("starved " + poll(server, 2 * SECOND));
            for (InputStream one : taken) {
                one.close();
            }
            System.out.println("free");
            poll(server, 60 * SECOND);
        }
    }

    private static String takeAll(List<InputStream> taken) {
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private static int poll(ControlServer server, long nanos) {
        long end = System.nanoTime() + nanos;
        int polls = 0;
        for (; System.nanoTime() - end < 0; polls++) {
            server.poll(100);
        }
        return polls;
    }

    /** What that takes of classes is loaded then: there are no files for them later. */
    private static void connectOnce(ControlServer server, Lifelines lifelines) throws IOException {
        try (Socket first = new Socket(server.address().getAddress(), server.address().getPort());
            Socket second = new Socket(server.address().getAddress(), lifelines.port())) {
            while (first.getInputStream().available() == 0) {
                server.poll(10);
            }
            second.getOutputStream().write(new byte[FrameDescriptor.HEADER_BYTES]);
            while (second.getInputStream().read() >= 0) {
                continue;
            }
        } catch (SocketException e) {
            System.out.println("reset");
        }
        poll(server, SECOND / 5); // its end is found in one turn, and its file is given back in the next one
    }
}
