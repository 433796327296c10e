package org.ftrma.bench;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.ftrma.MisuseException;
import org.ftrma.bench.command.CommandEnd;
import org.ftrma.bench.command.JobProcess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./ftrma bench blocking [--ranks N] [--mebibytes M] [--json]}: how long a coordinated checkpoint stops a
 * program ({@link BlockingProgram}).
 */
@Command(name = "blocking", description =
    "Measures how long a coordinated checkpoint stops a program, beside a copy of the same memory by all ranks at "
    + "once.")
public final class BlockingBench implements Callable<Integer> {
    private static final long TIMEOUT_SECONDS = 300;
    private static final double LIMIT = 2;

    @Option(names = "--ranks", paramLabel = "N", description = "computing ranks (default: ${DEFAULT-VALUE})")
    private int ranks = 4;

    @Option(names = "--mebibytes", paramLabel = "M", description =
        "protected memory of each rank in MiB (default: ${DEFAULT-VALUE})")
    private int mebibytes = 64;

    @Option(names = CommandEnd.ASKED, description = "print one JSON object instead of a line")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help and exit")
    private boolean help;

    /** Returns an exit code: 0 whatever the figures are. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        if (ranks < 1 || ranks > 1024 || mebibytes < 1 || mebibytes > 65_536) {
            throw new MisuseException("--ranks " + ranks + " --mebibytes " + mebibytes
                + ": 1 to 1024 ranks of 1 to 65536 MiB");
        }
        Map<String, Object> result = JobProcess.run(List.of("run", "--ranks", "" + ranks, "--checksums", "1",
            "--protocol", "coordinated",
            "--interval", "1", "--class-path", System.getProperty("java.class.path"), "--",
            BlockingProgram.class.getName(), "" + mebibytes),
            TIMEOUT_SECONDS);
        if (!(result.get("reports") instanceof Map<?, ?> reports) || !(reports.get("copyMillis") instanceof Number copy)
            || !(reports.get("blockedMillis") instanceof Number blocked)) {
            throw new IOException("the job reported no times: " + result);
        }
        double ratio = blocked.doubleValue() / copy.doubleValue();
        if (json) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("ranks", ranks);
            figures.put("mebibytes", mebibytes);
            figures.put("checkpoints", result.get("checkpoints"));
            figures.put("copyMillis", copy);
            figures.put("blockedMillis", blocked);
            figures.put("ratio", ratio);
            System.out.println(CommandEnd.success(figures));
        } else {
            System.out.printf(Locale.ROOT, "%d ranks with %d MiB each: a coordinated checkpoint stops them for %.1f "
                + "ms, a copy by all at once takes "
                + "%.1f ms: ratio %.2f, at most %.0f wanted%n", ranks, mebibytes, blocked.doubleValue(),
                copy.doubleValue(), ratio, LIMIT);
        }
        return 0;
    }
}
