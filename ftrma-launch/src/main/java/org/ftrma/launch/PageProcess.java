package org.ftrma.launch;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ftrma.launch.journal.JobFolder;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.launch.web.WebCommand;

/**
 * The process of a job's page, {@code ftrma web}, if a page is asked for. It reads the job's folder, and ends when the
 * job has a result or the launcher is gone. One thread.
 */
final class PageProcess implements AutoCloseable {
    /** What ends the launcher's process group leaves the page to show the end. Ranks have the processors first. */
    private static final String SCRIPT = "trap '' INT HUP TERM; exec nice -n 19 \"$@\"";
    private static final String OURS = "ftrma: ";
    /** The longest time that the job's begin waits for the link, and its end for those who look. */
    private static final long START_SECONDS = 5;
    private static final long END_SECONDS = 8;

    /** Null: none. */
    private final Process process;
    private final PrintStream err;
    private final CountDownLatch begun = new CountDownLatch(1);

    /**
     * Starts it, if it is asked for and the job has a folder, and waits until it has printed its link.
     *
     * @param folder null: nothing is kept of the job
     * @param err where its link is printed, also with --quiet: it was asked for
     */
    PageProcess(GivenOptions given, JobFolder folder, PrintStream err) {
        this.err = err;
        if (given.has(LauncherOption.WEB) && folder == null) {
            tell("--web: there is no page, since nothing of this job is kept; --job-dir names a place for it");
        }
        process = given.has(LauncherOption.WEB) && folder != null
            ? start(folder, Long.toString(given.number(LauncherOption.WEB))) : null;
        if (process != null) {
            Thread.ofPlatform().daemon().name("ftrma-page").start(this::passOn);
            await();
        }
    }

    private void tell(String text) {
        err.println(OURS + text);
    }

    private Process start(JobFolder folder, String port) {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "ftrma-page",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-Xms16m", "-Xmx256m", "-XX:-UsePerfData",
            "--enable-native-access=ALL-UNNAMED"));
        Path cache = RankSettings.aotCache() == null ? null : RankSettings.aotCache().resolveSibling("launcher.aot");
        if (cache != null && Files.isReadable(cache)) {
            line.addAll(List.of("-Xlog:aot*=off", "-XX:AOTCache=" + cache));
        }
        line.addAll(List.of("-cp", String.join(File.pathSeparator, ClassPlaces.places().map(Path::toString).toList()),
            Main.class.getName(), CommandNames.WEB, "--" + SingleOption.PORT.key(), port,
            "--" + LauncherOption.JOB_DIR.key(), folder.path().getParent().toString(), folder.name()));
        try {
            return new ProcessBuilder(line).redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            tell("there is no page of this job: " + e.getMessage() + "; the job goes on");
            return null;
        }
    }

    /** Prints its messages among those of the launcher. */
    private void passOn() {
        boolean isTold = false;
        try (BufferedReader reader = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith(OURS)) { // those of a virtual machine are the launcher's, too
                    err.println(line);
                    isTold = true;
                    begun.countDown();
                }
            }
        } catch (IOException e) {
            tell("messages of the job's page are lost: " + e.getMessage());
        }
        if (!isTold && begun.getCount() > 0) {
            tell("there is no page of this job: its process did not start; the job goes on");
        }
        begun.countDown();
    }

    private void await() {
        try {
            if (!begun.await(START_SECONDS, TimeUnit.SECONDS)) {
                tell("--web: the page needs more than " + START_SECONDS + " s to begin; the job does not wait for it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Refuses a port that is taken, before a job begins.
     *
     * @throws org.ftrma.FtrmaException SETUP: nothing can listen there
     */
    static void checkPort(GivenOptions given) {
        if (given.has(LauncherOption.WEB)) {
            WebCommand.checkPort("--" + LauncherOption.WEB.key(), (int) given.number(LauncherOption.WEB));
        }
    }

    /** Waits, not for long, until it has told those who look of the job's result. */
    void ended() {
        try {
            if (process != null && begun.getCount() == 0) {
                process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (process != null) {
            begun.countDown(); // it is no fault any more that it ends
            process.destroyForcibly().onExit().join();
        }
    }
}
