package org.ftrma.launch;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.launch.disk.Branch;
import org.ftrma.launch.disk.FlushKeeper;
import org.ftrma.launch.disk.ImageManifest;
import org.ftrma.launch.disk.RestartChoice;
import org.ftrma.launch.job.JobHost;
import org.ftrma.launch.job.JobRequest;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;

/**
 * The disk level of a job: the generation that it starts from, and the keeper of those that it writes. One thread.
 *
 * @param restart what it starts from, or null
 * @param flushes where generations go, or null
 * @param drainNanos how long the job may take to stop at one
 */
record JobDisk(RestartChoice restart, FlushKeeper flushes, long drainNanos) {
    /** Nothing. */
    static final JobDisk NONE = new JobDisk(null, null, 0);
    /** The newest images of the job itself, in place of a directory's name. */
    private static final String LATEST = "latest";

    /**
     * What a job starts from, or null. That is found out before its hosts are asked for anything, for it may take a
     * while to read. Generations that are refused are told on {@code err}, and what differs in {@code notes}.
     *
     * @param mainClass the program
     * @param arguments the program's
     */
    static RestartChoice choose(JobOptions options, String mainClass, List<String> arguments, GivenOptions given,
        PrintStream err, PrintStream notes) {
        String wanted = given.text(LauncherOption.RESTART, null);
        if (wanted == null) {
            if (given.has(LauncherOption.RESTART_STEP)) {
                throw new MisuseException("--restart-step: is for --restart");
            }
            return null;
        }
        if (!options.isProtected()) {
            throw new MisuseException("--restart=" + wanted
                + ": a job without protection has no images; add --checksums 1 (or more) with"
                + " --protocol coordinated, full or pessimistic-v");
        }
        Path directory = directory(wanted, options);
        if (options.isFlushed() && RestartChoice.isNothingIn(directory) && directory.toAbsolutePath().normalize()
            .equals(Path.of(options.value(JobOption.FLUSH)).toAbsolutePath().normalize())) {
            notes.println("ftrma: --restart=" + wanted + ": there are no images in " + directory
                + " yet: the job begins");
            return null;
        }
        ImageManifest.Job now = job(options, mainClass, arguments);
        RestartChoice restart = RestartChoice.of(directory, now,
            given.number(LauncherOption.RESTART_STEP, Long.MAX_VALUE));
        restart.refused().forEach(one -> err.println("ftrma: " + one.name() + " in " + directory
            + " is damaged and is not used: "
            + one.reason() + "; taking an older one"));
        restart.manifest().differences(now, options.ranks())
            .forEach(line -> notes.println("ftrma: --restart=" + wanted + ": " + line));
        return restart;
    }

    private static Path directory(String wanted, JobOptions options) {
        if (!wanted.equals(LATEST)) {
            return Path.of(wanted);
        }
        if (!options.isFlushed()) {
            throw new MisuseException("--restart=latest: means the newest images in the directory of --flush; add "
                + "--flush DIR, or name a directory in place of latest");
        }
        return Path.of(options.value(JobOption.FLUSH));
    }

    private static ImageManifest.Job job(JobOptions options, String mainClass, List<String> arguments) {
        return new ImageManifest.Job(FlushKeeper.newId(), Branch.FIRST, mainClass, List.copyOf(arguments),
            options.value(JobOption.PROTOCOL));
    }

    /**
     * As the options say.
     *
     * @param restart what the job starts from, or null
     */
    static JobDisk of(JobRequest request, RestartChoice restart, GivenOptions given, PrintStream err) {
        JobOptions options = request.options();
        FlushKeeper flushes = options.isFlushed() ? new FlushKeeper(Path.of(options.value(JobOption.FLUSH)),
            job(options, request.mainClass(), request.arguments()), restart, options.kept(), err,
            MachineClock.HERE) : null;
        return new JobDisk(restart, flushes, given.number(LauncherOption.DRAIN_TIMEOUT));
    }

    void attach(JobHost host) {
        if (restart != null) {
            host.restarting(restart.point());
        }
        if (flushes != null) {
            host.flushing(flushes, drainNanos);
        }
    }
}
