package org.ftrma.rank;

import java.util.Map;

/**
 * Tells the launcher when a program ends its process before it has called {@code Ftrma.run}: a replacement would do the
 * same, so this is no loss to recover from. It runs on a thread of its own while the process ends.
 */
final class EarlyExit implements Runnable {
    private final LaunchedRuntime.LaunchedRank rank;
    private final String mainClass;

    private EarlyExit(LaunchedRuntime.LaunchedRank rank, String mainClass) {
        this.rank = rank;
        this.mainClass = mainClass;
    }

    /** From now on. Data thread. */
    static void watch(LaunchedRuntime.LaunchedRank rank, String mainClass) {
        Runtime.getRuntime().addShutdownHook(new Thread(new EarlyExit(rank, mainClass), "ftrma-early-exit"));
    }

    @Override
    public void run() {
        if (rank.isBeforeRun()) {
            String place = placeOfExit();
            if (place != null) { // else a signal has ended it, from outside
                rank.failedBeforeRun(mainClass + " ended its process before it had called Ftrma.run: " + place);
            }
        }
    }

    /** Who has called System.exit, and waits there for the end of all hooks; null: nobody. */
    private static String placeOfExit() {
        for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
            StackTraceElement[] frames = thread.getValue();
            for (int i = 0; i < frames.length; i++) {
                if (isExit(frames[i])) {
                    int caller = i + 1 < frames.length && frames[i + 1].getClassName().equals("java.lang.System")
                        ? i + 2 : i + 1;
                    return "System.exit" + (caller < frames.length ? " at " + frames[caller] : "");
                }
            }
        }
        return null;
    }

    private static boolean isExit(StackTraceElement frame) {
        return frame.getClassName().equals("java.lang.Runtime") && frame.getMethodName().equals("exit");
    }
}
