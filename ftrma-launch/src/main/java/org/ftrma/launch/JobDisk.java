package org.ftrma.launch;

import java.io.PrintStream;
import java.nio.file.Path;
import org.ftrma.MisuseException;
import org.ftrma.launch.disk.FlushKeeper;
import org.ftrma.launch.disk.ImageManifest;
import org.ftrma.launch.disk.RestartChoice;
import org.ftrma.launch.job.JobHost;
import org.ftrma.launch.job.JobRequest;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;

/**
 * What a job has to do with the disk: where it starts from, where its generations go. One thread.
 *
 * @param restart what it starts from, or null
 * @param flushes where generations go, or null
 */
record JobDisk(RestartChoice restart, FlushKeeper flushes) {
    /** Nothing. */
    static final JobDisk NONE = new JobDisk(null, null);

    /**
     * As the options say. Generations that are refused are told on {@code err}.
     *
     * @param directory to start from, or null
     */
    static JobDisk of(JobRequest request, String directory, PrintStream err) {
        JobOptions options = request.options();
        if (directory != null && !options.isProtected()) {
            throw new MisuseException("--restart=" + directory
                + ": a job without protection has no images; add --checksums 1 (or more) with"
                + " --protocol coordinated or full");
        }
        ImageManifest.Job job = new ImageManifest.Job(FlushKeeper.newId(), request.mainClass(),
            java.util.List.copyOf(request.arguments()),
            options.value(JobOption.PROTOCOL));
        RestartChoice restart = directory == null ? null : RestartChoice.of(Path.of(directory), job, options.ranks());
        if (restart != null) {
            restart.refused().forEach(one -> err.println("ftrma: " + one.name() + " in " + directory
                + " is damaged and is not used: "
                + one.reason() + "; taking an older one"));
            job = restart.manifest().job();
        }
        FlushKeeper flushes = options.isFlushed() ? new FlushKeeper(Path.of(options.value(JobOption.FLUSH)), job,
            options.kept(), err) : null;
        return new JobDisk(restart, flushes);
    }

    void attach(JobHost host) {
        if (restart != null) {
            host.restarting(restart.point());
        }
        if (flushes != null) {
            host.flushing(flushes);
        }
    }
}
