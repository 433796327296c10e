package org.ftrma.testkit.hosts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The program of a {@link HostPeer}: answers whatever comes over tcp and udp by the same bytes, and talks to others as
 * lines of standard input say. Each line is answered by one.
 */
final class EchoPeer {
    private static final int PORT = 7000;
    private static final int PIECE = 1 << 16;

    private final Map<String, Socket> connections = new HashMap<>();
    private final Semaphore heard = new Semaphore(0);
    private int tokens;

    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        EchoPeer peer = new EchoPeer();
        ServerSocket server = new ServerSocket(PORT);
        DatagramSocket datagrams = new DatagramSocket(PORT);
        start(() -> peer.accept(server));
        start(() -> peer.answer(datagrams));
        out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                out.println(peer.execute(line.split(" ")));
            } catch (IOException | InterruptedException | RuntimeException e) {
                out.println(e);
            }
        }
    }

    private static void start(Runnable action) {
        Thread.ofPlatform().daemon(true).start(action);
    }

    private void accept(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                start(() -> echo(socket));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            Thread.onSpinWait(); // the other end is gone
        }
    }

    private void answer(DatagramSocket socket) {
        try {
            DatagramPacket packet = new DatagramPacket(new byte[PIECE], PIECE);
            while (true) {
                socket.receive(packet);
                heard.release();
                socket.send(packet);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String execute(String[] words) throws IOException, InterruptedException {
        return switch (words[0]) {
            case "connect" -> connect(words[1], words[2], Integer.parseInt(words[3]));
            case "echo" -> echo(connections.get(words[1]), Integer.parseInt(words[2]));
            case "read" -> read(connections.get(words[1]), Integer.parseInt(words[2]));
            case "push" -> push(connections.get(words[1]), Integer.parseInt(words[2]));
            case "datagrams" -> datagrams(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            case "heard" -> heard(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private String connect(String name, String host, int millis) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, PORT), millis);
        } catch (SocketTimeoutException | NoRouteToHostException e) {
            return "silence";
        } catch (ConnectException e) {
            return "refused";
        }
        socket.setTcpNoDelay(true);
        connections.put(name, socket);
        return "connected";
    }

    /** Sends a number, and waits until it comes back; what comes before it is late. */
    private String echo(Socket socket, int millis) throws IOException {
        int token = ++tokens & 0xff;
        try {
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(token);
            int answer = socket.getInputStream().read();
            while (answer >= 0 && answer != token) {
                answer = socket.getInputStream().read();
            }
            return answer < 0 ? "closed" : "echo";
        } catch (SocketTimeoutException e) {
            return "silence";
        } catch (IOException e) {
            return "closed";
        }
    }

    private static String read(Socket socket, int millis) throws IOException {
        try {
            socket.setSoTimeout(millis);
            return socket.getInputStream().read() < 0 ? "closed" : "echo";
        } catch (SocketTimeoutException e) {
            return "silence";
        } catch (IOException e) {
            return "closed";
        }
    }

    /** Sends so many bytes, and waits until they come back; in milliseconds. */
    private static String push(Socket socket, int bytes) throws IOException {
        socket.setSoTimeout(30_000);
        long start = System.nanoTime();
        start(() -> {
            try {
                socket.getOutputStream().write(new byte[bytes]);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        InputStream in = socket.getInputStream();
        byte[] piece = new byte[PIECE];
        for (int left = bytes; left > 0;) {
            int length = in.read(piece, 0, Math.min(left, PIECE));
            if (length < 0) {
                return "closed";
            }
            left -= length;
        }
        return Long.toString((System.nanoTime() - start) / 1_000_000);
    }

    /** How many of so many datagrams come back, until there is none for a while. */
    private static String datagrams(String host, int count, int millis) throws IOException {
        int echoes = 0;
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(millis);
            InetAddress address = InetAddress.getByName(host);
            for (int i = 0; i < count; i++) {
                socket.send(new DatagramPacket(new byte[8], 8, address, PORT));
            }
            while (echoes < count) {
                socket.receive(new DatagramPacket(new byte[8], 8));
                echoes++;
            }
        } catch (SocketTimeoutException e) {
            return Integer.toString(echoes);
        }
        return Integer.toString(echoes);
    }

    /** How many datagrams have come here, after so many or after a while; they are counted anew then. */
    private String heard(int count, int millis) throws InterruptedException {
        if (heard.tryAcquire(count, millis, TimeUnit.MILLISECONDS)) {
            return Integer.toString(count + heard.drainPermits());
        }
        return Integer.toString(heard.drainPermits());
    }
}
