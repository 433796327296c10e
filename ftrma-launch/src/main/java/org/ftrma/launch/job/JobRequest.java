package org.ftrma.launch.job;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.launch.agent.HostJob;
import org.ftrma.launch.agent.RankJvm;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.RankCheck;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.Token;
import org.ftrma.rank.program.ClassPathDigest;

/**
 * A job to be run.
 *
 * @param options its options
 * @param mainClass the program
 * @param arguments the program's arguments
 * @param classPath where the program's classes are; those of the library are found without it
 * @param givenPath where the program is, as its user gave it; empty: nowhere in particular
 * @param check what is looked for while it runs
 * @param jvmArguments further arguments for their JVMs
 * @param aotCache the ahead-of-time cache for the JVMs of ranks, beside which are those of checksum ranks and of
 *     spares, or null
 * @param prefixOutput whether each line of output names its rank
 * @param timeoutNanos the longest that the job may take; 0: no limit
 * @param kept the folder in which counters of processes of this host are kept; null: they go with the job
 */
public record JobRequest(JobOptions options, String mainClass, List<String> arguments, String classPath,
    String givenPath, RankCheck check,
    List<String> jvmArguments, Path aotCache, boolean prefixOutput, long timeoutNanos, Path kept) {
    /** One of which nothing is kept. */
    public JobRequest(JobOptions options, String mainClass, List<String> arguments, String classPath, String givenPath,
        RankCheck check, List<String> jvmArguments, Path aotCache, boolean prefixOutput, long timeoutNanos) {
        this(options, mainClass, arguments, classPath, givenPath, check, jvmArguments, aotCache, prefixOutput,
            timeoutNanos, null);
    }

    /** The same job, of which counters are kept in a folder of its own. */
    public JobRequest keptIn(Path folder) {
        return new JobRequest(options, mainClass, arguments, classPath, givenPath, check, jvmArguments, aotCache,
            prefixOutput, timeoutNanos, folder);
    }

    /** The launcher's property with the place of the caches that are to be made. */
    private static final String TRAINED = "ftrma.train.aot";

    /** The same job with other options and arguments. */
    public JobRequest with(JobOptions otherOptions, List<String> otherArguments) {
        return new JobRequest(otherOptions, mainClass, otherArguments, classPath, givenPath, check, jvmArguments,
            aotCache, prefixOutput, timeoutNanos, kept);
    }

    /** Whether this is the build's one small job that makes caches. */
    public static boolean isTraining() {
        return System.getProperty(TRAINED) != null;
    }

    /** How its processes are started. */
    RankJvm jvm() {
        return new RankJvm(options.ranks(), options.checksums(), jvmArguments,
            aotCache == null ? null : aotCache.toString(), System.getProperty(TRAINED));
    }

    /** Processes that are started at once. */
    int firstProcesses() {
        return options.ranks() + options.checksums() + options.spares();
    }

    /**
     * What a host must know of it. The program is read for that, once: for the whole job it is what is there now.
     *
     * @param launcher where processes join
     * @param cores of the host
     * @param places further places that are to go where the launcher is killed
     * @param notes is told what cannot be found out of the program
     */
    HostJob forHost(InetSocketAddress launcher, Token token, int cores, List<String> places, Consumer<String> notes) {
        ClassPathDigest program = ClassPathDigest.of(classPath);
        program.tooLarge().forEach(place -> notes.accept("there are too many files in " + place
            + " to compare them: do not change the program there while the job runs"));
        long joinMillis = StartTimeout.limitNanos(options.startTimeoutNanos(), firstProcesses(), cores) / 1_000_000;
        return new HostJob(launcher.getAddress().getHostAddress(), launcher.getPort(), token,
            Math.clamp(joinMillis, 1, Integer.MAX_VALUE), forRanks(cores, program), jvm(), places,
            kept == null ? null : kept.toString());
    }

    /**
     * What each of its processes must know on a machine with so many cores.
     *
     * @param program what was on the class path when the job began
     */
    RankOptions forRanks(int cores, ClassPathDigest program) {
        int members = options.ranks() + options.checksums();
        int groupSize = options.isProtected() ? JobGroups.of(options).size(0) : 0;
        return new RankOptions(mainClass, arguments, givenPath, program, check,
            members, groupSize, options.losses(),
            options.ranks() > cores,
            members > cores);
    }
}
