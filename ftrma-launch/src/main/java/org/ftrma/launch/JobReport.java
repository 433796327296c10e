package org.ftrma.launch;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.launch.disk.RestartChoice;
import org.ftrma.launch.inject.FaultPlan;
import org.ftrma.launch.inject.InjectedFailure;
import org.ftrma.launch.job.JobRequest;
import org.ftrma.launch.record.JobRecord;
import org.ftrma.launch.record.JobResult;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;

/** The result of a job, for people and as JSON. One thread. */
public final class JobReport {
    private static final String DIGEST = "checksumDigest";
    /** What the key-value store reports, where it is easy to find. */
    private static final List<String> KV_KEYS = List.of("inserts", "found", "lost", "duplicated", "insertsPerSecond");
    private static final int WIDTH = 110;
    private final String app;
    private final JobRequest request;
    private final FaultPlan plan;
    private final List<String> problems = new ArrayList<>();
    private RestartChoice restart;
    private String restartCommand;
    private JobResult result;
    private JobResult reference;

    public JobReport(String app, JobRequest request, FaultPlan plan) {
        this.app = app;
        this.request = request;
        this.plan = plan;
    }

    /** The job starts from disk, unless {@code choice} is null. */
    JobReport restarted(RestartChoice choice) {
        restart = choice;
        return this;
    }

    /** The command that goes on with the job, if it is stopped. */
    JobReport restartedBy(String command) {
        restartCommand = command;
        return this;
    }

    public void add(JobResult jobResult) {
        result = jobResult;
        if (!jobResult.outcome().message().isEmpty()) {
            problems.add(jobResult.outcome().message() + (isStopped() ? "; restart with: " + restartCommand : ""));
        }
        if (jobResult.outcome().kind() == JobOutcome.Kind.SUCCESS) {
            jobResult.notInjected().forEach(text -> problems.add("fault not injected: " + text));
        }
    }

    /** A run without failures of the same length: the results must be equal. */
    public void compareWith(JobResult failureFree) {
        reference = failureFree;
        if (failureFree.exitCode() != 0) {
            problems.add("the failure-free run to compare with " + (failureFree.interrupted() ? "was interrupted"
                : "failed: " + failureFree.outcome().message()));
        } else if (!sameResult()) {
            problems.add("the result differs from the failure-free run's: " + result.outcome().reports().get(DIGEST)
                + " instead of "
                + failureFree.outcome().reports().get(DIGEST));
        }
    }

    private boolean isStopped() {
        return result.exitCode() == JobOutcome.Kind.STOPPED.exitCode();
    }

    private boolean sameResult() {
        Object digest = result.outcome().reports().get(DIGEST);
        return digest != null && digest.equals(reference.outcome().reports().get(DIGEST));
    }

    public List<String> problems() {
        return problems;
    }

    public int exitCode() {
        if (result.exitCode() == 0 && reference != null) {
            return reference.interrupted() ? reference.exitCode() : reference.exitCode() == 0 && sameResult() ? 0 : 1;
        }
        return result.exitCode();
    }

    /** True or false as the program says; never true for a job that failed; null if the program does not verify. */
    private Boolean verified() {
        if (exitCode() != 0) {
            return Boolean.FALSE;
        }
        return result.outcome().reports().get("verified") instanceof Boolean verified ? verified : null;
    }

    String json() {
        return text(figures());
    }

    /** As one line of JSON. */
    public static String text(Map<String, Object> figures) {
        try {
            return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(figures);
        } catch (IOException e) {
            throw new IllegalStateException("writing JSON failed", e);
        }
    }

