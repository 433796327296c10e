package org.ftrma.launch.programs;

/** Forgets to call Ftrma.run. */
public final class Idle {
    private Idle() {
    }

    public static void main(String[] args) {
        System.out.println("nothing to do");
    }
}
