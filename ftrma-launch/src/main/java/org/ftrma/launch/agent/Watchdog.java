package org.ftrma.launch.agent;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes places where this process is killed, and cannot: a shell that waits for the end of a pipe which only this
 * process holds open. One thread.
 */
public final class Watchdog implements AutoCloseable {
    /** Retries while processes that were killed with the launcher are still going. */
    private static final String SCRIPT = """
        trap '' INT HUP TERM
        read -r line
        from=$1 kept=$2
        shift 2
        if [ -n "$kept" ] && [ -d "$kept" ]; then
            cp -- "$from"/counters-* "$kept" 2>/dev/null
            rm -f -- "$kept/live"
        fi
        for turn in 1 2 3 4 5 6 7 8 9 10; do
            rm -rf -- "$@" 2>/dev/null
            left=
            for place in "$@"; do
                [ -e "$place" ] && left=1
            done
            [ -z "$left" ] && exit 0
            sleep 0.2
        done
        """;
    private static final String NAME = "ftrma-watchdog";
    private final Process shell;

    /** Begins to wait. */
    public Watchdog(List<Path> places) throws IOException {
        this(places, null, null);
    }

    /**
     * The same, and keeps counters.
     *
     * @param counters the one of these places in which they are; null: there are none
     * @param kept the folder that they are copied to before; null: they go
     */
    Watchdog(List<Path> places, Path counters, Path kept) throws IOException {
        List<String> command = command(SCRIPT);
        command.add(counters == null ? "" : counters.toString());
        command.add(kept == null ? "" : kept.toString());
        places.forEach(place -> command.add(place.toString()));
        shell = new ProcessBuilder(command).directory(new File("/"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** A shell in a session of its own: what ends the launcher's whole process group leaves it to its work. */
    static List<String> command(String script) {
        return apart(List.of("/bin/sh", "-c", script, NAME));
    }

    /** A command that runs in a session of its own, where this system can do that. */
    public static List<String> apart(List<String> command) {
        List<String> apart = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
            apart.add("/usr/bin/setsid");
        }
        apart.addAll(command);
        return apart;
    }

    /** The shell's process. */
    long pid() {
        return shell.pid();
    }

    /** Whether a process of this user is such a shell, of whatever process. */
    public static boolean is(ProcessHandle process) {
        return process.info().arguments().map(List::of).orElse(List.of()).contains(NAME);
    }

    /** Nothing needs to be removed any more. */
    @Override
    public void close() {
        shell.destroyForcibly().onExit().join();
    }
}
