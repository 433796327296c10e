package org.ftrma.rank.control;

/**
 * Who connects to the launcher. Immutable; any thread.
 *
 * @param kind what it is
 * @param number a process's number in the job, or the number of an agent's host
 * @param pid its id on its host
 */
public record ControlPeer(Kind kind, int number, long pid) {
    /** What connects. */
    public enum Kind {
        /** One that plays a member of the job. */
        PROCESS,
        /** What a host does for the job. */
        AGENT
    }

    /** This process, as a process of the job. */
    public static ControlPeer process(int number) {
        return new ControlPeer(Kind.PROCESS, number, ProcessHandle.current().pid());
    }

    /** This process, as the agent of a host. */
    public static ControlPeer agent(int host) {
        return new ControlPeer(Kind.AGENT, host, ProcessHandle.current().pid());
    }

    /** For people. */
    @Override
    public String toString() {
        return (kind == Kind.AGENT ? "agent of host " : "process ") + number;
    }
}
