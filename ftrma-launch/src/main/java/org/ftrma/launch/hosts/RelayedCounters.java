package org.ftrma.launch.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.ftrma.rank.counter.CounterFile;

/**
 * Puts what processes of other hosts have counted, as their agents tell it now and then, into the job's folder on the
 * launcher's machine: for each process the newest, as a file of its own that is there as a whole or not at all. A
 * thread of its own writes, so that a slow disk does not hold up the job, and what is told meanwhile is written once.
 * Whoever tells is one thread.
 */
final class RelayedCounters implements ObjIntConsumer<byte[]>, AutoCloseable {
    private static final long LAST_NANOS = 5_000_000_000L;
    private static final String PART = ".part";

    private final Path folder;
    private final Consumer<String> notes;
    /** By process; what was written is taken out. */
    private final Map<Integer, byte[]> newest = new ConcurrentHashMap<>();
    private final Thread writer;
    private volatile boolean isClosed;

    /**
     * Begins to write into a folder that is there.
     *
     * @param notes is told, once, what goes wrong; any thread
     */
    RelayedCounters(Path folder, Consumer<String> notes) {
        this.folder = folder;
        this.notes = notes;
        writer = Thread.ofPlatform().daemon().name("ftrma-counters").start(this::write);
    }

    @Override
    public void accept(byte[] counters, int process) {
        newest.put(process, counters);
        LockSupport.unpark(writer);
    }

    private void write() {
        try {
            while (!isClosed || !newest.isEmpty()) {
                for (int process : newest.keySet()) {
                    Path file = CounterFile.file(folder, process);
                    Path part = folder.resolve(file.getFileName() + PART);
                    Files.write(part, newest.remove(process));
                    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                }
                if (newest.isEmpty() && !isClosed) {
                    LockSupport.park(this);
                }
            }
        } catch (IOException e) {
            notes.accept("what processes of other hosts count is not kept in " + folder + " any more: " + e
                + "; the job goes on");
        }
    }

    /** What was told is written, if that takes no longer than some seconds. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(writer);
        try {
            writer.join(LAST_NANOS / 1_000_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
