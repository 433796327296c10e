package org.ftrma.testkit.contract;

import java.util.List;
import org.ftrma.Ftrma;

/** All cases of the message contract as a program for real ranks. */
public final class MessageContractMain {
    private MessageContractMain() {
    }

    /** One rank. Each argument is the name of a case; none: all cases. */
    public static void main(String[] args) {
        List<MessageCase> cases = args.length == 0 ? List.of(MessageCase.values())
            : List.of(args).stream().map(MessageCase::valueOf).toList();
        Ftrma.run(args, MessageCase.program(cases));
    }
}
