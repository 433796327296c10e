package org.ftrma.launch.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Does what the test says, and writes down what it is asked for. */
final class ScriptedAgent implements HostAgent {
    final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    final ConcurrentLinkedQueue<Runnable> script = new ConcurrentLinkedQueue<>();
    volatile Listener listener;
    volatile Output output;
    volatile String refusal;
    volatile byte[] counters;

    @Override
    public byte[] counters(int process) {
        return counters;
    }

    @Override
    public HostRoom room() {
        return new HostRoom(4, 500);
    }

    @Override
    public void open(HostJob job, Listener hearer, Output to, Runnable wakeup) throws IOException {
        asked.add("open " + job.address() + ":" + job.port() + " " + job.options().mainClass());
        if (refusal != null) {
            throw new IOException(refusal);
        }
        listener = hearer;
        output = to;
    }

    @Override
    public void start(int process) {
        asked.add("start " + process);
        script.add(() -> listener.started(process, 1000 + process));
    }

    @Override
    public void signal(int process, Signal signal) {
        asked.add(signal + " " + process);
    }

    @Override
    public ProcessVitals vitals(int process) {
        return new ProcessVitals('S', 7);
    }

    @Override
    public long nextNanos(long nowNanos) {
        return script.isEmpty() ? Long.MAX_VALUE : 0;
    }

    @Override
    public void poll(long nowNanos) {
        for (Runnable next = script.poll(); next != null; next = script.poll()) {
            next.run();
        }
    }

    @Override
    public boolean finishOutput(long timeoutNanos) {
        return true;
    }

    @Override
    public List<Integer> killAll(long timeoutNanos) {
        asked.add("kill all");
        return List.of();
    }

    @Override
    public void close() {
        asked.add("close");
    }
}
