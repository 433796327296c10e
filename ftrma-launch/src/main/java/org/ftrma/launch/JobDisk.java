package org.ftrma.launch;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.launch.disk.FlushKeeper;
import org.ftrma.launch.disk.ImageManifest;
import org.ftrma.launch.disk.RestartChoice;
import org.ftrma.launch.job.JobHost;
import org.ftrma.launch.job.JobRequest;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;

/**
 * What a job has to do with the disk: where it starts from, where its generations go. One thread.
 *
 * @param restart what it starts from, or null
 * @param flushes where generations go, or null
 * @param drainNanos how long the job may take to stop at one
 */
record JobDisk(RestartChoice restart, FlushKeeper flushes, long drainNanos) {
    /** Nothing. */
    static final JobDisk NONE = new JobDisk(null, null, 0);

    /**
     * What a job starts from, or null. That is found out before its hosts are asked for anything, for it may take a
     * while to read. Generations that are refused are told on {@code err}, and what differs in {@code notes}.
     *
     * @param mainClass the program
     * @param arguments the program's
     */
    static RestartChoice choose(JobOptions options, String mainClass, List<String> arguments, GivenOptions given,
        PrintStream err, PrintStream notes) {
        String directory = given.text(LauncherOption.RESTART, null);
        if (directory != null && !options.isProtected()) {
            throw new MisuseException("--restart=" + directory
                + ": a job without protection has no images; add --checksums 1 (or more) with"
                + " --protocol coordinated, full or pessimistic-v");
        }
        ImageManifest.Job now = job(options, mainClass, arguments);
        RestartChoice restart = directory == null ? null : RestartChoice.of(Path.of(directory), now);
        if (restart != null) {
            restart.refused().forEach(one -> err.println("ftrma: " + one.name() + " in " + directory
                + " is damaged and is not used: "
                + one.reason() + "; taking an older one"));
            restart.manifest().differences(now, options.ranks())
                .forEach(line -> notes.println("ftrma: --restart=" + directory + ": " + line));
        }
        return restart;
    }

    private static ImageManifest.Job job(JobOptions options, String mainClass, List<String> arguments) {
        return new ImageManifest.Job(FlushKeeper.newId(), mainClass, List.copyOf(arguments),
            options.value(JobOption.PROTOCOL));
    }

    /**
     * As the options say.
     *
     * @param restart what the job starts from, or null
     */
    static JobDisk of(JobRequest request, RestartChoice restart, GivenOptions given, PrintStream err) {
        JobOptions options = request.options();
        ImageManifest.Job job = job(options, request.mainClass(), request.arguments());
        job = restart == null ? job : job.goingOn(restart.manifest().job());
        FlushKeeper flushes = options.isFlushed() ? new FlushKeeper(Path.of(options.value(JobOption.FLUSH)), job,
            options.kept(), err) : null;
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
