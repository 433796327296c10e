package org.ftrma.ucx;

import java.util.concurrent.TimeUnit;
import org.ftrma.testkit.contract.FabricContract;
import org.ftrma.testkit.contract.FabricHarness;
import org.ftrma.testkit.contract.ThreadedHarness;
import org.junit.jupiter.api.Timeout;

/** The fabric contract over tcp loopback. */
@Timeout(120)
class NetworkFabricTest extends FabricContract {
    @Override
    public FabricHarness harness() {
        return new ThreadedHarness(member -> TestFabrics.oneByOne(UcxOptions.of(UcxOptions.Path.NETWORK)),
            TimeUnit.SECONDS.toNanos(60));
    }
}
