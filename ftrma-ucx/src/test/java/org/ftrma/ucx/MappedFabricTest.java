package org.ftrma.ucx;

import java.util.concurrent.TimeUnit;
import org.ftrma.testkit.contract.FabricContract;
import org.ftrma.testkit.contract.FabricHarness;
import org.ftrma.testkit.contract.ThreadedHarness;
import org.junit.jupiter.api.Timeout;

/** The fabric contract over mapped System V memory. */
@Timeout(120)
class MappedFabricTest extends FabricContract {
    @Override
    public FabricHarness harness() {
        return new ThreadedHarness(member -> new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED)),
            TimeUnit.SECONDS.toNanos(60));
    }
}
