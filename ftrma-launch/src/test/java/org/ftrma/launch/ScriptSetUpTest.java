package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the script sets up on a machine that has less than it needs, and what it says where it cannot. */
@Tag("long")
class ScriptSetUpTest extends ScriptWorld {
    private static final Pattern SUM = Pattern.compile("MAVEN_SHA512=([0-9a-f]{128})\n");
    private static final Pattern VERSION = Pattern.compile("MAVEN_VERSION=([0-9.]+)\n");
    private static final String CENTRAL = "https://repo.maven.apache.org/maven2";

    @Test
    void withoutAJdkOfTheRightVersionTheStatusIsFourAndNothingIsBuilt() throws Exception {
        jdk("usr/lib/jvm/old", "17.0.9");
        Path runtimeOnly = jdk("opt/runtime", "25");
        Files.delete(runtimeOnly.resolve("bin/javac"));
        assertEquals(4, ftrma(Map.of(), "info"), output);
        assertTrue(output.contains("no JDK 25 or later found") && output.contains("JAVA_HOME"), output);
        assertTrue(output.contains("Install one with: mkdir -p ~/.jdks && curl -fL https://"), output);
        assertEquals(0, builds());
        assertFalse(Files.exists(project.resolve(".build")));
        executable(bin.resolve("apt-cache"), "#!/bin/bash\n[[ $* == 'show openjdk-25-jdk-headless' ]]\n");
        assertEquals(4, ftrma(Map.of(), "info", "--json"), output);
        assertTrue(lastLine().endsWith("Install one with: sudo apt-get install -y openjdk-25-jdk-headless\"}"), output);
    }

    @Test
    void aJdkIsInstalledWhereTheDistributionHasIt() throws Exception {
        executable(bin.resolve("apt-get"), "#!/bin/bash\necho \"$*\" >> " + place + "/apt.log; exit 1\n");
        assertEquals(4, ftrma(Map.of(), "info"), output);
        assertTrue(output.contains("apt-get install openjdk-25-jdk-headless failed (see "), output);
        String install = "install -y --no-install-recommends openjdk-25-jdk-headless";
        assertEquals(List.of(install, "update", install), Files.readAllLines(place.resolve("apt.log")));
        Path later = jdk("later", "25.0.1");
        Files.createDirectories(place.resolve("usr/lib/jvm"));
        executable(bin.resolve("apt-get"), "#!/bin/bash\nmv " + later + " " + place + "/usr/lib/jvm/later\n");
        assertEquals(4, ftrma(Map.of(), "info", "--help"), output);
        assertFalse(output.contains("installing"), "help installs something: " + output);
        assertRunsOn("later", Map.of());
        assertTrue(output.contains("installing the package openjdk-25-jdk-headless with apt-get"), output);
    }

