package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.ftrma.testkit.hosts.RunningProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs whose agents are started by a real mpirun, Open MPI's and MPICH's. Of {@code ./ftrma test --slurm} only. */
@Tag("slurm")
@Timeout(300)
class MpirunTest {
    private static final int COUNT = 4;
    private static final Path SCRIPT = DocumentationTest.ROOT.resolve("docs/batch/mpirun.sh");
    private static final List<String> LONG = List.of("--warm-up", "0", "--interval", "5", "--verbose", "--json",
        "--iterations", "40");

    /** Whose mpirun it is. Debian has both, and calls Open MPI's mpirun where both are installed. */
    private enum Kind {
        OPEN_MPI("mpirun", "openmpi-bin", "--enable-recovery"), MPICH("mpirun.mpich", "mpich", "-disable-auto-cleanup");

        private final String program;
        private final String debian;
        /** The loss of a process is not that of all. */
        private final String goesOn;

        Kind(String program, String debian, String goesOn) {
            this.program = program;
            this.debian = debian;
            this.goesOn = goesOn;
        }
    }

    @TempDir
    private static Path directory;
    private static NamespacedHosts hosts;
    private final List<Process> started = new ArrayList<>();
    private HostsJob job;

    @BeforeEach
    void makeHosts() throws IOException {
        assumeTrue(NamespacedHosts.whyNot().isEmpty(), NamespacedHosts::whyNot);
        if (hosts == null) {
            hosts = NamespacedHosts.of(COUNT);
            hosts.remoteShell();
        }
        HostsJob.ftrma(directory); // by the name that scripts have for it
    }

    private static void assumeThereIs(Kind kind) {
        assumeTrue(Stream.of(System.getenv("PATH").split(":")).anyMatch(folder -> Files.isExecutable(Path.of(folder,
            kind.program))), () -> "no " + kind.program + " is found; install: apt-get install -y " + kind.debian);
    }

    @AfterAll
    static void closeHosts() {
        if (hosts != null) {
            hosts.close();
        }
    }

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
        if (job != null) {
            job.close();
        }
    }

    /** On the host of launchers, in the folder where ftrma is. */
    private Process run(List<String> command, Path output) {
        return hosts.run(NamespacedHosts.LOGIN, command, builder -> {
            builder.directory(directory.toFile());
            builder.environment().putAll(Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
                "OMPI_MCA_plm_rsh_agent", hosts.remoteShell().toString(), "HYDRA_LAUNCHER_EXEC",
                hosts.remoteShell().toString(), "PBS_NODEFILE", directory + "/nodes"));
            if (output != null) {
                builder.redirectErrorStream(true).redirectOutput(output.toFile());
            }
        });
    }

    private void assertSurvived() throws IOException {
        Map<String, Object> result = job.endsVerified();
        assertTrue(((List<?>) result.get("failures")).size() > 0, job::text);
    }

    private void awaitNothingOn(int... left) {
        for (int host : left) {
            job.awaitNothingOn(host);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aJobOfABatchScriptOutlivesAHostThatLosesItsPower(Kind kind) throws IOException {
        assumeThereIs(kind);
        Files.writeString(directory.resolve("nodes"), "h1\nh1\nh2\nh2\nh3\nh3\nh4\nh4\n");
        List<String> command = new ArrayList<>(List.of("/bin/bash", SCRIPT.toString()));
        command.addAll(LONG);
        command.addAll(List.of("--mpirun", kind.program));
        job = new HostsJob(hosts, run(command, null)).awaitLine("generation 1 (step 5) is committed");
        hosts.powerOff(2);
        try {
            job.awaitLine("host h2 is lost: silent for more than ");
            assertSurvived();
            awaitNothingOn(1, 3, 4);
            assertEquals(List.of(), job.running(NamespacedHosts.LOGIN, "mpirun"), job::text);
        } finally {
            hosts.restart(2);
        }
    }

    /** Of several that one mpirun starts on a host the first one is the agent; the loss of one is not that of all. */
    @ParameterizedTest
    @EnumSource
    void agentsOfOneMpirunBesideALauncherThatWaitsForThem(Kind kind) throws IOException {
        assumeThereIs(kind);
        List<String> launcher = new ArrayList<>(List.of("./ftrma", "fft", "--class", "W", "--ranks", "4", "--checksums",
            "2", "--protocol", "coordinated", "--start", "manual", "--hosts", "h1:2,h2:2,h3:2,h4:2"));
        launcher.addAll(LONG);
        job = new HostsJob(hosts, run(launcher, null)).awaitLine("or on all of them, by what starts a command there");
        List<String> lines = job.text().lines().toList();
        String agent = lines.stream().filter(line -> line.contains("or on all of them")).findFirst().orElseThrow();
        Path secret = Files.createFile(directory.resolve("secret." + kind), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, lines.get(lines.indexOf(lines.stream().filter(line -> line.contains("secret is this "
            + "line")).findFirst().orElseThrow()) + 1));
        List<String> command = new ArrayList<>(List.of(kind.program, kind.goesOn, "--bind-to", "none", "--host",
            "h1:2,h2:2,h3:2,h4:2", "-n", "8"));
        command.addAll(List.of(agent.substring(agent.indexOf(": /") + 2).replace(" FILE", " " + secret).split(" ")));
        Path output = directory.resolve(kind + ".out");
        Process mpirun = run(command, output);
        started.add(mpirun);
        job.awaitLine("generation 1 (step 5) is committed");
        List<RunningProcess> agents = job.running(3, "Main agent");
        assertEquals(1, agents.size(), agents::toString);
        ProcessHandle.of(agents.getFirst().machinePid()).orElseThrow().destroyForcibly();
        job.awaitLine("host h3 is lost: its agent has closed the connection");
        assertSurvived();
        assertTrue(!mpirunTold(output).contains("ftrma:"), () -> mpirunTold(output));
        mpirun.destroy(); // it goes on without the process that was lost, and does not end with the others
        HostsJob.await("the end of mpirun", () -> !mpirun.isAlive(), () -> mpirunTold(output));
        awaitNothingOn(1, 2, 3, 4);
    }

    private static String mpirunTold(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
