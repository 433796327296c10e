package org.ftrma.ucx;

import java.util.concurrent.TimeUnit;
import org.ftrma.testkit.contract.FabricContract;
import org.ftrma.testkit.contract.FabricHarness;
import org.ftrma.testkit.contract.ThreadedHarness;
import org.junit.jupiter.api.Timeout;

/** The fabric contract on path AUTO where memory cannot be mapped. */
@Timeout(120)
class FallbackFabricTest extends FabricContract {
    /** No shared memory can be allocated by it. */
    private static final String NOT_MAPPABLE = "tcp";

    @Override
    public FabricHarness harness() {
        return new ThreadedHarness(member -> TestFabrics.oneByOne(new UcxOptions(UcxOptions.Path.AUTO, NOT_MAPPABLE,
            "tcp", "lo")),
            TimeUnit.SECONDS.toNanos(60));
    }
}
