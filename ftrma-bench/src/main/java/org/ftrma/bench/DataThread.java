package org.ftrma.bench;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * JMH's workers on the data thread of a rank, which alone may access windows; JMH itself runs on a thread beside it.
 * JMH makes the executor by the name of its class. One measurement at a time in a process. Any thread.
 */
public final class DataThread extends AbstractExecutorService {
    private static final Runnable END = () -> { };
    private static final BlockingQueue<Runnable> TASKS = new LinkedBlockingQueue<>();
    private volatile boolean isShutdown;

    /** As JMH wants it: the number of threads, 1 here, and what their names begin with. */
    public DataThread(int threads, String prefix) {
        if (threads != 1) {
            throw new IllegalArgumentException("threads=" + threads + ": a rank has one data thread");
        }
    }

    /** Runs one benchmark of a class in this process, with its allocations; its methods are called on this thread. */
    static void measure(Class<?> benchmarks, String name) {
        Options options = new OptionsBuilder().include("\\." + benchmarks.getSimpleName() + "\\." + name + "$").forks(0)
            .addProfiler(GCProfiler.class).build();
        serve(() -> {
            try {
                new Runner(options).run();
            } catch (RunnerException e) {
                throw new IllegalStateException("the benchmark " + name + " failed", e);
            }
        });
    }

    /** Runs {@code measuring} on a thread of its own, and here, until it ends, what it hands to workers. */
    private static void serve(Runnable measuring) {
        System.setProperty("jmh.executor", "CUSTOM");
        System.setProperty("jmh.executor.class", DataThread.class.getName());
        CompletableFuture<Void> measured = CompletableFuture.runAsync(measuring,
            task -> Thread.ofPlatform().name("jmh").start(task));
        measured.whenComplete((nothing, failure) -> TASKS.add(END));
        try {
            for (Runnable task = TASKS.take(); task != END; task = TASKS.take()) {
                task.run();
            }
            measured.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the benchmark ran", e);
        } catch (CompletionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        }
    }

    @Override
    public void execute(Runnable task) {
        TASKS.add(task);
    }

    @Override
    public void shutdown() {
        isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        isShutdown = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutdown;
    }
}