    @Test
    void withoutUcxTheStatusIsFourAndTheCommandIsNamed() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        Files.delete(place.resolve("usr/lib/any/libucp.so.0"));
        assertEquals(4, ftrma(Map.of(), "info"), output);
        assertTrue(output.contains("UCX is missing") && output.contains("apt-get install -y libucx0"), output);
        Path elsewhere = Files.createDirectories(place.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("libucp.so.0"), "");
        assertRunsOn("usr/lib/jvm/usual", Map.of("LD_LIBRARY_PATH", "/nowhere:" + elsewhere));
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertTrue(matcher.find(), "no " + pattern + " in the script");
        return matcher.group(1);
    }

    /** Maven's archive, with that of this world inside, which the script takes for the real one; returns its place. */
    private Path archive() throws Exception {
        String script = Files.readString(project.resolve("ftrma"));
        String name = "apache-maven-" + found(VERSION, script);
        Path copy = place.resolve("archive").resolve(name).resolve("bin/mvn");
        Files.createDirectories(copy.getParent());
        Files.move(bin.resolve("mvn"), copy);
        Path archive = place.resolve("archive.tar.gz");
        assertEquals(0, new ProcessBuilder("tar", "-czf", archive.toString(), "-C", place.resolve("archive").toString(),
            name).start().waitFor());
        String sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(archive)));
        executable(project.resolve("ftrma"), script.replace(found(SUM, script), sum));
        return archive;
    }

    /** What stands in for curl notes what it is asked for, and gives this file. */
    private void curlGives(Path file) throws IOException {
        executable(bin.resolve("curl"), "#!/bin/bash\necho \"${@: -1}\" >> " + place + "/curl.log\n"
            + "while [[ $1 != -o ]]; do shift; done\ncp " + file + " \"$2\"\n");
    }

    private String lastOfCurl() throws IOException {
        return Files.readAllLines(place.resolve("curl.log")).getLast();
    }

    private void assertNothingIsHalfDone() throws IOException {
        try (Stream<Path> left = Files.list(project.resolve(".build"))) {
            assertEquals(List.of(), left.filter(file -> file.getFileName().toString().startsWith("maven.")).toList());
        }
    }

    @Test
    void aMavenThatIsMissingOrTooOldIsDownloadedOnce() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        curlGives(archive());
        executable(bin.resolve("mvn"), "#!/bin/bash\necho 'Apache Maven 3.8.6'\n");
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        assertTrue(output.contains("Maven 3.8.7 or later is missing: downloading "), output);
        assertTrue(lastOfCurl().startsWith(CENTRAL + "/org/apache/maven/apache-maven/")
            && lastOfCurl().endsWith("-bin.tar.gz"), lastOfCurl());
        assertEquals(1, builds());
        assertNothingIsHalfDone();
        Files.delete(bin.resolve("curl"));
        Files.delete(bin.resolve("mvn"));
        age();
        Files.setLastModifiedTime(project.resolve(SOURCE), FileTime.from(Instant.now()));
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        assertFalse(output.contains("downloading"), output);
        assertEquals(2, builds());
    }

    @Test
    void mavenComesFromWhereItsSettingsSay() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        archive();
        curlGives(place.resolve("nothing"));
        Files.createDirectories(environmentHome.resolve(".m2"));
        Files.writeString(environmentHome.resolve(".m2/settings.xml"), """
            <settings><mirrors>
              <!-- <mirror><mirrorOf>*</mirrorOf><url>https://commented.invalid/</url></mirror> -->
              <mirror><id>a</id><mirrorOf>snapshots,!central</mirrorOf><url>https://other.invalid/m2</url></mirror>
              <mirror>
                <mirrorOf>internal, central</mirrorOf> <url> https://mirror.invalid/m2/ </url>
              </mirror>
              <mirror><mirrorOf>*</mirrorOf><url>https://later.invalid/m2</url></mirror>
            </mirrors></settings>
            """);
        executable(place.resolve("usr/lib/jvm/usual/bin/java"), "#!/bin/bash\nexit 1\n");
        assertEquals(4, ftrma(Map.of(), "info"), output);
        assertTrue(lastOfCurl().startsWith("https://mirror.invalid/m2/org/apache/maven/"), lastOfCurl());
        assertEquals(4, ftrma(Map.of("MVNW_REPOURL", "https://told.invalid/x/"), "info", "--json"), output);
        assertTrue(lastOfCurl().startsWith("https://told.invalid/x/org/apache/maven/"), lastOfCurl());
        assertTrue(lastLine().contains(lastOfCurl() + " cannot be downloaded (MVNW_REPOURL, or a mirror in ")
            && lastLine().contains("sudo apt-get install -y maven"), output);
        assertNothingIsHalfDone();
    }

    @Test
    void anotherArchiveThanThePinnedOneIsRefused() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        Path archive = archive();
        curlGives(archive);
        Files.writeString(archive, "something else");
        assertEquals(4, ftrma(Map.of(), "info"), output);
        assertTrue(output.contains("its SHA-512 is another one"), output);
        assertEquals(0, builds());
        assertNothingIsHalfDone();
    }

    @Test
    void whereThereIsNoCurlTheJdkDownloads() throws Exception {
        Path archive = archive();
        jdkThat("[[ $* == *Download.java* ]] && { echo \"$*\" > " + place + "/java.log; exec cp " + archive
            + " \"${@: -1}\"; }; exit 100");
        assertEquals(0, ftrma(Map.of("MAVEN_OPTS", "-Dhttps.proxyHost=proxy -Dhttps.proxyPort=1"), "info"), output);
        String asked = Files.readString(place.resolve("java.log"));
        assertTrue(asked.contains(" -Dhttps.proxyHost=proxy -Dhttps.proxyPort=1 ") && asked.contains(CENTRAL), asked);
        assertEquals(1, builds());
    }
}
