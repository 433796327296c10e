package org.ftrma.testkit.contract;

/** A suite that runs members of a fabric. */
public interface Harnessed {
    /** How the members run; asked once for each test. */
    FabricHarness harness();

    /** Runs the members of one test. */
    default void members(int members, FabricHarness.MemberBody body) throws Exception {
        harness().run(members, body);
    }
}
