package org.ftrma.launch.programs;

import org.ftrma.Ftrma;

/** Tells its arguments, with the number of their characters, and reports the first one by the name of the second. */
public final class Echo {
    private Echo() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, job -> {
            for (String argument : args) {
                System.out.println(argument + " of " + argument.length());
            }
            System.err.println("error " + args[0]);
            job.report(args[1], args[0]);
        });
    }
}
