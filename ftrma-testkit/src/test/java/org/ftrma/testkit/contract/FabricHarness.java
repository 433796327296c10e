package org.ftrma.testkit.contract;

/** Runs the members of a contract test: one fabric each, on a thread of its own (or as a simulated process). */
public interface FabricHarness {
    /** What one member does. */
    @FunctionalInterface
    interface MemberBody {
        /** Runs on the member's own thread, which opened its fabric and closes it afterwards. */
        void run(ContractMember member) throws Exception;
    }

    /** Runs the body once for each member and returns when all are done; throws what the first failing member threw. */
    void run(int members, MemberBody body) throws Exception;
}
