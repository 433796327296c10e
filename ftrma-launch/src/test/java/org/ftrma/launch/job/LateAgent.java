package org.ftrma.launch.job;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.HostJob;
import org.ftrma.launch.agent.HostRoom;
import org.ftrma.launch.agent.ProcessVitals;

/**
 * An agent as one on another host would be: each request arrives a while after it was made, each event is heard a while
 * after it happened, and a question is answered by what was told last. The job's thread only.
 */
final class LateAgent implements HostAgent {
    private final HostAgent agent;
    private final long delayNanos;
    private final ArrayDeque<Late> requests = new ArrayDeque<>();
    private final ArrayDeque<Late> events = new ArrayDeque<>();
    private final Map<Integer, ProcessVitals> told = new HashMap<>();
    private final Set<Integer> asked = new HashSet<>();
    private Listener listener;

    private record Late(long atNanos, Runnable action) {
    }

    LateAgent(HostAgent agent, long delayNanos) {
        this.agent = agent;
        this.delayNanos = delayNanos;
    }

    private Late later(Runnable action) {
        return new Late(System.nanoTime() + delayNanos, action);
    }

    private static void run(ArrayDeque<Late> queue, long nowNanos) {
        while (!queue.isEmpty() && nowNanos - queue.peek().atNanos >= 0) {
            queue.poll().action.run();
        }
    }

    @Override
    public HostRoom room() {
        return agent.room();
    }

    @Override
    public void open(HostJob job, Listener hearer, Output output, Runnable wakeup) throws IOException {
        listener = hearer;
        agent.open(job, new Listener() {
            @Override
            public void started(int process, long pid) {
                events.add(later(() -> listener.started(process, pid)));
            }

            @Override
            public void notStarted(int process, String why) {
                events.add(later(() -> listener.notStarted(process, why)));
            }

            @Override
            public void dead(Death death) {
                // What it sent and what its host tells come on two ways: nobody knows that all is here.
                events.add(later(() -> listener.dead(new Death(death.process(), death.status(), death.cause(),
                    death.lastWords(), false))));
            }
        }, output, wakeup);
    }

    @Override
    public void start(int process) {
        requests.add(later(() -> agent.start(process)));
    }

    @Override
    public void signal(int process, Signal signal) {
        requests.add(later(() -> agent.signal(process, signal)));
    }

    @Override
    public ProcessVitals vitals(int process) {
        if (asked.add(process)) {
            requests.add(later(() -> {
                ProcessVitals vitals = agent.vitals(process);
                events.add(later(() -> {
                    asked.remove(process);
                    told.put(process, vitals);
                }));
            }));
        }
        return told.get(process);
    }

    @Override
    public long nextNanos(long nowNanos) {
        return Math.min(agent.nextNanos(nowNanos), Math.min(due(requests, nowNanos), due(events, nowNanos)));
    }

    private static long due(ArrayDeque<Late> queue, long nowNanos) {
        return queue.isEmpty() ? Long.MAX_VALUE : Math.max(0, queue.peek().atNanos - nowNanos);
    }

    @Override
    public void poll(long nowNanos) {
        run(requests, nowNanos);
        agent.poll(nowNanos);
        run(events, nowNanos);
    }

    @Override
    public boolean finishOutput(long timeoutNanos) {
        return agent.finishOutput(timeoutNanos);
    }

    @Override
    public List<Integer> killAll(long timeoutNanos) {
        requests.clear();
        return agent.killAll(timeoutNanos);
    }

    @Override
    public void close() {
        agent.close();
    }
}
