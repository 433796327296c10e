package org.ftrma.launch.hosts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an allocation of Slurm tells of itself in its environment. */
class SlurmAllocationTest {
    /** As sbatch -N4 has it. */
    private static Map<String, String> environment(String... more) {
        Map<String, String> environment = new HashMap<>(Map.of("SLURM_JOB_ID", "17", "SLURM_JOB_NODELIST", "h[1-4]",
            "SLURM_JOB_CPUS_PER_NODE", "8(x3),4", "SLURM_TASKS_PER_NODE", "1(x4)", "SLURMD_NODENAME", "h1"));
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return environment;
    }

    private static List<Integer> slots(Map<String, String> environment) {
        return SlurmAllocation.of(environment, "login").hosts().stream().map(HostSpec::slots).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "h1|h1", "h[1-3]|h1 h2 h3", "cn[008-011,020]|cn008 cn009 cn010 cn011 cn020",
        "a,h[1,3],login.example.org|a h1 h3 login.example.org", "r[1-2]n[0-1]|r1n0 r1n1 r2n0 r2n1",
        "gpu[9-10]-ib|gpu9-ib gpu10-ib", "[1-2]|1 2"})
    void listsOfNodesAreWrittenOut(String list, String names) {
        assertEquals(List.of(names.split(" ")), SlurmNodes.names("SLURM_JOB_NODELIST", list));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "h[1-3|brackets do not match", "h1-3]|brackets do not match", "h[1-[2]]|brackets do not match",
        "\"\"|'' is not a host name", "h1,,h2|'' is not a host name", "h[]|'' is not a range of numbers",
        "h[a-b]|'a-b' is not a range of numbers", "h[1-2-3]|'1-2-3' is not a range of numbers",
        "h[3-1]|range 3-1 has no numbers", "h[1-9999]|range 1-9999 has more than 8192 nodes",
        "h[1-100][1-100]|more than 8192 nodes", "h[1-2],h2|node h2 is in it twice",
        "a[1][1][1][1][1][1][1][1][1]|more than 8 pairs of brackets in a name",
        "h;reboot|'h;reboot' is not a host name", "(null)|'(null)' is not a host name"})
    void whatIsNoListOfNodesIsRefused(String list, String why) {
        String message = assertThrows(MisuseException.class, () -> SlurmNodes.names("SLURM_JOB_NODELIST", list))
            .getMessage();
        assertEquals("SLURM_JOB_NODELIST=" + list + ": " + why + "; --hosts names hosts and slots instead", message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "2(x3)|SLURM_TASKS_PER_NODE=2(x3): numbers for 3 nodes, and there are 4",
        "2(x5)|SLURM_TASKS_PER_NODE=2(x5): numbers for 5 nodes or more, and there are 4",
        "2(x999999999),9(x999999999)|SLURM_TASKS_PER_NODE=2(x999999999),9(x999999999): numbers for 999999999 nodes "
            + "or more, and there are 4",
        "2(x0),4|SLURM_TASKS_PER_NODE=2(x0),4: numbers for 0 nodes or more, and there are 4",
        "0(x4)|SLURM_TASKS_PER_NODE=0(x4): a node with 0; must be 1 to 8192",
        "8193(x4)|SLURM_TASKS_PER_NODE=8193(x4): a node with 8193; must be 1 to 8192",
        "many|SLURM_TASKS_PER_NODE=many: 'many' is no number, or N(xTIMES)"})
    void whatIsNoListOfSlotsIsRefused(String list, String why) {
        String message = assertThrows(MisuseException.class, () -> slots(environment("SLURM_NTASKS", "8",
            "SLURM_TASKS_PER_NODE", list))).getMessage();
        assertEquals(why + "; --hosts names hosts and slots instead", message);
    }

    @Test
    void slotsAreTheTasksThatWereAskedForOrElseTheProcessors() {
        assertArrayEquals(new int[] {2, 2, 2, 4}, SlurmNodes.counts("SLURM_TASKS_PER_NODE", "2(x3),4", 4));
        assertEquals(List.of(8, 8, 8, 4), slots(environment()));
        assertEquals(List.of(4, 4, 4, 2), slots(environment("SLURM_CPUS_PER_TASK", "2")));
        assertEquals(List.of(1, 1, 1, 1), slots(environment("SLURM_CPUS_PER_TASK", "16")));
        assertEquals(List.of(3, 3, 2, 2), slots(environment("SLURM_NTASKS", "10", "SLURM_TASKS_PER_NODE",
            "3(x2),2(x2)")));
        Map<String, String> little = environment();
        little.remove("SLURM_JOB_CPUS_PER_NODE");
        assertEquals(List.of(0, 0, 0, 0), slots(little), "as many as each has cores");
    }

    /** Of a shell that srun --pty has started: what is said of tasks there is said of the step. */
    @Test
    void tasksOfAStepAreNotThoseOfTheAllocation() {
        assertEquals(List.of(8, 8, 8, 4), slots(environment("SLURM_NTASKS", "1", "SLURM_TASKS_PER_NODE", "1",
            "SLURM_STEP_ID", "0", "SLURM_STEP_NUM_TASKS", "1")));
    }

    @Test
    void aLauncherForEachTaskIsRefused() {
        String message = assertThrows(MisuseException.class, () -> slots(environment("SLURM_STEP_ID", "0",
            "SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID", "2"))).getMessage();
        assertTrue(message.startsWith("task 2 of 4 of a Slurm step") && message.contains("run ftrma once, "
            + "without srun"), message);
    }

    @Test
    void anAllocationOfOneNodeIsThisHostOnlyIfItIsHere() {
        Map<String, String> one = environment("SLURM_JOB_NODELIST", "h1", "SLURM_JOB_CPUS_PER_NODE", "8");
        assertTrue(SlurmAllocation.of(one, "login").isThisHost());
        one.remove("SLURMD_NODENAME"); // as salloc on another host has it
        assertFalse(SlurmAllocation.of(one, "login").isThisHost());
        assertTrue(SlurmAllocation.of(one, "h1.example.org").isThisHost());
        assertFalse(SlurmAllocation.of(environment(), "h1").isThisHost());
        assertFalse(SlurmAllocation.isIn(Map.of("SLURM_CONF", "/etc/slurm.conf")));
    }

    @Test
    void aHostThatIsNoNodeIsRefusedByName() {
        SlurmAllocation allocation = SlurmAllocation.of(environment(), "login");
        allocation.require(HostList.parse("--hosts", "h1,h4", false));
        assertEquals("--start=slurm: host h5 is not a node of allocation 17 (h1 and 3 more); --start ssh reaches it "
            + "otherwise", assertThrows(MisuseException.class, () -> allocation.require(HostList.parse("--hosts",
            "h1,h5", false))).getMessage());
    }

    @Test
    void whateverAnEnvironmentHasIsUnderstoodOrRefusedSoon() {
        assertTimeoutPreemptively(Duration.ofSeconds(60), SlurmAllocationTest::readWhateverComes);
        String huge = "h[1-8192]".repeat(20_000);
        assertThrows(MisuseException.class, () -> SlurmNodes.names("V", huge));
        assertThrows(MisuseException.class, () -> SlurmNodes.names("V", "h".repeat(100_000) + "[1-8192]"));
        assertThrows(MisuseException.class, () -> SlurmNodes.counts("V", "1,".repeat(60_000), 4));
    }

    private static void readWhateverComes() {
        Random random = new Random(7);
        String alphabet = "h0123456789[]-,.x()";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            random.ints(random.nextInt(24), 0, alphabet.length()).forEach(at -> text.append(alphabet.charAt(at)));
            List<String> names = understood(() -> SlurmNodes.names("V", text.toString()));
            assertTrue(names == null || !names.isEmpty() && names.size() <= 8192, text::toString);
            List<Integer> counts = understood(() -> IntStream.of(SlurmNodes.counts("V", text.toString(), 5)).boxed()
                .toList());
            assertTrue(counts == null || counts.size() == 5 && !counts.contains(0), text::toString);
        }
    }

    private static <T> T understood(java.util.function.Supplier<T> reading) {
        try {
            return reading.get();
        } catch (MisuseException e) {
            assertTrue(e.getMessage().startsWith("V="), e::getMessage);
            return null;
        }
    }
}
