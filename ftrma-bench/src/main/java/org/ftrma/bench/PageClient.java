package org.ftrma.bench;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Asks for a job's metrics again and again, over one connection and as fast as they come. It is told the port and the
 * token on standard input, in a line, and tells there in a line how many answers came in how many seconds. The main
 * thread of a process of its own, which runs at the greatest nice value.
 */
final class PageClient {
    private static final String LENGTH = "content-length:";
    private static final int LONGEST_LINE = 8192;

    private PageClient() {
    }

    /** Asks so many times, or until nobody answers any more. */
    public static void main(String[] args) throws IOException {
        int requests = Integer.parseInt(args[0]);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String order = orders.readLine();
        if (order == null) {
            return;
        }
        String[] words = order.split(" ");
        byte[] request = ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:" + words[0] + "\r\nAuthorization: Bearer "
            + words[1] + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        int answered = 0;
        long begun = System.nanoTime();
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(words[0]))) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 1 << 16));
            for (; answered < requests; answered++) {
                socket.getOutputStream().write(request);
                take(in);
            }
        } catch (IOException e) {
            System.err.println("after " + answered + " answers: " + e.getMessage());
        }
        System.out.println(answered + " " + 1e-9 * (System.nanoTime() - begun));
    }

    private static void take(DataInputStream in) throws IOException {
        String status = line(in);
        if (!status.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("an answer begins with \"" + status + "\"");
        }
        long length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String lower = header.toLowerCase(Locale.ROOT);
            length = lower.startsWith(LENGTH) ? Long.parseLong(lower.substring(LENGTH.length()).strip()) : length;
        }
        in.skipNBytes(length);
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
            if (line.length() > LONGEST_LINE) {
                throw new IOException("an answer has a line of more than " + LONGEST_LINE + " bytes");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }
}
