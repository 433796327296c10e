package org.ftrma.launch.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.ftrma.launch.Cli;
import org.ftrma.xor.DalyInterval;
import org.junit.jupiter.api.Test;

class PlanCommandTest {
    private static final String JOB =
        "plan --machine tsubame2 --ranks 4000 --image 64MiB --checkpoint 500ms --samples 2000 ";

    private static String run(int status, String words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int got = new Cli(new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
            .execute(words.split(" +"));
        assertEquals(status, got, () -> out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8));
        return (status == 0 ? out : err).toString(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> json(String words) throws IOException {
        return JSON.std.mapFrom(run(0, words + " --json"));
    }

    private static double number(Map<?, ?> json, String key) {
        return ((Number) json.get(key)).doubleValue();
    }

    @Test
    void figuresAreThoseOfTheFormulas() throws IOException {
        Map<String, Object> json = json(JOB
            + "--mtbf node=12h,rack=36h --recovery 10s --length 240h --target 1e-3 --losses 1 --aware rack");
        double mtbf = 86_400 / number(json, "failuresPerDay");
        assertEquals(mtbf, number(json, "mtbfSeconds"), 1e-6 * mtbf);
        assertEquals(3600 * 9, mtbf, 60, "12 h and 36 h together are 9 h");
        double interval = DalyInterval.seconds(0.5, mtbf);
        assertEquals(interval, number(json, "intervalSeconds"), 1e-9 * interval);
        double waste = 0.5 / (interval + 0.5) + ((interval + 0.5) / 2 + 10) / mtbf;
        assertEquals(waste, number(json, "waste"), 1e-9);
        assertEquals(240 * 3600 / (1 - waste), number(json, "expectedSeconds"), 1e-3);
        assertEquals(64L << 20, number(json, "bytesUnprotected") / 4000);
        assertEquals(3 * (64L << 20), number(json, "bytesPerRank"), 64 << 10);
    }

    @Test
    void recommendationHasTheFewestChecksumRanksThatReachTheTarget() throws IOException {
        Map<String, Object> json = json(JOB + "--target 1e-4 --length 72h --losses 1");
        Map<?, ?> best = (Map<?, ?>) json.get("recommended");
        assertTrue(number(best, "pcfOfLength") <= 1e-4);
        List<?> choices = (List<?>) json.get("choices");
        assertEquals(5, choices.size());
        for (Object choice : choices) {
            Map<?, ?> one = (Map<?, ?>) choice;
            assertFalse((boolean) one.get("reached") && number(one, "checksums") < number(best, "checksums"),
                json.toString());
        }
        assertTrue(3 * number(best, "pcfPerDay") <= 1.001e-4 && 3 * number(best, "placementPcfPerDay") <= 1.001e-4,
            json.toString());
        List<?> all =
            (List<?>) json("plan --nodes 12 --ranks 20 --image 1MiB --checkpoint 1ms --mtbf node=90d --samples 100")
            .get("choices");
        assertEquals(6, all.size(), "each of 1 to 3 losses, aware or not");
    }

    @Test
    void targetThatNothingReachesIsSaidToBeOutOfReach() throws IOException {
        String text = run(0, "plan --nodes 6 --ranks 8 --image 1MiB --checkpoint 1ms --mtbf node=1h --aware none");
        assertTrue(text.contains("not reached") && text.contains("does not reach the target"), text);
    }

    @Test
    void arithmeticIsShown() {
        String text = run(0, JOB + "--losses 1 --aware psu --mtbf node=24h");
        for (String part : List.of("M = ", "sqrt(2 d M)", "d / (interval + d)", "<-- recommended",
            "Recommended: --checksums",
            "pending image, parity")) {
            assertTrue(text.contains(part), part + " in\n" + text);
        }
        String most = run(0, JOB + "--losses 4 --aware psu");
        assertFalse(most.contains("./ftrma run survives"), most);
        String more = run(0, JOB + "--losses 5 --aware psu");
        assertTrue(more.contains("./ftrma run survives at most 4 losses in a group: --losses 4 limits"), more);
    }

    @Test
    void whatIsMissingOrWrongIsTold() {
        for (String[] one : new String[][] {
            {"plan --nodes 6 --ranks 8 --image 1MiB --checkpoint 1ms", "--mtbf is missing"},
            {JOB + "--mtbf blade=1h", "blade"},
            {JOB + "--mtbf 1h", "--mtbf=1h: not a level and a time, such as node=24h"},
            {JOB + "--mtbf none=1h", "not a level"},
            {JOB + "--aware blade", "blade"},
            {JOB + "--mtbf node=soon", "--mtbf=soon"},
            {JOB + "--mtbf node=1s", "leave no time"},
            {"plan --machine tsubame2 --ranks 8 --image 1MiB", "--checkpoint is missing"},
            {"plan --machine tsubame2 --ranks 8 --checkpoint 1s", "--image is missing"},
        }) {
            String told = run(2, one[0]);
            assertTrue(told.contains(one[1]), told);
        }
    }
}
