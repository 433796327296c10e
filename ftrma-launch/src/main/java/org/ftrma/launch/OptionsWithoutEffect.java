package org.ftrma.launch;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.ftrma.launch.inject.FaultPlan;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.Interval;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Protocol;

/**
 * Finds options that were given and change nothing beside the others, or not what they are for: no error, but their
 * user should know. Any thread.
 */
final class OptionsWithoutEffect {
    private static final Set<JobOption> OF_PROTECTION = EnumSet.of(JobOption.LOSSES, JobOption.NODES,
        JobOption.TOPOLOGY, JobOption.AWARE,
        JobOption.SPARES, JobOption.INTERVAL, JobOption.MTBF, JobOption.CUT_DEADLINE, JobOption.LOG_BUDGET,
        JobOption.LOG_LOW,
        JobOption.LOG_OVERFLOW, JobOption.DEMAND, JobOption.INDEPENDENT, JobOption.STAGING, JobOption.MESSAGE_LOG,
        JobOption.EVENT_LOGGER);
    private static final Set<JobOption> OF_LOGS = EnumSet.of(JobOption.LOG_BUDGET, JobOption.LOG_LOW,
        JobOption.LOG_OVERFLOW, JobOption.DEMAND, JobOption.INDEPENDENT,
        JobOption.STAGING);
    private static final Set<JobOption> OF_ACCESS_LOGS = EnumSet.of(JobOption.LOG_BUDGET, JobOption.LOG_OVERFLOW,
        JobOption.STAGING);
    private static final Set<JobOption> OF_FLUSHING = EnumSet.of(JobOption.FLUSH_EVERY, JobOption.KEEP);

    private OptionsWithoutEffect() {
    }

    /**
     * One sentence for each reason.
     *
     * @param given the job options that were given
     * @param options what follows
     * @param plan the failures
     * @param launcher options of the launcher that were given
     */
    static List<String> of(Set<JobOption> given, JobOptions options, FaultPlan plan,
        Set<LauncherOption> launcher) {
        List<String> notes = new ArrayList<>();
        Protocol asked = options.askedProtocol();
        if (!options.isProtected()) {
            if (given.contains(JobOption.PROTOCOL) && asked != Protocol.NONE) {
                notes.add("--protocol " + asked + ": nothing is protected without checksum ranks; add --checksums 1");
            }
            if (given.contains(JobOption.CHECKSUMS) && asked == Protocol.NONE
                && !options.value(JobOption.CHECKSUMS).equals("0")) {
                notes.add("--checksums " + options.value(JobOption.CHECKSUMS)
                    + ": nothing is protected with --protocol " + asked);
            }
            add(notes, OF_PROTECTION, given, "the job is not protected");
        } else {
            if (options.protocol().logsMessages()) {
                add(notes, OF_ACCESS_LOGS, given, "accesses are not logged with --protocol " + asked
                    + "; --message-log is for messages");
            } else if (!options.protocol().hasLogs()) {
                add(notes, OF_LOGS, given, "there are no logs with --protocol " + asked);
            } else if (!options.protocol().recoversLocally()) {
                add(notes, EnumSet.of(JobOption.DEMAND, JobOption.INDEPENDENT), given,
                    "there are demand checkpoints with --protocol " + Protocol.FULL + " and " + Protocol.PESSIMISTIC_V
                    + " only");
            }
            if (options.protocol().hasLogs() && options.forceNetwork()) {
                add(notes, EnumSet.of(JobOption.STAGING), given, "no rank's memory is mapped with --path network");
            } else if (options.protocol().logsAtChecksum()) {
                add(notes, EnumSet.of(JobOption.STAGING), given, "logs at checksum ranks are no memory to put from");
            }
            if (!options.protocol().logsMessages()) {
                add(notes, EnumSet.of(JobOption.MESSAGE_LOG, JobOption.EVENT_LOGGER), given,
                    "messages are not logged with --protocol " + asked);
            }
            if (options.protocol().recoversLocally() && !options.hasDemandCheckpoints()) {
                add(notes, EnumSet.of(JobOption.INDEPENDENT), given, "there are no demand checkpoints with --demand "
                    + options.value(JobOption.DEMAND));
            }
            if (!(options.interval() instanceof Interval.Daly || options.independent() instanceof Interval.Daly)) {
                add(notes, EnumSet.of(JobOption.MTBF), given, "it is for --interval daly");
            }
        }
        long stallNanos = JobOption.STALL_TIMEOUT.number(options.value(JobOption.STALL_TIMEOUT));
        if (stallNanos >= options.deadlineNanos() && (given.contains(JobOption.STALL_TIMEOUT)
            || given.contains(JobOption.DEADLINE))) {
            notes.add("--stall-timeout " + options.value(JobOption.STALL_TIMEOUT)
                + " is not less than --deadline " + options.value(JobOption.DEADLINE)
                + ": the others give up waiting for one that stalls before it is killed");
        }
        if (!options.isFlushed()) {
            add(notes, OF_FLUSHING, given, "nothing is written to disk without --flush");
            if (launcher.contains(LauncherOption.DRAIN_TIMEOUT)) {
                notes.add("--drain-timeout has no effect: nothing is written to disk without --flush");
            }
        }
        if (launcher.contains(LauncherOption.SEED) && plan.faults().isEmpty() && plan.chaos() == 0) {
            notes.add("--seed has no effect: there is no --kill, --stop or --chaos");
        }
        return notes;
    }

    private static void add(List<String> notes, Set<JobOption> idle, Set<JobOption> given, String why) {
        String names = idle.stream().filter(given::contains).map(option -> "--"
            + option.key()).collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            notes.add(names + (names.contains(",") ? " have" : " has") + " no effect: " + why);
        }
    }
}
