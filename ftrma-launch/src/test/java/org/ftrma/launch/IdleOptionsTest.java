package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.ftrma.launch.inject.FaultPlan;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;

class IdleOptionsTest {
    private static final String TOPOLOGY = "four/node/*4";

    private static List<String> notes(Map<String, String> given) {
        Set<JobOption> options = given.keySet().stream().map(JobOption.TABLE::byKey).collect(Collectors.toSet());
        return OptionsWithoutEffect.of(options, JobOptions.of(given), FaultPlan.none(), Set.of());
    }

    @Test
    void whatIsForProtectedJobsOnlyIsNamedWithoutProtection() {
        assertEquals(List.of("--losses has no effect: the job is not protected"), notes(Map.of("losses", "2")));
        assertEquals(List.of("--topology has no effect: the job is not protected"),
            notes(Map.of("topology", TOPOLOGY)));
        assertEquals(List.of("--losses, --nodes, --interval have no effect: the job is not protected"),
            notes(Map.of("interval", "5", "nodes", "4", "losses", "1")));
        assertEquals(List.of("--checksums 2: nothing is protected with --protocol none",
            "--losses has no effect: the job is not protected"),
            notes(Map.of("checksums", "2", "losses", "2", "protocol", "none")));
        assertEquals(List.of(), notes(Map.of("protocol", "none")));
        assertEquals(List.of(), notes(Map.of("protocol", "none", "checksums", "0")));
        assertEquals(List.of(), notes(Map.of("checksums", "2", "losses", "2", "topology", TOPOLOGY, "interval", "5")));
    }

    @Test
    void whatIsForLogsOnlyIsNamedWithoutThem() {
        assertEquals(List.of("--demand, --staging have no effect: there are no logs with --protocol coordinated"),
            notes(Map.of("demand", "off", "staging", "log", "checksums", "1")));
        assertEquals(List.of("--demand has no effect: there are demand checkpoints with --protocol full and "
            + "pessimistic-v only",
            "--staging has no effect: logs at checksum ranks are no memory to put from"),
            notes(Map.of("demand", "off", "staging", "log", "checksums", "1", "protocol", "ml")));
        assertEquals(List.of("--demand has no effect: there are demand checkpoints with --protocol full and "
            + "pessimistic-v only"),
            notes(Map.of("demand", "off", "staging", "log", "checksums", "1", "protocol", "puts")));
        assertEquals(List.of("--staging has no effect: no rank's memory is mapped with --path network"),
            notes(Map.of("demand", "off", "staging", "log", "checksums", "1", "protocol", "full", "path", "network")));
        assertEquals(List.of(), notes(Map.of("demand", "off", "staging", "log", "checksums", "1", "protocol", "full")));
        assertEquals(List.of("--staging has no effect: accesses are not logged with --protocol pessimistic-v; "
            + "--message-log is for messages"),
            notes(Map.of("demand", "off", "staging", "log", "message-log", "1MiB", "checksums", "1", "protocol",
            "pessimistic-v")));
        assertEquals(List.of("--independent has no effect: there are no demand checkpoints with --demand off"),
            notes(Map.of("independent", "daly", "mtbf", "1h", "interval", "2", "demand", "off", "checksums", "1",
                "protocol", "full")));
        assertEquals(List.of("--message-log has no effect: messages are not logged with --protocol full"),
            notes(Map.of("message-log", "1MiB", "checksums", "1", "protocol", "full")));
    }

    @Test
    void whatIsForFlushingOnlyIsNamedWithoutIt() {
        String why = "nothing is written to disk without --flush";
        assertEquals(List.of("--flush-every, --keep have no effect: " + why),
            notes(Map.of("flush-every", "2", "keep", "3", "checksums", "1")));
        assertEquals(List.of("--keep has no effect: " + why), notes(Map.of("keep", "3")));
        assertEquals(List.of("--keep has no effect: " + why), notes(Map.of("keep", "3", "flush", "none")));
        assertEquals(List.of(), notes(Map.of("keep", "3", "flush-every", "2", "flush", "images", "checksums", "1")));
        assertEquals(List.of("--drain-timeout has no effect: " + why), OptionsWithoutEffect.of(Set.of(),
            JobOptions.of(Map.of()), FaultPlan.none(), Set.of(LauncherOption.DRAIN_TIMEOUT)));
    }

    @Test
    void aStallIsToEndBeforeTheOthersGiveUp() {
        String why = ": the others give up waiting for one that stalls before it is killed";
        assertEquals(List.of("--stall-timeout 90s is not less than --deadline 60s" + why),
            notes(Map.of("stall-timeout", "90s")));
        assertEquals(List.of("--stall-timeout 45s is not less than --deadline 20s" + why),
            notes(Map.of("deadline", "20s")));
        assertEquals(List.of(), notes(Map.of("stall-timeout", "20s", "deadline", "21s")));
        assertEquals(List.of(), notes(Map.of("stall-timeout", "20s", "heartbeat-timeout", "2m")));
    }

    @Test
    void optionsAfterTheProgramAreNamed() {
        Set<String> names = Set.of("--ranks", "--checksums", "--json");
        assertEquals(List.of("--checksums comes after Heat, so it is the program's; an option of ftrma comes before: "
            + "./ftrma run --checksums ... -- Heat",
            "--ranks comes after Heat, so it is the program's; an option of ftrma comes before: "
            + "./ftrma run --ranks=4 -- Heat"),
            MisplacedOptions.of(names, "Heat", List.of("--checksums", "1", "--checksums", "--ranks=4")));
        assertEquals(List.of(), MisplacedOptions.of(names, "Heat", List.of("100", "ranks", "--size", "-json", "")));
    }

    @Test
    void aSeedIsForFailures() {
        JobOptions options = JobOptions.of(Map.of("checksums", "1"));
        assertEquals(List.of("--seed has no effect: there is no --kill, --stop or --chaos"),
            OptionsWithoutEffect.of(Set.of(), options, FaultPlan.none(), Set.of(LauncherOption.SEED)));
        assertEquals(List.of(), OptionsWithoutEffect.of(Set.of(), options,
            new FaultPlan(List.of(), 1, 1), Set.of(LauncherOption.SEED)));
    }
}
