package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;

/**
 * One of several hosts: a process that holds its network, its shared memory and its mounts, as a kernel does, and the
 * first of its processes, whose end is the end of all of them. Not for several threads.
 */
final class NamespacedHost {
    private static final long SECONDS = 60;

    private final int number;
    private final String name;
    private final String address;
    private final Path folder;
    private final HostSwitch hostSwitch;
    private final List<HostedProcess> started = new ArrayList<>();
    /** Null while it is switched off. Handles know processes by their start, too: numbers are used again. */
    private ProcessHandle holder;
    private ProcessHandle first;
    private boolean frozen;
    /** As tc has it; null: no limit. */
    private String rate;
    private RunningShell shell;

    /** The server of remote shells, if this host has one. */
    private record RunningShell(Process process, List<String> command) {
    }

    /** @param folder that of all hosts */
    NamespacedHost(int number, String name, String address, Path folder, HostSwitch hostSwitch) {
        this.number = number;
        this.name = name;
        this.address = address;
        this.folder = folder;
        this.hostSwitch = hostSwitch;
    }

    String name() {
        return name;
    }

    String address() {
        return address;
    }

    /** Switches it on; {@link #awaitReady} waits until it is. The device keeps its address, which others remember. */
    void switchOn() {
        String device = String.format("02:00:00:00:00:%02x", number);
        long inner = Long.parseLong(hostSwitch.run(String.join(" ", "host", Integer.toString(number), name, address,
            device)));
        holder = ProcessHandle.of(hostSwitch.machinePid(inner)).orElse(null);
    }

    void awaitReady() {
        ProcFiles.await(() -> findFirst() || isHolderGone(), SECONDS, () -> name + " to be ready: " + log());
        if (first == null) {
            throw new FtrmaException(FtrmaException.Category.SETUP, name + " could not be made: " + log());
        }
        frozen = false;
    }

    private boolean isHolderGone() {
        return holder == null || isGone(holder);
    }

    private static boolean isGone(ProcessHandle process) {
        return !process.isAlive() || ProcFiles.isGone(process.pid());
    }

    private String log() {
        return ProcFiles.read(folder.resolve("log." + number)).replace('\n', ' ');
    }

    private boolean findFirst() {
        first = childOf(holder, "unshare --pid").flatMap(starter -> childOf(starter, "sleep infinity")).orElse(null);
        return first != null;
    }

    private static Optional<ProcessHandle> childOf(ProcessHandle parent, String command) {
        return parent == null ? Optional.empty() : parent.children()
            .filter(child -> ProcFiles.command(child.pid()).startsWith(command)).findFirst();
    }

    private void requireOn() {
        if (first == null) {
            throw new MisuseException("host=" + name + ": it is switched off; restart(" + number + ") first");
        }
        if (isGone(first)) { // somebody else has killed it
            awaitReady();
        }
    }

