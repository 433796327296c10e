package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Simulated nodes: all of a node is killed at once. */
class NodesTest {
    private static final String JOB =
        "fft --class S --ranks 4 --checksums 2 --nodes 3 --interval 2 --warm-up 0 --json ";

    @Test
    void lossOfANodeIsSurvivedWhereGroupsAreKeptApart() {
        Command command = Command.line(JOB + "--aware node --kill node1@3").exits(0);
        assertEquals(true, command.json().get("verified"));
        assertEquals(2, ((List<?>) command.json().get("failures")).size());
    }

    @Test
    void lossOfANodeIsCatastrophicWhereAGroupSharesItAndTheMessageSaysWhatWouldHaveHelped() {
        Command.line(JOB + "--kill node0@3").exits(3).tells("catastrophic failure: group 0 lost 2 members")
            .tells("they shared node0: with --aware node the loss of a node is survived");
    }

    @Test
    void nodesThatAreTooFewOrNotThereAreRefused() {
        Command.line("fft --ranks 8 --checksums 2 --nodes 4 --aware node").exits(2).tells("2 groups of 5")
            .tells("--nodes=4 --aware=node");
        Command.line("fft --ranks 8 --checksums 2 --aware node").exits(2).tells("--aware=node: there are no nodes");
        Command.line("fft --ranks 8 --checksums 2 --aware rack").exits(2).tells("--aware=rack");
        Command.line("fft --ranks 4 --checksums 2 --nodes 3 --kill node3@1").exits(2).tells("there are 3 nodes");
        Command.line("fft --ranks 4 --nodes 3 --kill node1@1").exits(2).tells("in a protected job");
        Command.line("fft --ranks 2 --checksums 1 --nodes 30 --kill node0@1 --kill node7@1").exits(2)
            .tells("nothing runs on node");
        Command.line("fft --ranks 4 --checksums 2 --nodes 3 --kill node1+node1@1").exits(2).tells("named twice");
    }
}
