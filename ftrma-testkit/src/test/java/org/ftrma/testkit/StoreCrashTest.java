package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that die between two plain stores of the protocol: in the middle of a log record, or between a record and
 * the tail that publishes it.
 */
@Tag("long")
class StoreCrashTest {
    private static final Pattern SUMMARY =
        Pattern.compile("stores of .*: ([0-9]+) runs, ([0-9]+) with all crashes, .* ([0-9]+) replays, .* 0 failed");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int simulate(String words) {
        out.reset();
        return SimulateMain.execute(List.of(words.split(" ")), new PrintStream(out, true), System.err);
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks", "atomics", "collectives", "rotating"})
    void oneCrashBetweenStoresLeavesTheResultAsItIs(String program) {
        int status = simulate("--program " + program + " --protocol full --ranks 2 --steps 3 --singles no --stores 3");
        System.out.println(out);
        assertEquals(0, status, out::toString);
        Matcher summary = SUMMARY.matcher(out.toString());
        assertTrue(summary.find(), out::toString);
        assertEquals(summary.group(1), summary.group(2), "not all crashes took place: " + out);
        assertTrue(Integer.parseInt(summary.group(1)) > 60 && Integer.parseInt(summary.group(3)) > 20, out::toString);
    }

    /** Another rank takes images when the first one is back, and is lost with one of them: it has what it says. */
    @Test
    void aCrashBetweenStoresAndTheLossOfWhoTookAnImageSinceLeaveTheResultAsItIs() {
        int status = simulate("--program updates --protocol full --steps 4 --interval none --log-low 0 --singles no "
            + "--stores " + EveryPoint.or(5));
        System.out.println(out);
        assertEquals(0, status, out::toString);
        Matcher summary = SUMMARY.matcher(out.toString());
        assertTrue(summary.find(), out::toString);
        assertEquals(summary.group(1), summary.group(2), "not all crashes took place: " + out);
        assertTrue(Integer.parseInt(summary.group(3)) > 400, "too few images after a recovery: " + out);
    }

    @Test
    void aCrashBetweenStoresIsReplayedByItsName() {
        assertEquals(0, simulate("--program locks --protocol full --crashes m1@300s"), out::toString);
        assertTrue(out.toString().contains("crashes m1@300s (1 took place)")
            && out.toString().contains("cause=crash before a store after "),
            out::toString);
    }

    @Test
    void randomProgramsDieBetweenStoresToo() {
        assertEquals(0, simulate("--protocol full --seeds 12 --flavour gsync --stores 1"), out::toString);
        assertTrue(out.toString().contains("12 programs") && out.toString().contains("recovered locally"),
            out::toString);
    }

    /** The schedule is the same: the stores are only counted. */
    @Test
    void storesAreNoPointsOfAnOrdinaryRun() {
        SimResult result = new Simulation().program("locks").protocol("full").replay();
        assertArrayEquals(new long[4], result.memberStores(), result::story);
        assertEquals(0, simulate("--program locks --protocol full --crashes none"));
        String ordinary = out.toString();
        assertTrue(ordinary.contains(", " + result.steps() + " steps"), ordinary);
        assertEquals(0, simulate("--program locks --protocol full --crashes m1@99999999s"));
        assertTrue(out.toString().contains(", " + result.steps() + " steps"), out::toString);
    }
}
