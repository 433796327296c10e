package org.ftrma.testkit.hosts;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Server of {@link RemoteShell}: it runs one command for each connection. Where a connection ends before its command,
 * the command goes on, and finds its input at its end. Its arguments are address and port; it says that it is ready,
 * and goes on until it is killed.
 */
final class RemoteShellServer {
    private final Socket socket;
    private final DataOutputStream out;

    private RemoteShellServer(Socket socket) throws IOException {
        this.socket = socket;
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[1]), 0, InetAddress.getByName(args[0]))) {
            System.out.println("ready");
            while (true) {
                RemoteShellServer one = new RemoteShellServer(server.accept());
                start(one::serve);
            }
        }
    }

    private static Thread start(Runnable action) {
        return Thread.ofPlatform().daemon(true).start(action);
    }

    private void serve() {
        Process process = null;
        try (Socket connection = socket) {
            connection.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(connection.getInputStream());
            ShellFrame first = ShellFrame.read(in);
            if (first == null || first.kind() != ShellFrame.COMMAND) {
                return;
            }
            process = new ProcessBuilder("/bin/sh", "-c", new String(first.bytes(), StandardCharsets.UTF_8))
                .directory(new File(System.getProperty("user.home"))).start();
            Process running = process;
            Thread output = start(() -> pass(running.getInputStream(), ShellFrame.OUTPUT));
            Thread error = start(() -> pass(running.getErrorStream(), ShellFrame.ERROR));
            start(() -> end(running, output, error));
            passInput(in, running);
        } catch (IOException e) {
            System.err.println("a remote shell's connection: " + e.getMessage());
        } finally {
            if (process != null) {
                closeStreams(process);
            }
        }
    }

    private void pass(InputStream from, int kind) {
        try {
            ShellFrame.pass(from, out, kind);
        } catch (IOException e) {
            Thread.onSpinWait(); // the command has ended, or the connection
        }
    }

    /** After the command: all that it and those who have its output have printed, then its status. */
    private void end(Process process, Thread output, Thread error) {
        try {
            int status = process.waitFor();
            output.join();
            error.join();
            ShellFrame.write(out, ShellFrame.EXIT, new byte[] {(byte) status});
            socket.close();
        } catch (IOException e) {
            Thread.onSpinWait(); // nobody asks for it any more
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Until the connection ends. */
    private static void passInput(DataInputStream in, Process process) throws IOException {
        OutputStream input = process.getOutputStream();
        for (ShellFrame frame = ShellFrame.read(in); frame != null; frame = ShellFrame.read(in)) {
            try {
                if (frame.kind() == ShellFrame.INPUT) {
                    input.write(frame.bytes());
                    input.flush();
                } else {
                    input.close();
                }
            } catch (IOException e) {
                Thread.onSpinWait(); // the command reads no more
            }
        }
    }

    private static void closeStreams(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            Thread.onSpinWait(); // it has read no more
        }
    }
}
