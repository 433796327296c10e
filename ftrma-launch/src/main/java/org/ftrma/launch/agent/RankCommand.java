package org.ftrma.launch.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.rank.ProgramThreads;
import org.ftrma.rank.RankLibrary;
import org.ftrma.rank.RankMain;

/** The command line and environment of a rank's JVM: lean, and leaving nothing behind. Any thread. */
final class RankCommand implements LocalAgent.Starter {
    private final RankJvm jvm;
    private final JobDirectory directory;
    private final CrashReport crashes;

    RankCommand(RankJvm jvm, JobDirectory directory, CrashReport crashes) {
        this.jvm = jvm;
        this.directory = directory;
        this.crashes = crashes;
    }

    @Override
    public Process start(int number) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line(number));
        Map<String, String> environment = builder.environment();
        // UCX would install handlers for signals that the JVM uses itself.
        environment.put("UCX_ERROR_SIGNALS", "");
        if (directory.sharedMemory() != null) {
            environment.putIfAbsent("UCX_POSIX_DIR", directory.sharedMemory().toString());
        }
        builder.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
        return builder.start();
    }

    List<String> line(int number) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(fixedArguments());
        line.addAll(cacheArguments(number));
        line.add(crashes.argument());
        line.add("-Djava.io.tmpdir=" + directory.path());
        line.addAll(jvm.arguments());
        line.add("-cp");
        line.add(RankLibrary.classPath());
        line.add(RankMain.class.getName());
        line.add(directory.path().toString());
        line.add(Integer.toString(number));
        return line;
    }

    private List<String> cacheArguments(int number) {
        String training = jvm.trainedCache();
        if (training != null && showsRole(number)) {
            // What the small job's methods were called with says nothing about another program; profiles of it are in
            // the way of compilers.
            return List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTRecordTraining",
                "-XX:AOTCacheOutput=" + cacheOfRole(number, Path.of(training)));
        }
        // One that does not fit is only not used: the virtual machine need not complain.
        Path cache = jvm.aotCache() == null ? null : cacheOfRole(number, Path.of(jvm.aotCache()));
        return cache != null && Files.isReadable(cache) ? List.of("-Xlog:aot*=off", "-XX:AOTCache=" + cache)
            : List.of();
    }

    /** The build's one small job: the first process of each kind shows what those of its kind need. */
    private boolean showsRole(int number) {
        return number == 0 || number == jvm.ranks() || number == jvm.members();
    }

    /** Ranks, checksum ranks and those who replace them load and link different classes. */
    private Path cacheOfRole(int number, Path ofRanks) {
        return number < jvm.ranks() ? ofRanks
            : ofRanks.resolveSibling(number < jvm.members() ? "checksum.aot" : "spare.aot");
    }

    /** Arguments of every rank. The ahead-of-time cache is made with the same ones. */
    static List<String> fixedArguments() {
        List<String> line = new ArrayList<>(List.of("-XX:+UseSerialGC", "-Xms16m", "-Xss512k", "-XX:-UsePerfData",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:-DumpReplayDataOnError", "-XX:ErrorLogTimeout=20", "--enable-native-access=ALL-UNNAMED",
            "-Djava.util.concurrent.ForkJoinPool.common.threadFactory=" + ProgramThreads.class.getName()));
        if (givesHugePages()) {
            line.add("-XX:+UseTransparentHugePages"); // where there are none the virtual machine would complain
        }
        return line;
    }

    /**
     * Arrays in the heap that a program works on lie in one piece then; small pages of theirs collide in the caches,
     * more or less in each run.
     */
    private static boolean givesHugePages() {
        try {
            String settings = Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"));
            return settings.contains("[madvise]") || settings.contains("[always]");
        } catch (IOException e) {
            return false;
        }
    }
}
