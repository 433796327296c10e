package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.ftrma.core.counter.Counter;
import org.ftrma.launch.hosts.AgentServer;
import org.ftrma.launch.journal.JobFolder;
import org.ftrma.launch.journal.JobView;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs on several hosts that are all this machine, which needs no namespaces: processes of different agents share no
 * memory, and reach each other over the network path. Also what is refused of hosts.
 */
@Tag("long")
@Timeout(300)
class AgentsOfOneMachineTest {
    private static final String JOB = "fft --class S --warm-up 0 --iterations 20 --ranks 4 --checksums 2 "
        + "--protocol coordinated --interval 5 --json --advertise 127.0.0.1 ";

    @TempDir
    private Path directory;

    /** A program that is called as ssh is. */
    private Path shell(String script) throws IOException {
        Path file = directory.resolve("shell");
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }

    private Command run(String script, String more) throws IOException {
        return Command.line(JOB + "--shell " + shell(script) + " --remote-ftrma " + HostsJob.ftrma(directory) + " "
            + more);
    }

    @Test
    void processesOfDifferentAgentsShareNoMemory() throws IOException {
        Command command = run("shift; exec /bin/sh -c \"$1\"", "--hosts a:2,b:2,c:2").exits(0);
        Map<String, Object> result = command.json();
        assertEquals(true, result.get("verified"));
        assertEquals("mapped,network", ((Map<?, ?>) result.get("ucx")).get("path"));
        assertEquals("host", result.get("aware"));
        command.tells("hosts a, b and c are one machine: what takes it down takes all of them");
    }

    /** And what all processes have counted on their hosts is kept on the launcher's, of the replacement too. */
    @Test
    void aKilledRankIsReplaced() throws IOException {
        Path jobs = directory.resolve("jobs");
        Map<String, Object> result = run("shift; exec /bin/sh -c \"$1\"", "--hosts a:2,b:2,c:2 --kill 2@8 --job-dir "
            + jobs).exits(0).json();
        assertEquals(true, result.get("verified"));
        assertEquals(1, result.get("rollbacks"));
        JobView job = new JobView(JobFolder.all(jobs).getFirst());
        for (JobView.Member member : job.members()) {
            assertTrue(member.counters() != null, member::toString);
            assertEquals((long) (Integer) result.get("checkpoints"), member.counters().get(member.number() < 4
                ? Counter.GENERATION : Counter.PARITIES), 2, member::toString);
        }
        assertTrue(job.members().get(2).counters().get(Counter.STEP) > 8, job.members().get(2)::toString);
        assertTrue(job.members().get(2).process() > 5, job.members().get(2)::toString);
    }

    @Test
    void aLibraryThatDiffersIsNamedWithItsHostAndFileAndAnotherBuildOfTheSameIsNot() throws IOException {
        List<String> places = List.of(FastStarts.library().split(":"));
        List<String> same = new ArrayList<>(places);
        List<String> other = new ArrayList<>(places);
        String first = places.getFirst();
        same.set(0, rebuilt(Path.of(first), "same.jar", ""));
        other.set(0, rebuilt(Path.of(first), "other.jar", "x"));
        String message = (String) run("case $1 in a) library=" + String.join(":", same) + ";; b) library="
            + String.join(":", other) + ";; esac; export FTRMA_LIBRARY=$library; shift; "
            + "exec /bin/sh -c \"$1\"", "--hosts a:3,b:3").exits(4).json().get("message");
        assertTrue(message.startsWith("host b has another build of ftRMA than this one: " + first
            + " holds something else (") && message.endsWith("; copy it there, or share the folder"), message);
    }

