package org.ftrma.launch.web;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.ftrma.core.counter.Counter;
import org.ftrma.core.counter.CounterSnapshot;
import org.ftrma.launch.journal.EventKind;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.LoggedEvent;
import org.ftrma.launch.web.OpenMetrics.Type;

/**
 * A job as metrics. Those of the job are sums over all of it; those of a member are its process's, and begin anew with
 * that. One thread.
 */
final class JobMetrics {
    private static final String SECONDS = "seconds";
    private static final String BYTES = "bytes";
    private static final String MEMBER = "member";
    /** A member's, from its counters: the unit says how they are written. */
    private static final List<Counted> COUNTED = List.of(
        new Counted("step", Type.GAUGE, "", Counter.STEP, "The step that the program is in; 0: before its first one"),
        new Counted("generation", Type.GAUGE, "", Counter.GENERATION, "The newest generation known to be committed"),
        new Counted("logged_accesses", Type.COUNTER, "", Counter.ACCESSES, "Accesses that were logged"),
        new Counted("put_log_bytes", Type.COUNTER, BYTES, Counter.PUT_LOG_BYTES, "Bytes written to logs of puts"),
        new Counted("get_log_bytes", Type.COUNTER, BYTES, Counter.GET_LOG_BYTES,
            "Bytes written to logs of what was read"),
        new Counted("log_bytes", Type.GAUGE, BYTES, Counter.LOG_BYTES, "Memory that logs take"),
        new Counted("log_peak_bytes", Type.GAUGE, BYTES, Counter.PEAK_LOG_BYTES, "The most that it was"),
        new Counted("dropped_logs", Type.COUNTER, "", Counter.DROPPED_LOGS, "Logs that were dropped for want of room"),
        new Counted("epochs", Type.COUNTER, "", Counter.EPOCHS, "Epochs that were closed"),
        new Counted("collectives", Type.COUNTER, "", Counter.COLLECTIVES, "Gsyncs and other collectives"),
        new Counted("checkpoints", Type.COUNTER, "", Counter.CHECKPOINTS, "Checkpoints that it took part in"),
        new Counted("checkpoint_blocked_seconds", Type.COUNTER, SECONDS, Counter.BLOCKED, "Time that these took"),
        new Counted("demand_checkpoints", Type.COUNTER, "", Counter.DEMAND_CHECKPOINTS, "Checkpoints of it alone"),
        new Counted("demand_checkpoint_blocked_seconds", Type.COUNTER, SECONDS, Counter.DEMAND_BLOCKED,
            "Time that these took"),
        new Counted("parities", Type.COUNTER, "", Counter.PARITIES, "Parities that a checksum rank made"),
        new Counted("parity_seconds", Type.COUNTER, SECONDS, Counter.PARITY, "Time that these took"));

    private final JobView job;
    private final List<JobView.Member> members;
    private final JobTotals.Sums sums;
    private final OpenMetrics metrics = new OpenMetrics();

    /** A number of a member's process. */
    private record Counted(String name, Type type, String unit, Counter counter, String help) {
    }

    JobMetrics(JobView job, List<JobView.Member> members, JobTotals.Sums sums) {
        this.job = job;
        this.members = members;
        this.sums = sums;
    }

    String text() {
        job();
        happened();
        recoveries();
        states();
        for (Counted counted : COUNTED) {
            counted(counted);
        }
        heartbeats();
        waits();
        page();
        return metrics.end();
    }

    private void one(String name, Type type, long value, String help) {
        metrics.family(name, type, "", help).sample(value);
    }

    private void time(String name, Type type, long nanos, String help) {
        metrics.family(name, type, SECONDS, help).seconds(nanos);
    }

    private long number(EventKind kind, String name) {
        LoggedEvent event = job.last(kind);
        return event == null ? 0 : event.get(name);
    }

    private void job() {
        metrics.family("ftrma_job", Type.INFO, "", "What runs").sample(1, "job", job.folder().name(), "app",
            job.facts().app(), "host", job.facts().launcher().host());
        metrics.family("ftrma_job_state", Type.STATESET, "", "What became of the job");
        for (JobView.State state : JobView.State.values()) {
            metrics.sample(job.state() == state ? 1 : 0, "ftrma_job_state", state.name().toLowerCase(Locale.ROOT));
        }
        time("ftrma_job_age_seconds", Type.GAUGE, job.length().toNanos(), "How long it has run");
        one("ftrma_ranks", Type.GAUGE, job.facts().ranks(), "Computing ranks");
        one("ftrma_checksum_ranks", Type.GAUGE, job.facts().checksums(), "Checksum ranks");
        one("ftrma_view", Type.GAUGE, number(EventKind.RUNNING, "view"), "The view in which all run");
        one("ftrma_least_step", Type.GAUGE, number(EventKind.PROGRESS, "leastStep"), "The step of the slowest rank");
        one("ftrma_greatest_step", Type.GAUGE, number(EventKind.PROGRESS, "greatestStep"),
            "The step of the fastest rank");
        one("ftrma_steps", Type.GAUGE, number(EventKind.PROGRESS, "iterations"),
            "Steps that the program takes; 0: nobody knows");
        one("ftrma_generation", Type.GAUGE, number(EventKind.CUT, "generation"), "The last committed generation");
        one("ftrma_generation_step", Type.GAUGE, number(EventKind.CUT, "step"), "Its step");
    }

