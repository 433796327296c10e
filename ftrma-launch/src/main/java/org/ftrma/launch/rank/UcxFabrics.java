package org.ftrma.launch.rank;

import org.ftrma.Job;
import org.ftrma.checkpoint.RankProcess;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.FabricInfo;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.ucx.UcxOptions;

/** Opens the fabric of this process's member, and lets the job's result tell what it was made of. Data thread only. */
final class UcxFabrics implements RankProcess.FabricFactory {
    private UcxFabric opened;

    @Override
    public Fabric open(int member, JobOptions options) {
        opened = new UcxFabric(UcxOptions.of(options.forceNetwork() ? UcxOptions.Path.NETWORK : UcxOptions.Path.AUTO));
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