    /** The entries of a jar in another one, in another order and with other times, and so much more in a last one. */
    private String rebuilt(Path jar, String name, String more) throws IOException {
        Path file = directory.resolve(name);
        try (JarFile from = new JarFile(jar.toFile());
            JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
            for (JarEntry entry : from.stream().sorted((a, b) -> b.getName().compareTo(a.getName())).toList()) {
                JarEntry copy = new JarEntry(entry.getName());
                copy.setTime(entry.getTime() + 86_400_000L);
                out.putNextEntry(copy);
                from.getInputStream(entry).transferTo(out);
                out.closeEntry();
            }
            if (!more.isEmpty()) {
                out.putNextEntry(new JarEntry("more"));
                out.write(more.getBytes(StandardCharsets.US_ASCII));
                out.closeEntry();
            }
        }
        return file.toString();
    }

    /** What is told where a host has so little memory: there are two ranks and a checksum rank, on a host each. */
    private String refusalOf(String host, long bytes) throws IOException {
        return (String) Command.line("kv --inserts 1000 --slots 4194304 --ranks 2 --checksums 1 --json "
            + "--protocol coordinated --advertise 127.0.0.1 --hosts a:1,b:1,c:1 --aware none --remote-ftrma "
            + HostsJob.ftrma(directory) + " --shell " + shell("case $1 in " + host + ") export JAVA_TOOL_OPTIONS="
            + "-Dftrma.memory.limit=" + bytes + ";; esac; shift; exec /bin/sh -c \"$1\"")).exits(4).json()
            .get("message");
    }

    @Test
    void aHostWhoseMemoryIsTooSmallForItsMembersIsNamedWithTheFigures() throws IOException {
        String message = refusalOf("b", 100_000_000);
        assertTrue(message.contains("memory that the job needs does not fit: host b needs ") && message.contains(
            " of memory for 1 of the computing ranks, 0 of the checksum ranks and 0 of the spares, and 95.4 MiB are "
            + "available there (-Dftrma.memory.limit); give it fewer slots or the job more hosts, "), message);
    }

    @Test
    void aHostWithChecksumRanksAloneIsAskedForItsParities() throws IOException {
        String message = refusalOf("c", 70_000_000);
        assertTrue(message.contains("memory that the job needs does not fit: host c needs ") && message.contains(
            " for the parities of 1 of the checksum ranks, and 66.8 MiB are available there"), message);
    }

    @Test
    void aHostWithoutRoomForItsProcessesIsNamed() throws IOException {
        assertEquals("host a: 1 processes need at least 32.0 MiB, only 9.5 MiB is available: give it fewer slots, or "
            + "reduce --ranks, --checksums or --spares", refusalOf("a", 10_000_000));
    }

    @Test
    void lossesOfProcessesAndOfHostsThatComeBackLeaveTheResultAsItIs() throws IOException {
        Command command = Command.line("fft --class S --warm-up 0 --iterations 24 --ranks 4 --checksums 2 --interval 4 "
            + "--protocol coordinated --json --advertise 127.0.0.1 --seed 3 --chaos 1 --chaos-hosts 2 --hosts "
            + "a:2,b:2,c:2 --spare-hosts d:2 --remote-ftrma " + HostsJob.ftrma(directory) + " --shell "
            + shell("shift; exec /bin/sh -c \"$1\"")).exits(0);
        Map<String, Object> result = command.json();
        assertEquals(true, result.get("verified"));
        assertEquals(true, result.get("sameAsFailureFree"));
        assertTrue((int) result.get("rollbacks") >= 2, "one for each host, and each rank that is killed");
        assertEquals(2, command.err().lines().filter(line -> line.matches("ftrma: host . is lost: .*")).count(),
            command::err);
        assertTrue(command.err().lines().filter(line -> line.contains(" has joined, for 2 processes")).count() >= 1,
            command::err);
    }

    @Test
    void aShellThatFailsIsNamedWithItsHost() throws IOException {
        String message = (String) run("case $1 in b) echo no route to it >&2; exit 255;; esac; shift; exec /bin/sh -c "
            + "\"$1\"", "--hosts a:2,b:2,c:2").exits(4).tells("[b] no route to it").json().get("message");
        assertTrue(message.startsWith("host b: '") && message.contains("ended with status 255 before an agent had "
            + "joined"), message);
    }

