package org.ftrma.launch.agent;

import java.util.Collection;
import java.util.function.IntToLongFunction;
import org.ftrma.options.Units;

/**
 * How long another host is silent: neither its agent nor any of its processes is heard from. While the job's thread is
 * held up, silence proves nothing and does not count. The job's thread only.
 */
final class HostSilence {
    private final AgentLink link;
    private final long timeoutNanos;
    private final long missedNanos;
    private IntToLongFunction processNanos = process -> Long.MAX_VALUE;
    /** When a process was told to die, and its end was not told since; 0: none. */
    private long killedNanos;
    /** Silence counts from here on, at the earliest. */
    private long forgivenNanos;
    private long lookedNanos;

    /** @param timeoutNanos the longest silence of a host that is not lost */
    HostSilence(AgentLink link, long timeoutNanos, long nowNanos) {
        this.link = link;
        this.timeoutNanos = timeoutNanos;
        this.missedNanos = AgentLoop.missedNanos(timeoutNanos);
        this.forgivenNanos = nowNanos;
        this.lookedNanos = nowNanos;
    }

    /** How the job knows for how long a process is silent. */
    void ofProcesses(IntToLongFunction silentNanos) {
        processNanos = silentNanos;
    }

    /** In each turn of the job's thread, which finds out here that it was held up. */
    void look(long nowNanos) {
        if (nowNanos - lookedNanos > missedNanos / 4) {
            forgive(nowNanos);
        }
        lookedNanos = nowNanos;
    }

    /** Silence before this time does not count. */
    void forgive(long nowNanos) {
        forgivenNanos = nowNanos;
    }

    /** A process was told to die. */
    void killed(long nowNanos) {
        killedNanos = killedNanos == 0 ? nowNanos : killedNanos;
    }

    /** The end of a process was told. */
    void died() {
        killedNanos = 0;
    }

    /** Silence of the agent. */
    long agentNanos(long nowNanos) {
        return nowNanos - Math.max(link.heardNanos(), forgivenNanos);
    }

    /** Silence of the agent and of all of these processes. */
    long hostNanos(long nowNanos, Collection<Integer> living) {
        return Math.min(agentNanos(nowNanos), living.stream().mapToLong(processNanos::applyAsLong).min()
            .orElse(Long.MAX_VALUE));
    }

    /** Whether the host is lost: all of it is silent, or its agent alone after it was told to kill a process. */
    boolean isTooLong(long nowNanos, Collection<Integer> living) {
        boolean isKillUnanswered = killedNanos != 0
            && nowNanos - Math.max(killedNanos, forgivenNanos) > timeoutNanos;
        return agentNanos(nowNanos) >= timeoutNanos
            && (isKillUnanswered || hostNanos(nowNanos, living) >= timeoutNanos);
    }

    /** Why it is lost then, for people. */
    String why() {
        return "silent for more than " + Units.time(timeoutNanos);
    }

    /** The silence after which a host is missed, if others miss it too. */
    long missedNanos() {
        return missedNanos;
    }

    /** Whether the job's thread has not been held up for long enough that what the agent told last is not old. */
    boolean isWatchedLong(long nowNanos) {
        return nowNanos - forgivenNanos >= missedNanos / 2;
    }
}
