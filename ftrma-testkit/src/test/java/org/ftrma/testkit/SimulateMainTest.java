package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The simulate command. */
class SimulateMainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String words) {
        out.reset();
        err.reset();
        return SimulateMain.execute(List.of(words.split(" ")), new PrintStream(out, true), new PrintStream(err, true));
    }

    @Test
    void randomProgramsAreRunCountedAndSummarized() {
        assertEquals(0, run("--seeds 8 --from 20 --json"), err::toString);
        assertTrue(out.toString().contains("random programs of all flavours from 20: 8 programs"), out::toString);
        assertTrue(out.toString().contains("rolled back") && out.toString().contains("members came back: "),
            out::toString);
        String last = out.toString().lines().reduce("", (before, line) -> line);
        assertTrue(last.contains("\"singleLosses\":{\"gsync\":{\"losses\":")
            && out.toString().contains("single losses after the first checkpoint"),
            last);
        assertTrue(last.startsWith("{\"simulation\":") && last.contains("\"programs\":8,")
            && last.contains("\"failed\":0,"), last);
    }

    @Test
    void messageProgramsAreRunCountedAndSummarized() {
        assertEquals(0, run("--messages --protocol pessimistic-v --seeds 8 --from 20 --json"), err::toString);
        assertTrue(out.toString().contains("random message programs of all flavours from 20: 8 programs"),
            out::toString);
        assertTrue(out.toString().contains("recovered locally") && out.toString().contains("hangs 0, orphans 0"),
            out::toString);
        String last = out.toString().lines().reduce("", (before, line) -> line);
        assertTrue(last.contains("\"failed\":0,\"hangs\":0,\"orphans\":0,") && last.contains("\"collectives\":{"),
            last);
    }

    /** Checksum ranks are drawn as many as that takes. */
    @Test
    void messageProgramsTakeTheNumberOfLossesThatIsGiven() {
        assertEquals(0, run("--messages --protocol pessimistic-v --losses 2 --seeds 4 --from 30"), err::toString);
        assertTrue(out.toString().contains("from 30: 4 programs"), out::toString);
    }

    @Test
    void whatIsGivenIsNotDrawn() {
        assertEquals(1, run("--seeds 4 --flavour locks --ranks 2 --spares 1 --steps 4 --interval 1 --faults "
            + "COMMIT_EARLY --from 1"));
        assertTrue(out.toString()
            .contains("--ranks 2 --checksums 1 --spares 1 --steps 4 --interval 1 --protocol coordinated"),
            out::toString);
        assertTrue(out.toString().contains("replay: ./ftrma simulate --program random-locks-"), out::toString);
    }

    @Test
    void ingredientsAreLeftOutAndTheNameSaysSo() {
        assertEquals(1, run("--seeds 6 --flavour tangled --only own-puts,counters --without counters --interval 1 "
            + "--faults COMMIT_EARLY --from 1"));
        assertTrue(out.toString()
            .contains("-without-own-atomics,direct,sources,collectives,landings,slice-atomics,counters,guards,"),
            out::toString);
    }

    @Test
    void aReplayCountsAsOneRun() {
        assertEquals(0, run("--crashes none --json"), err::toString);
        assertTrue(out.toString().contains("\"good\":true,\"runs\":1,\"failed\":0"), out::toString);
        assertEquals(0, run("--crashes m1@99999b"), err::toString);
        assertTrue(err.toString().contains("only 0 of 1 crashes took place"), err::toString);
    }

    @Test
    void wrongUsageIsRefusedWithTheReason() {
        for (String[] one : new String[][] {
            {"--seeds 3 --flavour sour", "flavour=sour"}, {"--seeds 3 --program halo", "--program=halo"},
                {"--seeds many", "--seeds=many"},
            {"--seeds 3 --from -1", "--from=-1"}, {"--protocol magic", "--protocol=magic"},
            {"--program random-sour-1", "flavour=sour"},
            {"--seeds 3 --without salt", "ingredient=salt"}, {"--without guards", "only together with --seeds"},
            {"--crashes none --stores 5", "not together with --crashes"}, {"--program dance", "random-FLAVOUR-NUMBER"},
            {"--dance", "--dance"},
            {"--crashes m9@3b", "m9@3b: members are 0 to 3"}, {"--singles no", "nothing is left to run"},
            {"--node-kills 5", "no nodes"}, {"--hosts 3 --checksums 3 --seeds 2", "--checksums=3: at most one per"},
            {"--crashes none --kills 5", "--kills=5: not together with --crashes"},
            {"--from 3", "--from=3: only together with --seeds"},
            {"--messages", "only together with --seeds"},
            {"--messages --seeds 3 --protocol full",
                "--protocol=full: logs accesses, and no messages: use --protocol coordinated, pessimistic-v or none"},
            {"--messages --seeds 3 --flavour locks", "must be one of ptp, any, collectives, mixed"},
            {"--messages --seeds 3 --without guards", "--without=guards: not together with --messages"},
            {"--program messages-locks-3", "must be one of ptp, any, collectives, mixed"},
        }) {
            assertEquals(2, run(one[0]), one[0]);
            assertTrue(err.toString().contains(one[1]), err::toString);
        }
    }
}