    @Test
    void aHostWithoutTheCommandIsNamedWithTheOptionThatHelps() throws IOException {
        String message = (String) run("case $1 in b) exit 127;; esac; shift; exec /bin/sh -c \"$1\"",
            "--hosts a:2,b:2,c:2").exits(4).json().get("message");
        assertTrue(message.startsWith("host b: '") && message.contains("ended with status 127 ")
            && message.endsWith("(--remote-ftrma names the one of other hosts)"), message);
    }

    @Test
    void aHostThatNeverAnswersIsNamedAfterTheTimeForStarts() throws IOException {
        String message = (String) run("case $1 in c) exec sleep 100;; esac; shift; exec /bin/sh -c \"$1\"",
            "--hosts a:2,b:2,c:2 --start-timeout 20s").exits(4).json().get("message");
        assertTrue(message.startsWith("c: no agent has joined from there within 20s (--start-timeout); is 127.0.0.1:"),
            message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--hosts a:1,b:1|2|--ranks=4 and --checksums=2 are 6 processes, and the hosts have 2 slots; name more hosts or "
            + "slots, or add --oversubscribe",
        "--hosts a:4,a:4|2|--hosts=a:4,a:4: host a is named twice; name it once, with the sum of its slots",
        "--hosts a:0|2|--hosts=a:0: '0' slots of host a: must be 1 to 8192",
        "--hosts a:9 --nodes 3|2|--nodes=3: not together with --hosts, which are the nodes of the job",
        "--spare-hosts a:9|2|--spare-hosts: the job has no other hosts; add --hosts or --hostfile",
        "--degrade no|2|--shell: the job has no other hosts; add --hosts or --hostfile",
        "--hosts a:9 --spare-hosts a:1|2|host a is named twice: as a spare one and as one that is not; leave one of "
            + "them out"})
    void whatCannotBeIsRefusedWithTheFix(String options, int status, String message) throws IOException {
        assertEquals(message, run("shift; exec /bin/sh -c \"$1\"", options).exits(status).json().get("message"));
    }

    @Test
    void anAgentWithAnotherTokenIsRefused() throws IOException {
        Path file = directory.resolve("token");
        Files.writeString(file, Token.random().text());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        try (AgentServer server = new AgentServer(InetAddress.getLoopbackAddress(), 0, 1, 1_000_000_000L, why -> { },
            MachineClock.HERE)) {
            Command command = Command.line("agent --join 127.0.0.1:" + server.address().getPort() + " --token-file "
                + file).exits(4);
            assertTrue(command.err().contains("wrong token"), command::err);
        }
    }

    @Test
    void aFileThatHoldsNoTokenIsNotTakenForOne() throws IOException {
        Path file = directory.resolve("notes");
        Files.writeString(file, "what I know");
        run("shift; exec /bin/sh -c \"$1\"", "--hosts a:4,b:4 --token-file " + file).exits(4)
            .tells("there is such a file already, which holds no secret of a job");
        assertEquals("what I know", Files.readString(file));
        Path left = directory.resolve("left");
        Files.writeString(left, Token.random().text() + "\n");
        try (AgentServer server = new AgentServer(InetAddress.getLoopbackAddress(), 0, 1, 1_000_000_000L, why -> { },
            MachineClock.HERE)) {
            server.keepTokenIn(left);
            Files.writeString(left, "another's");
        }
        assertEquals("another's", Files.readString(left));
    }

    @Test
    void aTokenThatOthersCanReadIsRefused() throws IOException {
        Path file = directory.resolve("token");
        Files.writeString(file, Token.random().text());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Command.line("agent --join 127.0.0.1:9 --token-file " + file).exits(2).tells("others can read it; chmod 600 ");
        for (String wrong : List.of("here", "here:", ":9", "127.0.0.1:0", "127.0.0.1:70000")) {
            Command.line("agent --token-file - --join " + wrong).exits(2).tells("--join=" + wrong + ": must be an "
                + "address and a port");
        }
    }
}
