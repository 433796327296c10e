package org.ftrma.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.JobConsole;
import org.ftrma.launch.record.JobObserver;
import org.ftrma.options.JobOptions;

/**
 * Shows how far a job is: a moving bar on a terminal, a line for every tenth of the way elsewhere; and between them
 * what else happens. The job's thread.
 */
final class ProgressView implements JobObserver, AutoCloseable {
    private static final int WIDTH = 90;
    private static final String ERASE_LINE = "\r\u001b[K";
    private static final int PARTS = 10;

    private final PrintStream err;
    private final boolean terminal;
    private final PrintStream log;
    private final JobConsole console;
    private ProgressBar bar;
    private long tenths;
    private long furthest;

    ProgressView(JobOptions options, PrintStream err, boolean verbose) {
        this.err = err;
        this.terminal = System.console() != null && System.console().isTerminal()
            && !"dumb".equals(System.getenv("TERM"));
        this.log = terminal ? new PrintStream(new ErasingStream(), true, StandardCharsets.UTF_8) : err;
        this.console = new JobConsole(options, log, verbose);
    }

    /** Where messages go, so that they do not run into the bar. */
    PrintStream log() {
        return log;
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        console.event(event, nowNanos);
        if (event instanceof JobEvent.StepBegun begun && begun.iterations() > 0) {
            show(begun.step(), begun.iterations());
        } else if (event instanceof JobEvent.RecoveryBegun begun && begun.rolledBack()) {
            furthest = begun.toStep();
        }
    }

    private void show(long step, long iterations) {
        if (step <= furthest) {
            return;
        }
        furthest = step;
        if (terminal) {
            if (bar == null) {
                bar = new ProgressBarBuilder().setTaskName("time step").setInitialMax(iterations)
                    .setUpdateIntervalMillis(100)
                    .setStyle(ProgressBarStyle.ASCII).setConsumer(new DelegatingProgressBarConsumer(this::draw, WIDTH))
                    .build();
            }
            bar.stepTo(step);
            return;
        }
        long part = step * PARTS / iterations;
        if (part != tenths) {
            tenths = part;
            err.println("step " + step + " of " + iterations);
        }
    }

    private void draw(String line) {
        synchronized (err) {
            err.print(ERASE_LINE + line);
            err.flush();
        }
    }

    /** The bar at its end. */
    @Override
    public void close() {
        if (bar != null) {
            bar.stepTo(bar.getMax());
            bar.close();
            err.print(ERASE_LINE);
            err.println("all " + bar.getMax() + " steps done in " + seconds(bar.getTotalElapsed()) + " s");
        }
    }

    private static String seconds(Duration duration) {
        return String.format(java.util.Locale.ROOT, "%.1f", 1e-3 * duration.toMillis());
    }

    /** Takes the bar away before a message; it is drawn again below it. */
    private final class ErasingStream extends OutputStream {
        private boolean atLineStart = true;

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            synchronized (err) {
                if (atLineStart && length > 0) {
                    err.print(ERASE_LINE);
                }
                err.write(bytes, offset, length);
                err.flush();
                atLineStart = length > 0 ? bytes[offset + length - 1] == '\n' : atLineStart;
            }
        }
    }
}
