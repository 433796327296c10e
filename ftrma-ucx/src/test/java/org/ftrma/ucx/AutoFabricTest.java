package org.ftrma.ucx;

import java.util.concurrent.TimeUnit;
import org.ftrma.testkit.contract.FabricContract;
import org.ftrma.testkit.contract.FabricHarness;
import org.ftrma.testkit.contract.ThreadedHarness;
import org.junit.jupiter.api.Timeout;

/** The fabric contract with both paths open at once, as between hosts. */
@Timeout(120)
class AutoFabricTest extends FabricContract {
    /** Twice the loopback device counts as a network. */
    private static final String DEVICES = "lo,lo";

    @Override
    public FabricHarness harness() {
        return new ThreadedHarness(member -> TestFabrics.oneByOne(new UcxOptions(UcxOptions.Path.AUTO, "sysv", "tcp",
            DEVICES)),
            TimeUnit.SECONDS.toNanos(60));
    }
}
