package org.ftrma.launch.agent;

import java.util.List;
import org.ftrma.rank.control.RankOptions;

/**
 * A message between a job and the agent of a host, a frame of {@link AgentCodec}. A process is named by its number.
 * Immutable; any thread.
 */
sealed interface AgentMessage {
    /** What the job asks of the agent; requests are carried out in their order. */
    sealed interface Request extends AgentMessage {
    }

    /** What the agent tells. */
    sealed interface Event extends AgentMessage {
    }

    /** The next piece of what the program consists of: all of them come before {@link Open}. */
    record Program(String piece) implements Request {
    }

    /**
     * Make the host ready: {@link HostAgent#open}. The job's secret is not in it, since the agent has it; nor is what
     * the program consists of, which may be long.
     *
     * @param address where processes join, at the launcher
     * @param port the port there
     * @param hostTimeoutNanos so long after it was heard last the job takes this host for lost
     */
    record Open(String address, int port, int joinMillis, long hostTimeoutNanos, RankOptions options,
        RankJvm jvm, List<String> places) implements Request {
    }

    /**
     * Is this file there, with these contents? Then write another one beside it, and tell what is in that.
     *
     * @param file whole name of a file that the launcher has written
     * @param digest of its contents, as {@link SharedFile} makes it
     * @param answer whole name of the file to be written; null: none
     */
    record Probe(String file, String digest, String answer) implements Request {
    }

    /** {@link HostAgent#start}. */
    record Start(int process) implements Request {
    }

    /** {@link HostAgent#signal}. */
    record Send(int process, HostAgent.Signal signal) implements Request {
    }

    /** {@link HostAgent#vitals}. */
    record AskVitals(int process) implements Request {
    }

    /** {@link HostAgent#finishOutput}. */
    record FinishOutput(long timeoutNanos) implements Request {
    }

    /** {@link HostAgent#killAll}. */
    record KillAll(long timeoutNanos) implements Request {
    }

    /** {@link HostAgent#close}: the job is over, and so is the agent. */
    record Close() implements Request {
    }

    /** So many bytes of output were printed, and as many more may be sent. */
    record Printed(long bytes) implements Request {
    }

    /** The agent ends without a word and without cleaning up, as if its host had failed. */
    record Crash() implements Request {
    }

    /** The agent is not to take part, and ends. */
    record Refuse(String why) implements Request {
    }

    /** The answer to a {@link Beat}, with the time that it had. */
    record Echo(long agentNanos) implements Request {
    }

    /** What the host is; the first that an agent says. */
    record Facts(HostFacts facts) implements Event {
    }

    /** The host is ready, or could not be made so. */
    record Opened(String failure) implements Event {
    }

    /**
     * The answer to {@link Probe}.
     *
     * @param failure why it cannot be, for people; null: it is as it should be
     * @param digest of what was written, null: nothing
     */
    record Probed(String failure, String digest) implements Event {
    }

    /** {@link HostAgent.Listener#started}. */
    record Started(int process, long pid) implements Event {
    }

    /** {@link HostAgent.Listener#notStarted}. */
    record NotStarted(int process, String why) implements Event {
    }

    /** {@link HostAgent.Listener#dead}. */
    record Dead(HostAgent.Death death) implements Event {
    }

    /** The answer to {@link AskVitals}: null where nothing is known. */
    record Vitals(int process, ProcessVitals vitals) implements Event {
    }

    /** A piece of a line of output; the line ends with it, or goes on in the next one of that stream. */
    record Line(int process, boolean isError, boolean ends, byte[] piece) implements Event {
    }

    /** {@link HostAgent.Output#broken}. */
    record Broken(int process, String why) implements Event {
    }

    /** The answer to {@link FinishOutput}. */
    record OutputFinished(boolean all) implements Event {
    }

    /** The answer to {@link KillAll}: those that are not gone. */
    record Killed(List<Integer> left) implements Event {
    }

    /** The agent lives, at this time of its own clock, and its host has so much memory left. */
    record Beat(long agentNanos, long availableBytes) implements Event {
    }

    /** {@link HostAgent#counters}, as far as there is anything; now and then of each process. */
    record Counted(int process, byte[] counters) implements Event {
    }

    /** Nothing has got through to this address for so long, from processes of the job on this host. */
    record Stuck(String address, long nanos) implements Event {
    }

    /** The agent was asked, on its host, to end: its processes should move elsewhere. */
    record Leaving(String why) implements Event {
    }
}
