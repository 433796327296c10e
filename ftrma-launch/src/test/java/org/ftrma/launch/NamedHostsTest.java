package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.launch.hosts.HostSpec;
import org.ftrma.launch.hosts.SlurmClient;
import org.ftrma.launch.hosts.Start;
import org.ftrma.launch.options.GivenOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which hosts a job has: as its command line says, or the allocation in which its launcher is. */
class NamedHostsTest {
    private static final Map<String, String> ALLOCATION = Map.of("SLURM_JOB_ID", "17", "SLURM_JOB_NODELIST", "n[1-3]",
        "SLURM_JOB_CPUS_PER_NODE", "4(x3)");
    private final List<String> notes = new ArrayList<>();
    /** What Slurm says; nothing, as where its commands are missing. */
    private String batchScript = "";
    private String submitted = "";
    private String nodesLeft = "";

    private NamedHosts of(Map<String, String> environment, String options) {
        List<String> words = new ArrayList<>(List.of("fft"));
        words.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ")));
        GivenOptions given = new GivenOptions(CommandTree.create().parseArgs(words.toArray(String[]::new))
            .subcommand());
        return NamedHosts.of(given, environment, "login", new SlurmClient(notes::add, command ->
            command.contains("batch_script") ? batchScript : command.getFirst().equals("sacct") ? submitted
                : command.contains("17") ? nodesLeft : ""));
    }

    private static List<HostSpec> hosts(int... slots) {
        List<HostSpec> hosts = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            hosts.add(new HostSpec("n" + (i + 1), slots[i], false, ""));
        }
        return hosts;
    }

    @Test
    void anAllocationNamesHostsAndSlurmStartsAgents() {
        assertEquals(new NamedHosts(hosts(4, 4, 4), Start.SLURM), of(ALLOCATION, ""));
    }

    @Test
    void peopleAreToldOfAnAllocationThatMayEndWithANode() {
        for (String script : List.of("", "#!/bin/sh\n", "#SBATCH -N2\n# --no-kill", "#SBATCH --no-kill=off\n",
            "#SBATCH --no-killing")) {
            batchScript = script;
            notes.clear();
            of(ALLOCATION, "");
            assertEquals(1, notes.size(), script);
            assertTrue(notes.getFirst().contains("unless it was made with --no-kill (#SBATCH --no-kill)"), script);
        }
        for (String script : List.of("#!/bin/sh\n#SBATCH -N2 --no-kill   # so\ntrue\n", "#SBATCH -k\n", "#SBATCH "
            + "--no-kill -N2")) {
            batchScript = script;
            notes.clear();
            of(ALLOCATION, "");
            assertEquals(List.of(), notes, script);
        }
        batchScript = "";
        for (String line : List.of("sbatch --no-kill=off b.sh", "sbatch b.sh -k", "--no-kill")) {
            submitted = line + "\n";
            of(ALLOCATION, "");
            assertEquals(1, notes.size(), line);
            notes.clear();
        }
        for (String line : List.of("sbatch --no-kill b.sh", "salloc -N 3 --no-kill")) {
            submitted = line + "\n";
            of(ALLOCATION, "");
            assertEquals(List.of(), notes, line);
        }
    }

    @Test
    void nodesThatWereLostBeforeAreLeftOut() {
        batchScript = "#SBATCH -k";
        nodesLeft = "n[1,3]\n";
        assertEquals(List.of("n1", "n3"), of(ALLOCATION, "").specs().stream().map(HostSpec::name).toList());
        assertEquals(List.of("node n2 was lost by allocation 17 before: the job goes on without it"), notes);
        nodesLeft = "other";
        assertEquals("allocation 17 has no node left", assertThrows(MisuseException.class, () -> of(ALLOCATION, ""))
            .getMessage());
    }

    @Test
    void whatIsTypedWinsOverTheAllocation() {
        assertEquals(new NamedHosts(hosts(4, 4, 4), Start.SSH), of(ALLOCATION, "--start ssh"));
        assertEquals(new NamedHosts(hosts(4, 4, 4), Start.MPI), of(ALLOCATION, "--start mpi"));
        assertEquals(new NamedHosts(hosts(2), Start.SSH), of(ALLOCATION, "--hosts n1:2"));
        assertEquals(new NamedHosts(hosts(2), Start.SLURM), of(ALLOCATION, "--hosts n1:2 --start slurm"));
        assertTrue(of(ALLOCATION, "--start local").isThisHost());
    }

    @Test
    void aSpareHostIsANodeThatIsKeptBack() {
        List<HostSpec> expected = hosts(4, 4, 4);
        expected.set(1, new HostSpec("n2", 4, true, ""));
        assertEquals(expected, of(ALLOCATION, "--spare-hosts n2").specs());
        expected.set(1, new HostSpec("n2", 2, true, ""));
        assertEquals(expected, of(ALLOCATION, "--spare-hosts n2:2").specs());
    }

    @Test
    void outsideOfAnAllocationAndInOneOfThisHostTheJobIsHere() {
        assertTrue(of(Map.of(), "").isThisHost());
        assertTrue(of(Map.of("SLURM_JOB_ID", "17", "SLURM_JOB_NODELIST", "n1", "SLURM_JOB_CPUS_PER_NODE", "4",
            "SLURMD_NODENAME", "n1"), "").isThisHost());
        assertEquals(new NamedHosts(hosts(4), Start.SLURM), of(Map.of("SLURM_JOB_ID", "17", "SLURM_JOB_NODELIST", "n1",
            "SLURM_JOB_CPUS_PER_NODE", "4"), ""), "as after salloc, on another host");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--start slurm|--start=slurm: this is not a Slurm allocation (SLURM_JOB_ID is not set); make one with sbatch "
            + "or salloc",
        "--start mpi|--start=mpi: the job has no other hosts; add --hosts or --hostfile",
        "--start local --hosts a|--start=local: not together with --hosts or --hostfile",
        "--start local --device eth0|--device: the job has no other hosts; add --hosts or --hostfile",
        "--start srun|--start=srun: must be one of auto, ssh, slurm, mpi, manual, local"})
    void whatCannotBeIsRefused(String options, String message) {
        assertEquals(message, assertThrows(MisuseException.class, () -> of(Map.of(), options)).getMessage());
    }

    @Test
    void inAnAllocationToo() {
        for (String[] wrong : new String[][] {{"--start slurm --hosts n9", "host n9 is not a node of allocation 17"},
            {"--spare-hosts n9", "host n9 is not a node of allocation 17"},
            {"--spare-hosts n1,n2,n3", "all hosts are spare ones"}}) {
            String message = assertThrows(MisuseException.class, () -> of(ALLOCATION, wrong[0])).getMessage();
            assertTrue(message.contains(wrong[1]), message);
        }
    }
}
