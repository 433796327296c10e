package org.ftrma.launch.job;

import java.util.Set;
import org.ftrma.launch.agent.HostAgent;

/** One process of a job, as the job sees it, wherever it runs. The job's thread only. */
final class RankHandle {
    final int number;
    final long startedNanos;
    /** Its id on its host; 0 as long as the host has not told. */
    long pid;
    /** The id that it named when it came to the launcher; -1: it has not come. */
    long namedPid = -1;
    /** Whether it has joined; then its death matters to the coordinator as a member's or a spare's. */
    boolean joined;
    /** Whether a failure was injected into it. */
    boolean hit;
    /** When it lost its connection though it was not known to be dead; 0: it did not. */
    long disconnectedNanos;
    /** When its host reported its death; 0: it lives. */
    long exitedNanos;

    /** As a shell tells that a process was killed. */
    private static final int KILLED = 128 + 9;

    /** SIGHUP, SIGINT, SIGKILL, which the kernel sends for want of memory, too, and SIGTERM. */
    private static final Set<Integer> FROM_OUTSIDE = Set.of(128 + 1, 128 + 2, KILLED, 128 + 15);

    private final HostAgent agent;
    private String fenceReason;
    private HostAgent.Death death;

    RankHandle(int number, HostAgent agent, long startedNanos) {
        this.number = number;
        this.agent = agent;
        this.startedNanos = startedNanos;
    }

    /** Has it killed for certain, stopped or not. */
    void fence(String why) {
        if (fenceReason == null) {
            fenceReason = why;
            agent.signal(number, HostAgent.Signal.KILL);
        }
    }

    /** Whether we had it killed. */
    boolean isFenced() {
        return fenceReason != null;
    }

    /** Its host has reported its death. */
    void died(HostAgent.Death how, long nowNanos) {
        death = how;
        exitedNanos = nowNanos;
    }

    /** Whether it is taken for dead because its host is lost. */
    boolean isHostLost() {
        return death != null && death.status() == HostAgent.Death.HOST_LOST;
    }

    /** Whether it is dead, and all that it had sent before is here. */
    boolean isAllHere() {
        return death != null && death.allHere();
    }

    /** How it ended, as a shell tells it; it is dead. What nobody knows of a process that we had killed, is that. */
    int status() {
        return death.status() == HostAgent.Death.UNKNOWN && isFenced() ? KILLED : death.status();
    }

    /**
     * Whether it has ended of its own doing: by a status, or by a signal that tells of a fault in it. A process that is
     * told to end (SIGTERM and the like) may end with a status that says so.
     */
    boolean endedByItself() {
        int status = status();
        return !isFenced() && !hit && status >= 0 && !FROM_OUTSIDE.contains(status);
    }

    /** What it was at when it died, for people; null: it had counted nothing. */
    String lastWords() {
        return death.lastWords();
    }

    /** The step that it was in when it died; 0: none, or nobody knows. */
    long lastStep() {
        return death.step();
    }

    /** Why it is dead, for people. */
    String cause() {
        return fenceReason != null && !isHostLost() ? fenceReason : death.cause();
    }
}
