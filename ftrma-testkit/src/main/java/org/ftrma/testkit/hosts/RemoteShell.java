package org.ftrma.testkit.hosts;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The program that is used as ssh on {@link NamespacedHosts}: its port, then ssh's arguments. What an option that has
 * an effect there would do here is only known of ConnectTimeout.
 */
public final class RemoteShell {
    private static final int FAILED = 255;
    /** Options of ssh that have a value. */
    private static final String WITH_VALUE = "BbcDEeFIiJLlmOopQRSWw";
    private static final String TIMEOUT = "ConnectTimeout=";

    private final String host;
    private final String command;
    private final int timeoutMillis;
    private final boolean withoutInput;

    private RemoteShell(List<String> words) {
        int timeout = 0;
        boolean none = false;
        int next = 0;
        for (; next < words.size() && words.get(next).startsWith("-"); next++) {
            String word = words.get(next);
            none |= word.equals("-n");
            if (word.length() > 1 && WITH_VALUE.indexOf(word.charAt(1)) >= 0) {
                String value = word.length() > 2 || next + 1 == words.size() ? word.substring(2) : words.get(++next);
                if (value.startsWith(TIMEOUT)) {
                    timeout = 1000 * Integer.parseInt(value.substring(TIMEOUT.length()));
                }
            }
        }
        if (next + 1 >= words.size()) {
            throw new IllegalArgumentException("usage: remote-shell [options] HOST COMMAND...");
        }
        host = words.get(next).substring(words.get(next).indexOf('@') + 1);
        command = String.join(" ", words.subList(next + 1, words.size()));
        timeoutMillis = timeout;
        withoutInput = none;
    }

    /** Runs a command on a host, and ends with its status. */
    public static void main(String[] args) {
        int status;
        int port = Integer.parseInt(args[0]);
        try {
            status = new RemoteShell(List.of(args).subList(1, args.length)).run(port);
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("remote-shell: " + e.getMessage());
            status = FAILED;
        }
        System.exit(status); // a thread may still wait for input
    }

    private int run(int port) throws IOException {
        try (Socket socket = new Socket()) {
            try {
                socket.connect(new InetSocketAddress(host, port), timeoutMillis);
            } catch (IOException e) {
                throw new IOException("connect to host " + host + " port " + port + ": " + e.getMessage(), e);
            }
            socket.setTcpNoDelay(true);
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            ShellFrame.write(out, ShellFrame.COMMAND, command.getBytes(StandardCharsets.UTF_8));
            Thread.ofPlatform().daemon(true).name("input").start(() -> passInput(out));
            return receive(new DataInputStream(socket.getInputStream()));
        }
    }

    private void passInput(DataOutputStream out) {
        try {
            if (!withoutInput) {
                ShellFrame.pass(new FileInputStream(FileDescriptor.in), out, ShellFrame.INPUT);
            }
            ShellFrame.write(out, ShellFrame.INPUT_END, new byte[0]);
        } catch (IOException e) {
            Thread.onSpinWait(); // whoever receives finds the connection closed
        }
    }

    private int receive(DataInputStream in) throws IOException {
        for (ShellFrame frame = ShellFrame.read(in); frame != null; frame = ShellFrame.read(in)) {
            switch (frame.kind()) {
                case ShellFrame.OUTPUT -> {
                    System.out.write(frame.bytes());
                    System.out.flush();
                }
                case ShellFrame.ERROR -> {
                    System.err.write(frame.bytes());
                    System.err.flush();
                }
                case ShellFrame.EXIT -> {
                    return frame.bytes()[0] & 0xff;
                }
                default -> throw new IOException("an unknown piece " + frame.kind() + " from host " + host);
            }
        }
        throw new IOException("connection to " + host + " closed by remote host");
    }
}
