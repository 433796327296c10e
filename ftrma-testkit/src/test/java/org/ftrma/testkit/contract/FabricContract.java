package org.ftrma.testkit.contract;

/**
 * Everything that the documentation of {@link org.ftrma.spi.Fabric}, {@link org.ftrma.spi.RemoteMemory} and
 * {@link org.ftrma.spi.MemoryRegion} promises. A fabric's test class extends this and says how its members are run.
 */
public abstract class FabricContract implements TransferContract, AtomicContract, RenewalContract,
    RevocationContract {
}
