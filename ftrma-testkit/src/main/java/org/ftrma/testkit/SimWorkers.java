package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ftrma.MisuseException;

/**
 * Runs pieces of work, each of which simulates as much as it likes in the memory that it is given, on all processors.
 */
final class SimWorkers {
    private SimWorkers() {
    }

    /** Returns when all is done; the first error ends it. */
    static void run(List<Consumer<SimMemory>> cases) {
        run(cases, () -> false);
    }

    /** Returns when all is done, or when enough is. */
    static void run(List<Consumer<SimMemory>> cases, BooleanSupplier isEnough) {
        ConcurrentLinkedQueue<Consumer<SimMemory>> queue = new ConcurrentLinkedQueue<>(cases);
        AtomicReference<Throwable> error = new AtomicReference<>();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            workers.add(Thread.ofPlatform().name("simulation-" + i).start(() -> work(queue, isEnough, error)));
        }
        try {
            for (Thread worker : workers) {
                worker.join();
            }
        } catch (InterruptedException e) {
            queue.clear();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        if (error.get() instanceof MisuseException misuse) {
            throw misuse; // of what all of them are to simulate
        }
        if (error.get() != null) {
            throw new IllegalStateException("a simulation broke down: " + error.get().getMessage(), error.get());
        }
    }

    private static void work(ConcurrentLinkedQueue<Consumer<SimMemory>> queue, BooleanSupplier isEnough,
        AtomicReference<Throwable> error) {
        SimMemory memory = new SimMemory();
        for (Consumer<SimMemory> next = queue.poll(); next != null && error.get() == null && !isEnough.getAsBoolean();
            next = queue.poll()) {
            try {
                next.accept(memory);
            } catch (Throwable e) {
                error.compareAndSet(null, e);
            }
        }
    }
}
