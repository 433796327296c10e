package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ftrma.launch.programs.Gate;

/** Jobs on several hosts that write to a directory which all of them share, and go on from there. */
class HostsOnDiskTest extends HostsTest {
    private static final String JOB = "fft --class S --warm-up 0 --iterations 200 --ranks 4 --checksums 2 "
        + "--protocol coordinated --hosts h1:2,h2:2,h3:2 ";

    private HostsJob begin(String options) throws IOException {
        return begin(JOB, options);
    }

    private static List<String> entries(Path images) {
        try (Stream<Path> entries = Files.list(images)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @SideBySide
    void aJobThatIsTerminatedStopsOnDiskAndGoesOn() throws IOException {
        Path images = directory.resolve("stopped");
        begin("--interval none --flush " + images).awaitLine("rank 0 begins step 2");
        job.terminateLauncher();
        Map<String, Object> stopped = job.ends(5);
        String command = (String) stopped.get("restartWith");
        assertTrue(command.contains(" fft --restart " + images + " --jvm-arg "), command);
        assertNothingLeft();
        assertEquals(List.of("image-000001"), entries(images));
        job = new HostsJob(hosts, directory, command.substring(command.indexOf(" fft ") + 1));
        Map<String, Object> result = job.endsVerified();
        assertTrue(((Number) ((Map<?, ?>) result.get("restarted")).get("step")).intValue() >= 1, result::toString);
        assertEquals(0, result.get("rollbacks"), job::text);
    }

    /** The launcher loses all agents at once: what is named on disk is whole, and what is not does not count. */
    @SideBySide
    void aJobThatLostAllItsHostsGoesOnFromDisk() throws IOException {
        Path images = directory.resolve("lost");
        begin("--interval 5 --flush " + images).awaitLine("is on disk: image-000001");
        for (int host = 1; host <= hosts.count(); host++) {
            hosts.kill(host);
        }
        try {
            job.ends(3);
        } finally {
            for (int host = 1; host <= hosts.count(); host++) {
                hosts.restart(host);
            }
        }
        assertTrue(entries(images).stream().allMatch(name -> name.startsWith("image-")), () -> entries(images)
            .toString());
        begin("--interval 50 --restart " + images + " --flush " + images);
        Map<?, ?> from = (Map<?, ?>) job.endsVerified().get("restarted");
        assertEquals(List.of(), from.get("refused"));
        Command.line("images " + images).exits(0);
    }

    /** After the launcher's death nothing of what has no name is left, though its hosts have not written it off. */
    @SideBySide
    void whatHasNoNameGoesWithALauncherThatIsKilled() throws IOException {
        Path images = directory.resolve("killed");
        begin("--interval 5 --flush " + images).awaitLine("is on disk: image-000001");
        job.killLauncher();
        assertNothingLeft();
        HostsJob.await("the removal of what has no name", () -> entries(images).stream()
            .allMatch(name -> name.startsWith("image-")), () -> entries(images).toString());
    }

    @SideBySide
    void aDirectoryThatOneHostDoesNotShareIsRefusedWithItsName() throws IOException, InterruptedException {
        Path images = Files.createDirectory(directory.resolve("apart"));
        Process mount = hosts.run(2, List.of("mount", "-t", "tmpfs", "none", images.toString()));
        assertEquals(0, mount.waitFor());
        try {
            String message = (String) begin("--flush " + images).ends(4).get("message");
            assertTrue(message.startsWith("host h2 does not share the directory of --flush=" + images
                + " with this one: there is no " + images + "/.probe-"), message);
            assertTrue(message.endsWith("; it must be on a file system that all hosts have in the same place"),
                message);
            assertEquals(List.of(), entries(images));
            assertNothingLeft();
        } finally {
            assertEquals(0, hosts.run(2, List.of("umount", images.toString())).waitFor());
        }
    }

    private Process join(String more) {
        String line = job.text().lines().filter(one -> one.contains("further hosts may join: ")).findFirst()
            .orElseThrow();
        return hosts.run(4, List.of("/bin/sh", "-c", "exec " + line.split("may join: ")[1] + more), builder ->
            builder.redirectErrorStream(true));
    }

    @SideBySide
    void aHostThatJoinsLaterIsRefusedUnlessItSharesTheDirectoryAndTheJobGoesOn() throws Exception {
        Path images = Files.createDirectory(directory.resolve("late"));
        Path open = directory.resolve("open");
        begin("run --ranks 2 --checksums 1 --protocol coordinated --interval 5", "--hosts h1:1,h2:1,h3:1 --flush "
            + images + " --token-file " + directory.resolve("token") + " -- " + Gate.class.getName() + " 600 " + open
            + " 100").awaitLine("is on disk: image-000001");
        assertEquals(0, hosts.run(4, List.of("mount", "-t", "tmpfs", "none", images.toString())).waitFor());
        try {
            Process refused = join(" --name h4 --slots 1");
            String why = "host h4 does not share the directory of --flush=" + images + " with this one: there is no "
                + images + "/.probe-";
            String told = new String(refused.getInputStream().readAllBytes());
            assertTrue(told.contains("the job does not take this host: " + why), told);
            assertEquals(4, refused.waitFor());
            job.awaitLine("a further host is refused: " + why);
        } finally {
            assertEquals(0, hosts.run(4, List.of("umount", images.toString())).waitFor());
        }
        Process taken = join(" --name h4 --slots 1");
        job.awaitLine("host h4 has joined, for 1 process");
        Files.createFile(open);
        assertSurvived(0, 0, 0);
        assertEquals(0, taken.waitFor());
        assertTrue(entries(images).stream().allMatch(name -> name.startsWith("image-")), () -> entries(images)
            .toString());
    }
}
