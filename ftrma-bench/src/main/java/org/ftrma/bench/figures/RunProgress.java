package org.ftrma.bench.figures;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how many of all runs are done, and which one is under way: a bar on a terminal, a line for each run elsewhere.
 * One thread.
 */
final class RunProgress implements AutoCloseable {
    private static final int WIDTH = 100;

    private final PrintStream err;
    private int runs;
    private final ProgressBar bar;
    private String figure = "";
    private int begun;

    /** For so many runs in all. */
    RunProgress(int runs, PrintStream err) {
        this.err = err;
        this.runs = runs;
        boolean terminal = System.console() != null && System.console().isTerminal()
            && !"dumb".equals(System.getenv("TERM"));
        bar = !terminal ? null : new ProgressBarBuilder().setTaskName("runs").setInitialMax(runs)
            .setUpdateIntervalMillis(500)
            .setStyle(ProgressBarStyle.ASCII).setConsumer(new ConsoleProgressBarConsumer(err, WIDTH)).build();
    }

    /** There are so many runs more than was said. */
    void more(int others) {
        runs += others;
        if (bar != null) {
            bar.maxHint(runs);
        }
    }

    /** The runs that follow are for this figure. */
    void figure(String name) {
        figure = name;
    }

    void begin(String label) {
        begun++;
        if (bar == null) {
            err.println(figure + ": run " + begun + " of " + runs + ": " + label);
        } else {
            bar.setExtraMessage(figure + " " + label);
        }
    }

    void end() {
        if (bar != null) {
            bar.stepTo(begun);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