    private void happened() {
        one("ftrma_checkpoints", Type.COUNTER, job.count(EventKind.CUT), "Generations that were committed");
        one("ftrma_checkpoints_abandoned", Type.COUNTER, sums.givenUp().cuts(),
            "Checkpoints that were due and given up");
        time("ftrma_checkpoint_abandoned_seconds", Type.COUNTER, sums.givenUp().waitedNanos(),
            "Time for which ranks waited at these for others that did not come");
        time("ftrma_checkpoint_blocked_seconds", Type.COUNTER, sums.blockedNanos(),
            "Time for which checkpoints held up the slowest rank of each");
        time("ftrma_checkpoint_parity_seconds", Type.COUNTER, sums.parityNanos(),
            "Time from when all ranks went on to the commit");
        one("ftrma_demand_checkpoints", Type.COUNTER, job.count(EventKind.DEMAND),
            "Demand checkpoints that were committed");
        one("ftrma_demand_checkpoints_abandoned", Type.COUNTER, job.count(EventKind.DEMAND_ABANDONED),
            "Demand checkpoints that were given up");
        metrics.family("ftrma_demand_parity_bytes", Type.COUNTER, BYTES, "Parity that demand checkpoints changed")
            .sample(sums.demandBytes());
        one("ftrma_losses", Type.COUNTER, job.count(EventKind.LOST), "Members that were lost");
        one("ftrma_hosts_lost", Type.COUNTER, job.count(EventKind.HOST_LOST), "Hosts that were lost");
        one("ftrma_flushes", Type.COUNTER, job.count(EventKind.FLUSHED), "Generations that came to disk");
        one("ftrma_flushes_failed", Type.COUNTER, job.count(EventKind.FLUSH_FAILED),
            "Generations that could not be written to disk");
    }

    private void recoveries() {
        one("ftrma_recoveries", Type.COUNTER, job.count(EventKind.RECOVERED), "Lost members that run again");
        one("ftrma_rollbacks", Type.COUNTER, sums.rollbacks(), "Recoveries in which all ranks went back");
        one("ftrma_replays", Type.COUNTER, job.count(EventKind.REPLAYED), "Recoveries of a rank alone, by replay");
        one("ftrma_fallbacks", Type.COUNTER, job.count(EventKind.FALLBACK),
            "Rollbacks although accesses or messages are logged");
        one("ftrma_replayed_steps", Type.COUNTER, sums.stepsRepeated(), "Steps that replays did again");
        metrics.family("ftrma_recovery_seconds", Type.COUNTER, SECONDS, "Time of recoveries by replay, by their parts");
        for (int i = 0; i < JobTotals.PHASES.length; i++) {
            metrics.seconds(sums.phaseNanos()[i], "phase", JobTotals.PHASES[i]);
        }
    }

    private void states() {
        metrics.family("ftrma_member", Type.INFO, "", "Who plays a member");
        for (JobView.Member member : members) {
            metrics.sample(1, MEMBER, name(member), "host", member.host(), "process",
                Integer.toString(member.process()), "incarnation", Integer.toString(member.incarnation()));
        }
        metrics.family("ftrma_member_state", Type.STATESET, "", "Where a member is in its life");
        for (JobView.Member member : members) {
            for (String state : JobView.memberStates()) {
                metrics.sample(member.state().equals(state) ? 1 : 0, MEMBER, name(member), "ftrma_member_state",
                    state.toLowerCase(Locale.ROOT));
            }
        }
    }

    private void page() {
        time("ftrma_page_processor_seconds", Type.COUNTER, ProcessHandle.current().info().totalCpuDuration()
            .orElse(Duration.ZERO).toNanos(), "Processor time that the process of this page has used");
    }

    private String name(JobView.Member member) {
        return job.facts().name(member.number());
    }

    private void counted(Counted counted) {
        metrics.family("ftrma_member_" + counted.name, counted.type, counted.unit, counted.help);
        for (JobView.Member member : members) {
            if (member.counters() != null) {
                long value = member.counters().get(counted.counter);
                if (counted.unit.equals(SECONDS)) {
                    metrics.seconds(value, MEMBER, name(member));
                } else {
                    metrics.sample(value, MEMBER, name(member));
                }
            }
        }
    }

    private void heartbeats() {
        metrics.family("ftrma_member_heartbeat_age_seconds", Type.GAUGE, SECONDS,
            "Time since a member has last shown that it lives");
        for (JobView.Member member : members) {
            long age = job.heartbeatAgeNanos(member.counters());
            if (age >= 0) {
                metrics.seconds(age, MEMBER, name(member));
            }
        }
    }

    private void waits() {
        metrics.family("ftrma_member_waits", Type.COUNTER, "", "Waits of more than a moment, by what was waited for");
        eachWait((wait, labels) -> metrics.sample(wait.count(), labels));
        metrics.family("ftrma_member_wait_seconds", Type.COUNTER, SECONDS, "Time of these");
        eachWait((wait, labels) -> metrics.seconds(wait.nanos(), labels));
    }

    /** What is written of a kind of waits. */
    private interface Written {
        void write(CounterSnapshot.Waits wait, String... labels);
    }

    private void eachWait(Written written) {
        for (JobView.Member member : members) {
            if (member.counters() != null) {
                for (CounterSnapshot.Waits wait : member.counters().waits()) {
                    written.write(wait, MEMBER, name(member), "for", wait.what());
                }
            }
        }
    }
}
