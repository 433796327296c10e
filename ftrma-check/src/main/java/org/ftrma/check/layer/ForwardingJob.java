package org.ftrma.check.layer;

import java.util.function.Consumer;
import org.ftrma.Channel;
import org.ftrma.Counters;
import org.ftrma.Distribution;
import org.ftrma.Generation;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Team;
import org.ftrma.team.WindowTeam;

/**
 * A layer over a job. It hands on what only tells or reports; allocation, the loop, collectives and values are left to
 * the layer. Data thread only.
 */
public abstract class ForwardingJob implements Job {
    /** What the layer lies over. */
    protected final Job job;

    protected ForwardingJob(Job job) {
        this.job = job;
    }

    @Override
    public final int rank() {
        return job.rank();
    }

    @Override
    public final int ranks() {
        return job.ranks();
    }

    @Override
    public final int incarnation() {
        return job.incarnation();
    }

    @Override
    public final boolean hasState() {
        return job.hasState();
    }

    @Override
    public final Counters counters() {
        return job.counters();
    }

    @Override
    public Channel messages() {
        throw new MisuseException("messages: --verify-restart and --check-races know no messages yet: run the job "
            + "without them");
    }

    /** Over windows of the layer: what a team does is what a program does. */
    @Override
    public Team team(String name, int color, int key) {
        return WindowTeam.of(this, name, color, key);
    }

    @Override
    public void parameter(String name, String value) {
        job.parameter(name, value);
    }

    @Override
    public void distribution(String name, Distribution distribution) {
        job.distribution(name, distribution);
    }

    @Override
    public void onCommit(Consumer<Generation> action) {
        job.onCommit(action);
    }

    @Override
    public final void checkpoint() {
        job.checkpoint();
    }

    @Override
    public final void progress() {
        job.progress();
    }

    @Override
    public final void report(String key, String value) {
        job.report(key, value);
    }

    @Override
    public final void report(String key, double value) {
        job.report(key, value);
    }

    @Override
    public final void report(String key, long value) {
        job.report(key, value);
    }

    @Override
    public final void report(String key, boolean value) {
        job.report(key, value);
    }
}
