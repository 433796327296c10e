package org.ftrma.launch.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.checkpoint.JobGroups;
import org.ftrma.launch.rank.RankMain;
import org.ftrma.options.JobOptions;

/** The command line and environment of a rank's JVM: lean, and leaving nothing behind. Any thread. */
final class RankCommand {
    private final JobRequest request;
    private final JobDirectory directory;

    RankCommand(JobRequest request, JobDirectory directory) {
        this.request = request;
        this.directory = directory;
    }

    /** Starts a process. Its end is bound to the end of the calling thread. */
    Process start(int number) throws IOException {
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
        String training = System.getProperty("ftrma.train.aot");
        if (training != null && number == 0) {
            // The build's one small job: rank 0 shows what a rank needs.
            line.add("-XX:AOTCacheOutput=" + training);
        } else if (request.aotCache() != null && Files.isReadable(request.aotCache())) {
            line.add("-XX:AOTCache=" + request.aotCache());
        }
        line.add("-Djava.io.tmpdir=" + directory.path());
        line.addAll(roleArguments(number));
        line.addAll(request.jvmArguments());
        line.add("-cp");
        line.add(request.classPath());
        line.add(RankMain.class.getName());
        line.add(directory.path().toString());
        line.add(Integer.toString(number));
        line.add(request.mainClass());
        line.addAll(request.arguments());
        return line;
    }

    private List<String> roleArguments(int number) {
        JobOptions options = request.options();
        List<String> line = new ArrayList<>();
        if (options.isProtected()) {
            line.add("-D" + RankMain.GROUP + "=" + JobGroups.of(options).size(0));
            line.add("-D" + RankMain.LOSSES + "=" + options.losses());
        }
        if (number >= options.ranks() + options.checksums()) {
            line.add("-D" + RankMain.REPLACEMENT + "=true");
        }
        return line;
    }

    /** Arguments of every rank. The ahead-of-time cache is made with the same ones. */
    static List<String> fixedArguments() {
        List<String> line = new ArrayList<>(List.of("-XX:+UseSerialGC", "-Xms16m", "-Xss512k", "-XX:-UsePerfData", "-XX:+ErrorFileToStderr",
            "-XX:-CreateCoredumpOnCrash",
            "--enable-native-access=ALL-UNNAMED"));
        if (givesHugePages()) {
            line.add("-XX:+UseTransparentHugePages"); // where there are none the virtual machine would complain
        }
        return line;
    }

    /** Arrays in the heap that a program works on lie in one piece then; small pages of theirs collide in the caches, more or less in each run. */
    private static boolean givesHugePages() {
        try {
            String settings = Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"));
            return settings.contains("[madvise]") || settings.contains("[always]");
        } catch (IOException e) {
            return false;
        }
    }
}
