package org.ftrma.testkit.contract;

import java.util.List;
import org.ftrma.Ftrma;

/** All cases of the window contract as a program for real ranks. */
public final class WindowContractMain {
    private WindowContractMain() {
    }

    /** One rank. Each argument is the name of a case; none: all cases. */
    public static void main(String[] args) {
        List<WindowCase> cases = args.length == 0 ? List.of(WindowCase.values())
            : List.of(args).stream().map(WindowCase::valueOf).toList();
        Ftrma.run(args, WindowCase.program(cases));
    }
}
