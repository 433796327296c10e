package org.ftrma.launch;

/** The {@code ftrma} command. The only place of the launcher that ends the JVM. */
public final class Main {
    private Main() {
    }

    /** Runs the command given and exits with its status. */
    public static void main(String[] args) {
        int status = new Cli(System.out, System.err).execute(args);
        System.out.flush();
        System.err.flush();
        Interrupts.exit(status);
    }
}