    /** What {@link #json} holds. */
    public Map<String, Object> figures() {
        JobRecord record = result.record();
        Map<String, Object> reports = new TreeMap<>(result.outcome().reports());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("app", app);
        json.put("class", reports.remove("class"));
        putOptions(json);
        json.put("exitCode", exitCode());
        json.put("outcome", outcomeName());
        json.put("message", String.join("; ", problems));
        json.put("programStatus", result.programStatus());
        json.put("verified", verified());
        reports.remove("verified");
        json.put("mops", reports.remove("mops"));
        json.put("seconds", reports.containsKey("seconds") ? reports.remove("seconds")
            : (Object) (1e-9 * record.wallNanos()));
        json.put("iterations", reports.containsKey("iterations") ? reports.remove("iterations")
            : (Object) (result.outcome().steps() >= 0 ? result.outcome().steps() : record.stepsDone()));
        if (app.equals(CommandNames.KV)) {
            KV_KEYS.forEach(key -> json.put(key, reports.remove(key)));
        }
        putProtocol(json);
        json.put("faultsInjected", result.faults());
        json.put("seed", plan.seed());
        json.put("processes", record.processes());
        json.put("path", request.options().value(JobOption.PATH));
        json.put("ucx", ucx(reports));
        List<Map<String, Object>> logs = log(reports);
        json.put("log", logs);
        if (!logs.isEmpty() && json.get("inserts") instanceof Number inserts) {
            json.put("recordsPerInsert", logs.stream().mapToLong(one -> ((Number) one.get("records")).longValue())
                .sum() / inserts.doubleValue());
        }
        if (reference != null) {
            json.put("sameAsFailureFree", reference.exitCode() == 0 ? sameResult() : null);
            json.put("failureFreeSeconds", reference.outcome().reports().get("seconds"));
        }
        json.put("reports", reports);
        return json;
    }

    /** What the job was asked to be. */
    private void putOptions(Map<String, Object> json) {
        JobOptions options = request.options();
        json.put("ranks", options.ranks());
        json.put("checksums", options.checksums());
        json.put("losses", options.losses());
        json.put("spares", options.spares());
        json.put("nodes", options.hasNodes() && options.isProtected() ? JobGroups.topology(options).nodes()
            : options.nodes());
        json.put("topology", options.topology().isEmpty() || !options.isProtected() ? null
            : JobGroups.topology(options).name());
        json.put("aware", options.aware());
        json.put("protocol", protocol());
        json.put("interval", options.value(JobOption.INTERVAL));
    }

    /** What the protocol did, and what it took. */
    private void putProtocol(Map<String, Object> json) {
        JobOutcome outcome = result.outcome();
        JobRecord record = result.record();
        json.put("wallSeconds", 1e-9 * record.wallNanos());
        json.put("startMillis", millis(record.startNanos()));
        json.put("checkpoints", outcome.checkpoints());
        json.put("checkpointMillis", millis(outcome.checkpointNanos()));
        json.put("parityMillis", millis(record.parityNanos()));
        json.put("checksumCpuMillis", millis(record.checksumProcessorNanos()));
        json.put("abandoned", record.abandoned());
        json.put("abandonedMillis", millis(record.abandonedNanos()));
        json.put("demandCheckpoints", outcome.demands().committed());
        json.put("demandAbandoned", outcome.demands().abandoned());
        json.put("demandBytes", outcome.demands().bytes());
        json.put("generation", record.generation());
        json.put("generationStep", record.generationStep());
        json.put("restarted", restartedFrom());
        json.put("restartWith", isStopped() ? restartCommand : null);
        json.put("flushes", record.flushes());
        json.put("flushesSkipped", record.flushesSkipped());
        json.put("flushesFailed", record.flushesFailed());
        json.put("flushedGeneration", record.flushedGeneration());
        json.put("flushBytes", record.flushBytes());
        json.put("flushMillis", millis(record.flushNanos()));
        json.put("rollbacks", outcome.rollbacks());
        json.put("localRecoveries", outcome.localRecoveries());
        json.put("fallbacks", new TreeMap<>(outcome.fallbacks()));
        json.put("failures", record.failures().stream().map(this::json).toList());
    }

