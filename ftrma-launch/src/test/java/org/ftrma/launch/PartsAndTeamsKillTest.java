package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.ftrma.launch.programs.PartsAndTeams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real processes with parts of different sizes, views of them and teams are killed. */
class PartsAndTeamsKillTest {
    private static Map<?, ?> undisturbed;

    private static Map<String, Object> run(String options) {
        return Command.line("run --ranks 4 --json --timeout 100s " + options + " -- "
            + PartsAndTeams.class.getName() + " 12").exits(0).json();
    }

    private static Map<?, ?> reports(Map<String, Object> json) {
        Map<?, ?> reports = (Map<?, ?>) json.get("reports");
        reports.keySet().removeIf(key -> !key.toString().matches("(seen|team)[.].*"));
        return reports;
    }

    @ParameterizedTest
    @CsvSource({"--protocol full --kill 3@7, 1, 0", "--protocol full --path network --kill 0@5 --kill 2@10, 2, 0",
        "--protocol coordinated --kill 1@8, 0, 1", "--protocol coordinated --path network --kill 3@8, 0, 1"})
    void whatRanksSeeDoesNotDependOnAKill(String options, long local, long rollbacks) {
        if (undisturbed == null) {
            undisturbed = reports(run("--protocol none"));
            assertEquals(8, undisturbed.size());
            assertEquals("1 of 2", undisturbed.get("team.1"));
        }
        Map<String, Object> json = run("--checksums 1 --spares 2 --interval 3 " + options);
        assertEquals(undisturbed, reports(json));
        assertEquals(local, ((Number) json.get("localRecoveries")).longValue());
        assertEquals(rollbacks, ((Number) json.get("rollbacks")).longValue());
    }
}
