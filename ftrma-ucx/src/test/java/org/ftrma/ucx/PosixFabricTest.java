package org.ftrma.ucx;

import java.util.concurrent.TimeUnit;
import org.ftrma.testkit.contract.FabricContract;
import org.ftrma.testkit.contract.FabricHarness;
import org.ftrma.testkit.contract.ThreadedHarness;
import org.junit.jupiter.api.Timeout;

/** The fabric contract over mapped posix shared memory. */
@Timeout(120)
class PosixFabricTest extends FabricContract {
    private static final UcxOptions OPTIONS = new UcxOptions(UcxOptions.Path.MAPPED, "posix", "tcp", "lo");

    @Override
    public FabricHarness harness() {
        return new ThreadedHarness(member -> new UcxFabric(OPTIONS), TimeUnit.SECONDS.toNanos(60));
    }
}
