package org.ftrma.rank;

import java.util.function.Consumer;
import org.ftrma.Job;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.HostPlace;
import org.ftrma.runtime.LogMemory;
import org.ftrma.runtime.RankProcess;
import org.ftrma.spi.ControlPlane;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.FabricInfo;
import org.ftrma.spi.Holes;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.ucx.UcxOptions;

/** Opens the fabric of this process's member, and lets the job's result tell what it was made of. Data thread only. */
final class UcxFabrics implements RankProcess.FabricFactory {
    /** Of the memory that is free a spare takes such a part for a log at most, ... */
    private static final int LOG_SHARE = 8;
    /** ... and of that which may be exposed, for the region that it lies in. */
    private static final int REGION_SHARE = 2;

    private final ControlPlane control;
    private final boolean replacement;
    private final boolean oversubscribed;
    private final HostPlace place;
    private UcxFabric opened;
    private Consumer<JobOptions> whenProvisioned = options -> { };

    /**
     * None is open yet.
     *
     * @param replacement whether the process replaces another one, and makes its memory ready in the background
     * @param oversubscribed whether computing ranks have too few cores for all that they do at the same time
     */
    UcxFabrics(ControlPlane control, boolean replacement, boolean oversubscribed, HostPlace place) {
        this.oversubscribed = oversubscribed;
        this.place = place;
        this.control = control;
        this.replacement = replacement;
    }

    /** Told the options of the job when this process, which has no role yet, has its memory. */
    void whenProvisioned(Consumer<JobOptions> told) {
        whenProvisioned = told;
    }

    /** A spare's memory: best effort, for without it the replacement only takes longer. */
    @Override
    public void provision(JobOptions options, long[] regions, Holes ofLast, LogMemory log) {
        if (opened == null && !options.forceNetwork()) {
            provide(regions, ofLast, log);
        }
        whenProvisioned.accept(options);
    }

    private void provide(long[] regions, Holes ofLast, LogMemory log) {
        opened = new UcxFabric(options(UcxOptions.Path.AUTO));
        opened.prefaultInBackground();
        opened.provision(regions, ofLast);
        long room = opened.room().bytes();
        if (log.regionBytes() > 0 && log.regionBytes() <= room / REGION_SHARE) {
            opened.provisionLazily(log.regionBytes(), Math.min(log.replayBytes(), room / LOG_SHARE));
        }
    }

    @Override
    public Fabric open(int member, JobOptions options) {
        if (opened != null && member >= options.ranks()) {
            opened.close(); // the memory was for a computing rank
            opened = null;
        }
        if (opened != null) {
            return announced(member, options);
        }
        opened = new UcxFabric(options(options.forceNetwork() ? UcxOptions.Path.NETWORK
            : UcxOptions.Path.AUTO));
        if (replacement) {
            opened.prefaultInBackground();
        }
        return announced(member, options);
    }

    private UcxOptions options(UcxOptions.Path path) {
        return UcxOptions.of(path).among(place.device(), place.identity());
    }

    private Fabric announced(int member, JobOptions options) {
        opened.letInOneByOne();
        if (oversubscribed) {
            opened.giveWay();
        }
        if (member == 0) {
            FabricInfo info = opened.info();
            control.send(MessageCodec.encode(new ControlMessage.Note("UCX " + info.version() + ", transports "
                + info.transports() + ", path "
                + options.value(JobOption.PATH))));
            report();
            if (!opened.notMapped().isEmpty()) {
                RankMessages.warn("memory cannot be mapped between processes here, accesses go over tcp "
                    + "loopback, which is slower: "
                    + opened.notMapped());
            }
        }
        return opened;
    }

    /** At the end of the program: by then the path is the one that accesses took. */
    void report(Job job) {
        if (job.rank() == 0 && opened != null) {
            report();
        }
    }

    /** Rank 0 speaks for all. */
    private void report() {
        FabricInfo info = opened.info();
        report("ucx.version", info.version());
        report("ucx.transports", info.transports());
        report("ucx.path", info.path());
        if (!opened.notMapped().isEmpty()) {
            report("ucx.notMapped", opened.notMapped());
        }
    }

    private void report(String key, String value) {
        control.send(MessageCodec.encode(new ControlMessage.Report(key, "S", value)));
    }
}
