package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.launch.programs.AfterRun;
import org.junit.jupiter.api.Test;

/** What the program does after {@code Ftrma.run} has returned is a part of it: jobs of real processes. */
class AfterRunTest {
    private static Command afterRun(String options, String arguments) {
        return Command.line("run --ranks 2 --json --timeout 120s " + options + " -- " + AfterRun.class.getName() + " "
            + arguments);
    }

    @Test
    void programThatReturnsIsASuccess() {
        Command command = afterRun("--checksums 1 --spares 1 --interval 5 --kill 1@7", "nothing - all").exits(0);
        assertEquals(0, command.json().get("programStatus"));
        assertTrue(command.out().contains("rank 0 is done") && command.out().contains("rank 1 is done"), command.out());
    }

    @Test
    void exceptionIsTheProgramsFailureAndItsTraceIsShown() {
        Command command = afterRun("", "throw - all").exits(1)
            .tells("rank 0 failed after Ftrma.run had returned: java.lang.IllegalStateException: the result cannot be "
            + "written")
            .tells("at org.ftrma.launch.programs.AfterRun.main")
            .tells("rank 1 failed after Ftrma.run had returned: java.lang.IllegalStateException: the result cannot be "
            + "written");
        assertEquals("failed", command.json().get("outcome"));
        assertEquals(1, command.json().get("exitCode"));
        assertEquals(false, command.json().get("verified"));
        assertTrue(command.json().get("message").toString().contains("the result cannot be written"), command.out());
    }

    @Test
    void exceptionOfOneRankOfAProtectedJobIsTheProgramsFailure() {
        Command command = afterRun("--checksums 1 --spares 1 --interval 5 --protocol full --kill 1@7", "throw - 1")
            .exits(1)
            .tells("rank 1 failed after Ftrma.run had returned");
        assertFalse(command.err().contains("rank 0 failed"), command.err());
    }

    @Test
    void statusIsTold() {
        Command command = afterRun("", "exit 3 1").exits(1)
            .tells("rank 1, after Ftrma.run had returned: exited with status 3");
        assertEquals(3, command.json().get("programStatus"));
        assertEquals("failed", command.json().get("outcome"));
        assertEquals("rank 1, after Ftrma.run had returned: exited with status 3", command.json().get("message"));
        afterRun("", "exit 0 all").exits(0);
    }

    @Test
    void secondRunIsRefused() {
        Command command = afterRun("", "again - all").exits(1).tells("Ftrma.run was called a second time")
            .tells("start a second job");
        assertTrue(command.json().get("reports").toString().contains("phase=1"), command.out());
    }

    @Test
    void timeLimitHoldsAfterTheRunToo() {
        Command.line("run --ranks 2 --json --timeout 4s -- " + AfterRun.class.getName() + " wait - 1").exits(1)
            .tells("the job took longer than --timeout=4s");
    }
}
