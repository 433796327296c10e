package org.ftrma.testkit;

import org.ftrma.testkit.contract.FabricContract;
import org.ftrma.testkit.contract.FabricHarness;

/** The fabric contract, under many schedules and tempers of the simulated network. */
class SimFabricTest extends FabricContract {
    private static final int SEEDS = 20;

    @Override
    public FabricHarness harness() {
        return new SimHarness(1, SEEDS);
    }
}
