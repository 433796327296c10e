package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process on a host, as its maker has it. Between both is a shell, which the kernel lets start processes in the
 * process namespace of the host without being in it: it is not stopped when the host is frozen. Signals go to the
 * process itself, and it ends when the shell does. Any thread.
 */
final class HostedProcess extends Process {
    private static final long START_SECONDS = 60;
    /** Says nothing itself of a signal that ends the command, whose streams only the inner shell has. */
    private static final String SHELL = """
        cd "$1" || exit
        shift
        exec 3>&2 2>/dev/null
        (exec setpriv --pdeathsig KILL -- "$@" 2>&3 3>&-)
        exit $?
        """;

    private final Process shell;
    private ProcessHandle command;

    private HostedProcess(Process shell) {
        this.shell = shell;
    }

    /**
     * Starts a process.
     *
     * @param first the first process of the host, in whose namespaces it is to be
     * @param shaping may set environment, folder and streams
     */
    static HostedProcess start(long first, List<String> words, Consumer<ProcessBuilder> shaping) throws IOException {
        ProcessBuilder builder = new ProcessBuilder();
        shaping.accept(builder);
        Path folder = Path.of("").toAbsolutePath();
        if (builder.directory() != null) {
            folder = builder.directory().toPath().toAbsolutePath();
            builder.directory(null);
        }
        List<String> all = new ArrayList<>(List.of("nsenter", "--target", Long.toString(first), "--net", "--ipc",
            "--uts", "--mount", "--pid", "--no-fork", "--", "/bin/sh", "-c", SHELL, "ftrma-host", folder.toString()));
        all.addAll(words);
        return new HostedProcess(builder.command(all).start());
    }

    /** The process on the host, if it has begun and has not ended. */
    private synchronized Optional<ProcessHandle> command() {
        if (command == null) {
            command = shell.toHandle().children().findFirst().orElse(null);
        }
        return Optional.ofNullable(command);
    }

    /** Its number on this machine. */
    @Override
    public long pid() {
        return toHandle().pid();
    }

    @Override
    public ProcessHandle toHandle() {
        ProcFiles.await(() -> command().isPresent() || !shell.isAlive(), START_SECONDS,
            () -> "a process to begin on its host");
        return command().orElse(shell.toHandle());
    }

    @Override
    public ProcessHandle.Info info() {
        return toHandle().info();
    }

    @Override
    public boolean supportsNormalTermination() {
        return true;
    }

    @Override
    public void destroy() {
        if (shell.isAlive()) {
            toHandle().destroy();
        }
    }

    @Override
    public Process destroyForcibly() {
        if (shell.isAlive()) {
            toHandle().destroyForcibly();
        }
        return this;
    }

    @Override
    public OutputStream getOutputStream() {
        return shell.getOutputStream();
    }

    @Override
    public InputStream getInputStream() {
        return shell.getInputStream();
    }

    @Override
    public InputStream getErrorStream() {
        return shell.getErrorStream();
    }

    @Override
    public boolean isAlive() {
        return shell.isAlive();
    }

    @Override
    public int waitFor() throws InterruptedException {
        return shell.waitFor();
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        return shell.waitFor(timeout, unit);
    }

    /** That of the process, or 128 and the number of the signal that ended it. */
    @Override
    public int exitValue() {
        return shell.exitValue();
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return shell.onExit().thenApply(ended -> this);
    }

    /** Waits for its end. */
    boolean hasEndedWithin(long timeoutNanos) throws InterruptedException {
        return shell.waitFor(timeoutNanos, TimeUnit.NANOSECONDS);
    }
}
