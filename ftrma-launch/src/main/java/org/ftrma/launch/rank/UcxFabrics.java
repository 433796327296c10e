package org.ftrma.launch.rank;

import org.ftrma.Job;
import org.ftrma.checkpoint.RankProcess;
import org.ftrma.checkpoint.control.Message;
import org.ftrma.checkpoint.control.MessageCodec;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.ControlPlane;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.FabricInfo;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.ucx.UcxOptions;

/** Opens the fabric of this process's member, and lets the job's result tell what it was made of. Data thread only. */
final class UcxFabrics implements RankProcess.FabricFactory {
    private final ControlPlane control;
    private UcxFabric opened;

    UcxFabrics(ControlPlane control) {
        this.control = control;
    }

    @Override
    public Fabric open(int member, JobOptions options) {
        opened = new UcxFabric(UcxOptions.of(options.forceNetwork() ? UcxOptions.Path.NETWORK : UcxOptions.Path.AUTO));
        if (member == 0) {
            FabricInfo info = opened.info();
            control.send(MessageCodec.encode(new Message.Note("UCX " + info.version() + ", transports " + info.transports() + ", path "
                + options.value(JobOption.PATH))));
        }
        return opened;
    }

    /** Rank 0 speaks for all: the path is the one that its accesses took. */
    void report(Job job) {
        if (job.rank() == 0 && opened != null) {
            FabricInfo info = opened.info();
            job.report("ucx.version", info.version());
            job.report("ucx.transports", info.transports());
            job.report("ucx.path", info.path());
        }
    }
}
