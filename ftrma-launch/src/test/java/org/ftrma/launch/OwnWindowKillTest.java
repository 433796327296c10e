package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.ftrma.launch.programs.OwnWindow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks of real processes that use their own windows in every way, killed at moments that chance chooses. */
class OwnWindowKillTest {
    private static Map<?, ?> undisturbed;

    private static Map<String, Object> run(String failures) {
        return Command.line("run --ranks 3 --checksums 1 --spares 2 --protocol full --interval 4 --json --timeout 100s"
            + failures + " -- "
            + OwnWindow.class.getName() + " 14").exits(0).json();
    }

    private static Map<?, ?> reports(Map<String, Object> json) {
        Map<?, ?> reports = (Map<?, ?>) json.get("reports");
        reports.keySet().removeIf(key -> key.toString().startsWith("log."));
        return reports;
    }

    @ParameterizedTest
    @ValueSource(strings = {" --kill 0@7", " --kill 1@7", " --kill 2@6", " --kill 1@12", " --kill 0@3 --kill 2@10"})
    void whatRanksSeeDoesNotDependOnAKill(String kills) {
        if (undisturbed == null) {
            undisturbed = reports(run(""));
            assertEquals(33, undisturbed.size());
        }
        Map<String, Object> json = run(kills);
        assertEquals(undisturbed, reports(json));
        assertEquals(Map.of(), json.get("fallbacks"));
        assertEquals(kills.split("--kill").length - 1, json.get("localRecoveries"));
    }
}