    Process run(List<String> command, Consumer<ProcessBuilder> shaping) {
        requireOn();
        if (frozen) {
            throw new MisuseException("host=" + name + ": it is frozen; thaw(" + number + ") first");
        }
        try {
            HostedProcess process = HostedProcess.start(first.pid(), command, builder -> {
                builder.environment().put("XDG_RUNTIME_DIR", own().toString());
                builder.environment().put("TMPDIR", own().toString());
                builder.environment().put("HOSTNAME", name);
                shaping.accept(builder);
            });
            started.removeIf(earlier -> !earlier.isAlive());
            started.add(process);
            return process;
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "cannot run " + command + " on " + name + ": "
                + e.getMessage(), e);
        }
    }

    /** The place of a host's own temporary files, by the same name on each. */
    private Path own() {
        return folder.resolve("own");
    }

    /** Has a server of remote shells here, also after a {@link #switchOn restart}. */
    void serveShells(List<String> command) {
        Process server = run(command, builder -> builder.redirectError(ProcessBuilder.Redirect.DISCARD));
        shell = new RunningShell(server, command);
    }

    /** Waits for the first line of the server of remote shells. */
    void awaitShells() {
        try {
            ProcFiles.await(() -> isReadable(shell.process) || !shell.process.isAlive(), SECONDS,
                () -> "the remote shell of " + name);
            String line = shell.process.inputReader().readLine();
            if (!"ready".equals(line)) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "the remote shell of " + name + " says "
                    + line);
            }
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "the remote shell of " + name + ": "
                + e.getMessage(), e);
        }
    }

    private static boolean isReadable(Process process) {
        try {
            return process.getInputStream().available() > 0;
        } catch (IOException e) {
            return true;
        }
    }

    boolean servesShells() {
        return shell != null;
    }

    boolean isOn() {
        return first != null;
    }

    /** What was done to it and not undone, for people. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (first == null) {
            faults.add(name + " is switched off");
        } else {
            if (frozen) {
                faults.add(name + " is frozen");
            }
            if (shell != null && !shell.process.isAlive()) {
                faults.add("the remote shell of " + name + " was killed");
            }
        }
        if (rate != null) {
            faults.add(name + " is slow: " + rate);
        }
        return faults;
    }

    /** Kills all processes, and waits for it; the host itself goes on: its kernel tells others. */
    void kill() {
        requireOn();
        ProcessHandle killed = first;
        killAndAwait(killed);
        ProcFiles.await(() -> findFirst() && !first.equals(killed) || isHolderGone(), SECONDS,
            () -> name + " to be ready for new processes");
        frozen = false;
        awaitStarted();
    }

    /** Ends the host with all that it has. */
    void switchOff() {
        if (first != null) {
            ProcessHandle holding = holder;
            ProcessHandle killed = first;
            first = null;
            holder = null;
            killAndAwait(holding);
            killAndAwait(killed);
            awaitStarted();
        }
    }

    private void killAndAwait(ProcessHandle process) {
        process.destroyForcibly();
        ProcFiles.await(() -> isGone(process), SECONDS, () -> name + ": the end of process " + process.pid());
    }

    /** What was started here has ended in fact; its shells are about to see it. */
    void awaitStarted() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        try {
            for (HostedProcess process : started) {
                if (!process.hasEndedWithin(deadline - System.nanoTime())) {
                    throw new FtrmaException(FtrmaException.Category.FATAL, name + ": process " + process.pid()
                        + " did not end within " + SECONDS + " s");
                }
            }
            started.clear();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FtrmaException(FtrmaException.Category.FATAL, "interrupted in the end of " + name, e);
        }
    }

    /** Makes everything new, whatever state it is in. */
    void restart() {
        switchOff();
        switchOn();
        awaitReady();
        if (rate != null) {
            limit(rate);
        }
        if (shell != null) {
            serveShells(shell.command);
            awaitShells();
        }
    }

    /** @param newRate of what it sends and what it gets, as tc has it; null: as fast as it can */
    void limit(String newRate) {
        rate = newRate;
        if (first != null) {
            hostSwitch.limit(number, rate);
            limitOwn();
        }
    }

    private void limitOwn() {
        exec(List.of("nsenter", "--target", Long.toString(first.pid()), "--net", "--", "/bin/sh", "-c",
            HostSwitch.limitCommand("eth0", rate)));
    }

    /** Stops all processes, and waits until all their threads have stopped. */
    void freeze() {
        requireOn();
        signalUntil("STOP", pid -> !ProcFiles.isStopped(pid));
        frozen = true;
    }

    void thaw() {
        requireOn();
        signal("CONT", members()); // also those that would stop only when their wait for another one is over
        signalUntil("CONT", ProcFiles::isAnyStopped);
        frozen = false;
    }

    /** Sends a signal to all that need it, until there are none: some may just begin. */
    private void signalUntil(String signal, Predicate<Long> needing) {
        ProcFiles.await(() -> {
            List<Long> pids = members().stream().filter(needing).toList();
            signal(signal, pids);
            return pids.isEmpty();
        }, SECONDS, () -> name + ": the effect of SIG" + signal + " on all its processes");
    }

    private void signal(String signal, List<Long> pids) {
        if (!pids.isEmpty()) {
            // The shell's own: a process that has ended meanwhile is no error.
            exec(List.of("/bin/sh", "-c", "kill -" + signal + " "
                + String.join(" ", pids.stream().map(Object::toString).toList()) + " 2>/dev/null; true"));
        }
    }

    /** All processes of the host but the first one, by their numbers on this machine. */
    private List<Long> members() {
        String namespace = ProcFiles.pidNamespace(first.pid());
        List<Long> members = new ArrayList<>();
        if (namespace.isEmpty()) {
            return members;
        }
        for (long pid : ProcFiles.all()) {
            if (pid != first.pid() && !ProcFiles.isGone(pid) && namespace.equals(ProcFiles.pidNamespace(pid))) {
                members.add(pid);
            }
        }
        return members;
    }

    /** What runs here, but for what the hosts themselves need. */
    List<RunningProcess> processes() {
        long server = shell != null && shell.process.isAlive() ? shell.process.pid() : -1;
        List<RunningProcess> running = new ArrayList<>();
        for (long pid : first == null ? List.<Long>of() : members()) {
            if (pid != server) {
                running.add(new RunningProcess(ProcFiles.innerPid(pid), pid, ProcFiles.command(pid)));
            }
        }
        return running;
    }

    /** Files in /dev/shm, and segments of System V. */
    List<String> sharedMemory() {
        if (first == null) {
            return List.of();
        }
        List<String> found = new ArrayList<>(names(Path.of("/dev/shm")));
        String segments = exec(List.of("nsenter", "--target", Long.toString(first.pid()), "--ipc", "--", "cat",
            "/proc/sysvipc/shm"));
        segments.lines().skip(1).map(line -> line.trim().split("\\s+"))
            .forEach(fields -> found.add("segment " + fields[1] + " of " + fields[3] + " bytes"));
        return found;
    }

    /** Files in its own place for temporary ones. */
    List<String> temporaryFiles() {
        return first == null ? List.of() : names(own());
    }

    private List<String> names(Path place) {
        List<String> names = new ArrayList<>();
        Path seen = Path.of("/proc/" + holder.pid() + "/root" + place);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(seen)) {
            files.forEach(file -> names.add(file.getFileName().toString()));
        } catch (NoSuchFileException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, name + " has no " + place, e);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, name + ": " + place + " cannot be read: "
                + e.getMessage(), e);
        }
        return names;
    }

    /** Runs a command on this machine to its end, and returns what it printed. */
    private String exec(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String told = new String(process.getInputStream().readAllBytes());
            if (process.waitFor() != 0) {
                throw new FtrmaException(FtrmaException.Category.FATAL, name + ": " + String.join(" ", command) + ": "
                    + told);
            }
            return told;
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, name + ": " + command.getFirst() + ": "
                + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FtrmaException(FtrmaException.Category.FATAL, name + ": interrupted in " + command, e);
        }
    }
}
