package org.ftrma.rank.control;

import java.util.random.RandomGenerator;

/**
 * Identity of a process or agent that connects to the launcher. Immutable; any thread.
 *
 * @param kind what it is
 * @param number a process's number in the job, or the number of an agent's host
 * @param pid its id on its host
 */
public record ControlPeer(Kind kind, int number, long pid) {
    /** Agents that a job does not know beforehand choose a number from here on. */
    public static final int FIRST_NEW_HOST = 8192;

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

    /** This process, as the agent of a host that has no number yet: it chooses one at random. */
    public static ControlPeer newAgent(RandomGenerator random) {
        return agent(random.nextInt(FIRST_NEW_HOST, Integer.MAX_VALUE));
    }

    /** For people. */
    @Override
    public String toString() {
        return kind == Kind.AGENT && number >= FIRST_NEW_HOST ? "agent of a further host"
            : (kind == Kind.AGENT ? "agent of host " : "process ") + number;
    }
}
