package org.ftrma.launch.agent;

import java.util.concurrent.ConcurrentLinkedQueue;

/** One end of a connection. */
final class MemoryLink implements AgentLink {
    final ConcurrentLinkedQueue<byte[]> frames = new ConcurrentLinkedQueue<>();
    private MemoryLink other;
    volatile Runnable wakeup = () -> { };
    private volatile String over;
    volatile boolean isMute;
    private volatile long heardNanos = System.nanoTime();

    void join(MemoryLink end) {
        other = end;
        end.other = this;
    }

    @Override
    public void send(byte[] frame) {
        if (over == null && !isMute) {
            other.heardNanos = System.nanoTime();
            other.frames.add(frame);
            other.wakeup.run();
        }
    }

    @Override
    public byte[] poll() {
        return frames.poll();
    }

    @Override
    public String whyOver() {
        return frames.isEmpty() ? over : null;
    }

    @Override
    public long heardNanos() {
        return heardNanos;
    }

    @Override
    public void whenHeard(Runnable run) {
        wakeup = run;
    }

    @Override
    public void close() {
        over = "closed";
        if (!isMute) {
            other.over = "closed by the other side";
            other.wakeup.run();
        }
    }
}