    private Map<String, Object> restartedFrom() {
        if (restart == null) {
            return null;
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("image", restart.name());
        json.put("generation", restart.point().generation());
        json.put("step", restart.point().step());
        json.put("refused", restart.refused().stream().map(one -> Map.of("image", one.name(), "reason", one.reason()))
            .toList());
        return json;
    }

    /** It agrees with the exit code. */
    private String outcomeName() {
        return switch (exitCode()) {
            case Interrupts.STATUS -> "interrupted";
            case 0 -> "success";
            default -> result.outcome().kind() == JobOutcome.Kind.SUCCESS ? "failed"
                : result.outcome().kind().name().toLowerCase(Locale.ROOT);
        };
    }

    private String protocol() {
        return request.options().protocol().word();
    }

    /** Rank 0 tells it when it opens UCX; a job may end before that. */
    private static Map<String, Object> ucx(Map<String, Object> reports) {
        Map<String, Object> ucx = new LinkedHashMap<>();
        ucx.put("version", null);
        ucx.put("transports", null);
        ucx.put("path", null);
        ucx.putAll(under("ucx.", reports));
        return ucx;
    }

    /** What each rank logged, in the order of ranks: empty where nothing is logged. */
    private List<Map<String, Object>> log(Map<String, Object> reports) {
        List<Map<String, Object>> log = new ArrayList<>();
        for (int rank = 0; rank < request.options().ranks(); rank++) {
            Map<String, Object> figures = under("log." + rank + ".", reports);
            if (!figures.isEmpty()) {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("rank", rank);
                one.putAll(figures);
                log.add(one);
            }
        }
        return log;
    }

    /** Takes out the entries with a prefix. */
    private static Map<String, Object> under(String prefix, Map<String, Object> reports) {
        Map<String, Object> found = new LinkedHashMap<>();
        reports.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), value);
            }
        });
        reports.keySet().removeIf(key -> key.startsWith(prefix));
        return found;
    }

    private Map<String, Object> json(JobRecord.Failure failure) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rank", failure.member());
        json.put("role", failure.member() < request.options().ranks() ? "computing" : "checksum");
        json.put("step", failure.step());
        json.put("detectMillis", millis(failure.detectNanos()));
        json.put("recoverMillis", millis(failure.recoverNanos()));
        json.put("how", failure.how());
        json.put("cause", failure.cause());
        json.put("stepsRepeated", failure.stepsRepeated());
        if (failure.how().equals("replay")) {
            json.put("putsApplied", failure.figure(RecoveryFigures.PUTS_APPLIED));
            json.put("putsSuppressed", failure.figure(RecoveryFigures.PUTS_SUPPRESSED));
            json.put("resultsReplayed", failure.figure(RecoveryFigures.RESULTS_REPLAYED));
            json.put("joinMillis", millis(failure.figure(RecoveryFigures.JOIN_NANOS)));
            json.put("rebuildMillis", millis(failure.figure(RecoveryFigures.REBUILD_NANOS)));
            json.put("agreeMillis", millis(failure.figure(RecoveryFigures.AGREE_NANOS)));
            json.put("replayMillis", millis(failure.figure(RecoveryFigures.REPLAY_NANOS)));
        }
        return json;
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1e3) / 1e3;
    }

    public String text() {
        JobOptions options = request.options();
        JobOutcome outcome = result.outcome();
        StringBuilder text = new StringBuilder();
        line(text, "%s%s on %s: %s", app, outcome.reports().containsKey("class")
            ? " class " + outcome.reports().get("class") : "",
            ranks(options), ending());
        figures(text);
        if (options.isProtected()) {
            line(text,
                "  %d checkpoints (%d abandoned%s), %.1f ms blocked in all, %d rollbacks, %d recovered by replay%s",
                outcome.checkpoints(),
                result.record().abandoned(), result.record().abandonedNanos() == 0 ? ""
                    : String.format(Locale.ROOT, ", for which ranks waited %.1f s", 1e-9 * result.record()
                        .abandonedNanos()), 1e-6 * outcome.checkpointNanos(), outcome.rollbacks(),
                outcome.localRecoveries(),
                outcome.fallbacks().isEmpty() ? "" : "; all went back: " + new TreeMap<>(outcome.fallbacks()));
            if (outcome.demands().committed() > 0) {
                line(text, "  %d demand checkpoints (%d abandoned), %d bytes of parities changed",
                    outcome.demands().committed(),
                    outcome.demands().abandoned(), outcome.demands().bytes());
            }
        }
        if (restart != null) {
            line(text, "  started from %s: generation %d, step %d", restart.name(), restart.point().generation(),
                restart.point().step());
        }
        if (options.isFlushed()) {
            line(text, "  %d generations written to %s (%d skipped, %d failed)", result.record().flushes(),
                options.value(JobOption.FLUSH),
                result.record().flushesSkipped(), result.record().flushesFailed());
        }
        for (JobRecord.Failure failure : result.record().failures()) {
            String known = failure.detectNanos() > 0 ? String.format(Locale.ROOT, "known after %.1f ms, ",
                1e-6 * failure.detectNanos()) : "";
            line(text, "  %s lost in step %d (%s): %s", InjectedFailure.memberName(failure.member(), options),
                failure.step(), failure.cause(), known + (failure.recoverNanos() > 0 ? String.format(Locale.ROOT,
                    "running again after %.1f ms (%s)", 1e-6 * failure.recoverNanos(), failure.how())
                    : failure.how()));
        }
        if (reference != null && reference.exitCode() == 0) {
            line(text, "  result %s that of the failure-free run", sameResult() ? "equals" : "DIFFERS FROM");
        }
        return text.toString();
    }

    /** What the program reported: the usual figures in a line of their own, the others by name. */
    private void figures(StringBuilder text) {
        Map<String, Object> reports = new TreeMap<>(result.outcome().reports());
        reports.keySet().removeIf(key -> key.equals("class") || key.equals("verified") || key.startsWith("ucx.")
            || key.startsWith("log."));
        if (reports.get("seconds") instanceof Double seconds && reports.get("mops") instanceof Double mops) {
            line(text, "  %.3f s, %.0f Mop/s, %s iterations", seconds, mops, reports.get("iterations"));
            reports.keySet().removeAll(List.of("seconds", "mops", "iterations"));
        }
        if (app.equals(CommandNames.KV) && reports.get("insertsPerSecond") instanceof Double rate) {
            line(text, "  %.3f s, %.0f inserts/s; of %s keys %s found, %s lost, %s twice", reports.get("seconds"), rate,
                reports.get("inserts"),
                reports.get("found"), reports.get("lost"), reports.get("duplicated"));
            reports.keySet().removeAll(KV_KEYS);
            reports.remove("seconds");
        }
        StringBuilder row = new StringBuilder();
        for (Map.Entry<String, Object> report : reports.entrySet()) {
            Object value = report.getValue();
            // Times are measured; other numbers may have to be compared bit for bit.
            String one = report.getKey() + " = " + (value instanceof Double seconds
                && report.getKey().startsWith("seconds")
                ? String.format(Locale.ROOT, "%.3f", seconds) : value);
            if (!row.isEmpty() && row.length() + one.length() > WIDTH) {
                line(text, "  %s", row);
                row.setLength(0);
            }
            row.append(row.isEmpty() ? "" : ", ").append(one);
        }
        if (!row.isEmpty()) {
            line(text, "  %s", row);
        }
    }

    private static String ranks(JobOptions options) {
        String ranks = options.ranks() + (options.ranks() == 1 ? " rank" : " ranks");
        return options.isProtected() ? ranks + " and " + options.checksums()
            + (options.checksums() == 1 ? " checksum rank"
            : " checksum ranks")
            : ranks + ", unprotected";
    }

    private String ending() {
        if (exitCode() == Interrupts.STATUS) {
            return "interrupted";
        }
        Boolean verified = verified();
        return switch (result.outcome().kind()) {
            case SUCCESS -> exitCode() != 0 ? "FAILED" : verified == null ? "done" : "verified";
            case FAILED, UNFIT -> "FAILED";
            case CATASTROPHIC -> "CATASTROPHIC FAILURE";
            case STOPPED -> "stopped";
        };
    }

    private static void line(StringBuilder text, String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
