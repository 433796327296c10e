package org.ftrma.launch.job;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.HostJob;
import org.ftrma.launch.agent.HostRoom;
import org.ftrma.launch.agent.ProcessVitals;

/** A host without processes: it notes what is asked of it, and tells what a test has it tell. One thread. */
final class RecordingAgent implements HostAgent {
    final List<String> requests = new ArrayList<>();
    /** What the next poll tells. */
    final Queue<Consumer<Listener>> events = new ArrayDeque<>();
    private Listener listener;

    @Override
    public HostRoom room() {
        return new HostRoom(2, 1L << 40);
    }

    @Override
    public void open(HostJob job, Listener hearer, Output output, Runnable wakeup) {
        listener = hearer;
        requests.add("open");
    }

    @Override
    public void start(int process) {
        requests.add("start " + process);
    }

    @Override
    public void signal(int process, Signal signal) {
        requests.add(signal + " " + process);
    }

    @Override
    public ProcessVitals vitals(int process) {
        return null;
    }

    @Override
    public long nextNanos(long nowNanos) {
        return events.isEmpty() ? Long.MAX_VALUE : 0;
    }

    @Override
    public void poll(long nowNanos) {
        for (Consumer<Listener> event = events.poll(); event != null; event = events.poll()) {
            event.accept(listener);
        }
    }

    @Override
    public boolean finishOutput(long timeoutNanos) {
        return true;
    }

    @Override
    public List<Integer> killAll(long timeoutNanos) {
        requests.add("killAll");
        return List.of(5);
    }

    @Override
    public void close() {
        requests.add("close");
    }
}
