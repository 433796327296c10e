package org.ftrma.launch.agent;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ends programs that this process has started where it is killed, and cannot: a shell that waits for the end of a pipe
 * which only this process holds open. They have some seconds for an end of their own: the client of a remote shell has
 * one when its agent ends, but not if the host is silent. One thread.
 */
public final class ClientWatchdog implements AutoCloseable {
    /** A number of a process that ended may be another one's: when it started is compared. */
    private static final String SCRIPT = """
        trap '' INT HUP TERM
        known=
        while read -r pid start; do
            known="$known $pid:$start"
        done
        turn=0
        while [ "$turn" -lt 26 ]; do
            turn=$((turn + 1))
            left=
            for one in $known; do
                read -r stat 2>/dev/null < "/proc/${one%:*}/stat" || continue
                set -- ${stat##*) }
                [ "$1" = Z ] || [ "${20}" != "${one#*:}" ] && continue
                left=1
                [ "$turn" -gt 25 ] && kill -KILL "${one%:*}"
            done
            [ -z "$left" ] && exit 0
            sleep 0.2
        done
        """;
    private static final int START_FIELD = 19;
    private final Process shell;

    /** Begins to wait, and knows of nobody. */
    public ClientWatchdog() throws IOException {
        shell = new ProcessBuilder(Watchdog.command(SCRIPT)).directory(new File("/"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** From now on it ends this one, too. One that has ended already is not its business. */
    public void watch(Process client) throws IOException {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc/" + client.pid() + "/stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return;
        }
        String start = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[START_FIELD];
        OutputStream to = shell.getOutputStream();
        to.write((client.pid() + " " + start + "\n").getBytes(StandardCharsets.US_ASCII));
        to.flush();
    }

    /** What the kernel does when this process is killed. */
    Process abandon() throws IOException {
        shell.getOutputStream().close();
        return shell;
    }

    /** Nobody needs to be ended any more. */
    @Override
    public void close() {
        shell.destroyForcibly().onExit().join();
    }
}
