package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ftrma.rank.control.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that join a job which runs: all of them are this machine, with an agent each. */
@Timeout(300)
class LateHostsTest {
    /** Goes slowly until there is a file. */
    private static final String SOURCE = """
        import java.lang.foreign.MemorySegment;
        import java.lang.foreign.ValueLayout;
        import java.nio.file.*;
        import org.ftrma.*;

        public class Paced {
            public static void main(String[] args) {
                Ftrma.run(args, job -> {
                    MemorySegment sum = job.protect("sum", 8);
                    for (long step : job.steps(800)) {
                        if (!Files.exists(Path.of(args[0]))) {
                            Thread.sleep(60);
                        }
                        job.barrier();
                        sum.set(ValueLayout.JAVA_LONG, 0, sum.get(ValueLayout.JAVA_LONG, 0) + 1);
                    }
                    job.report("sum", job.allReduce(AtomicOp.SUM, sum.get(ValueLayout.JAVA_LONG, 0)));
                });
            }
        }
        """;

    @TempDir
    private Path place;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<Process> agents = new ArrayList<>();
    private final Interrupts interrupts = new Interrupts();
    private CompletableFuture<Command> job;

    @AfterEach
    void end() {
        interrupts.arrive();
        if (job != null) {
            job.orTimeout(100, TimeUnit.SECONDS).handle((done, failed) -> null).join();
        }
        agents.forEach(Process::destroyForcibly);
    }

    /** Each host's agent leaves its number behind. */
    private void begin(String more) throws IOException {
        ProgramSource.compile(place.resolve("out"), "Paced.java", SOURCE);
        Path shell = place.resolve("shell");
        Files.writeString(shell, "#!/bin/sh\necho $$ > " + place + "/pid-$1\ncase $1 in absent) exit 1;; esac\n"
            + "shift\nexec /bin/sh -c \"exec $1\"\n");
        Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwx------"));
        String words = "run --ranks 2 --checksums 1 --protocol coordinated --interval 200ms --json --verbose --timeout "
            + "200s --advertise 127.0.0.1 --degrade no --token-file " + place.resolve("token") + " --shell " + shell
            + " --remote-ftrma " + HostsJob.ftrma(place) + " " + more + " --class-path " + place.resolve("out")
            + " -- Paced " + place.resolve("go");
        PrintStream err = new PrintStream(printed, true, StandardCharsets.UTF_8);
        job = CompletableFuture.supplyAsync(() -> Command.interruptible(words, err, interrupts));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void awaitLine(String part) {
        awaitLines(part, 1);
    }

    private void awaitLines(String part, int count) {
        HostsJob.await(count + " lines with '" + part + "'", () -> job.isDone() || text().lines().filter(line ->
            line.contains(part)).count() >= count, this::text);
        assertTrue(text().lines().filter(line -> line.contains(part)).count() >= count, this::text);
    }

    /** Starts an agent by the line that the launcher has printed. */
    private Process join(String more) throws IOException {
        awaitLine("further hosts may join: ");
        String line = text().lines().filter(one -> one.contains("further hosts may join: ")).findFirst().orElseThrow();
        Process agent = new ProcessBuilder("/bin/sh", "-c", "exec " + line.split("may join: ")[1] + " " + more)
            .redirectErrorStream(true).start();
        agents.add(agent);
        return agent;
    }

    private void kill(String host) throws IOException {
        long pid = Long.parseLong(Files.readString(place.resolve("pid-" + host)).strip());
        assertTrue(ProcessHandle.of(pid).orElseThrow().destroyForcibly());
    }

    private static String outputOf(Process agent, int status) throws IOException, InterruptedException {
        String text = new String(agent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(status, agent.waitFor(), text);
        return text;
    }

    @Test
    void whatIsLostIsReplacedOnAHostThatHasJoinedMeanwhileAndOnOneThatComesBack() throws Exception {
        begin("--hosts a:1,b:1,c:1 --spare-hosts absent:1");
        awaitLine("spare host absent: '");
        awaitLine("generation 1 ");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(place.resolve("token"))));
        Process absent = join("--name absent --slots 7");
        awaitLine("host absent has joined, for 1 process");
        kill("a");
        awaitLine("host a is lost: its agent has closed the connection");
        awaitLine("is back (rollback)");
        Process again = join("--name a --slots 7");
        awaitLine("host a has joined, for 1 process");
        kill("b");
        awaitLine("host b is lost: its agent has closed the connection");
        awaitLines("is back (rollback)", 2);
        Files.createFile(place.resolve("go"));
        Map<String, Object> result = job.get(100, TimeUnit.SECONDS).exits(0).json();
        assertEquals(1600, ((Number) ((Map<?, ?>) result.get("reports")).get("sum")).intValue(), result::toString);
        outputOf(absent, 0);
        outputOf(again, 0);
        assertTrue(Files.notExists(place.resolve("token")), "the secret goes with the job");
    }

    @Test
    void whoMayNotJoinIsToldWhyAndTheJobGoesOn() throws Exception {
        begin("--hosts a:1,b:1,c:1");
        awaitLine("generation 1 ");
        String name = "host b has an agent already; --name calls the further one something else";
        assertTrue(outputOf(join("--name b"), 4).contains("the job does not take this host: " + name));
        awaitLine("a further host is refused: " + name);
        Path stranger = place.resolve("stranger");
        Files.writeString(stranger, Token.random().text());
        Files.setPosixFilePermissions(stranger, PosixFilePermissions.fromString("rw-------"));
        String line = text().lines().filter(one -> one.contains("may join: ")).findFirst().orElseThrow();
        Process wrong = new ProcessBuilder("/bin/sh", "-c", "exec " + line.split("may join: ")[1].split(
            " --token-file")[0] + " --name d --token-file " + stranger).redirectErrorStream(true).start();
        assertTrue(outputOf(wrong, 4).contains("wrong token"));
        Files.createFile(place.resolve("go"));
        job.get(100, TimeUnit.SECONDS).exits(0);
    }
}
