package org.ftrma.cli;

/** The {@code ftrma} command with all its parts. */
public final class Main {
    private Main() {
    }

    /** Runs the command given and exits with its status. */
    public static void main(String[] args) {
        org.ftrma.launch.Main.run(new TrialCommands(), args);
    }
}
