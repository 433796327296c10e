package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.launch.options.ConfigNames;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.Settings;
import org.ftrma.options.JobOption;
import org.ftrma.options.OptionText;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParseResult;

/** Options from a file and from the environment. */
class ConfigTest {
    @TempDir
    private Path folder;
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("ftrma.properties");
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private Settings settings(Map<String, String> environment, String words) {
        ParseResult typed = CommandTree.innermost(CommandTree.create().parseArgs(words.split(" +")));
        return Settings.of(typed, environment, folder);
    }

    private static String shown(Settings settings, String key) {
        return settings.values().stream().filter(value -> value.option().key().equals(key))
            .map(value -> value.value() + " from " + settings.origin(value)).findFirst().orElseThrow();
    }

    private void refused(String why, Map<String, String> environment, String words) {
        String message = assertThrows(MisuseException.class, () -> settings(environment, words)).getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void theCommandLineIsStrongerThanTheEnvironmentThatIsStrongerThanTheFile() throws IOException {
        write("ranks=4\nchecksums=2\nspares=1\n# a remark\nfft.class=W\nnpb.cg.class=A\n");
        Map<String, String> environment = Map.of("FTRMA_CHECKSUMS", "1", "FTRMA_RANKS", "3", "HOME", "/");
        Settings settings = settings(environment, "fft --ranks 2");
        assertEquals("2 from command line", shown(settings, "ranks"));
        assertEquals("1 from FTRMA_CHECKSUMS", shown(settings, "checksums"));
        assertEquals("1 from ftrma.properties", shown(settings, "spares"));
        assertEquals("W from ftrma.properties: fft.class", shown(settings, "class"));
        assertEquals("coordinated from default", shown(settings, "protocol"));
        assertEquals("options from ftrma.properties: fft.class, spares; from the environment: FTRMA_CHECKSUMS",
            settings.told());
        assertEquals("A from ftrma.properties: npb.cg.class", shown(settings(environment, "npb cg"), "class"));
    }

    @Test
    void whatIsForOneCommandIsStrongerThanWhatIsForAll() throws IOException {
        write("fft.ranks=8\nranks=4\n");
        assertEquals("8 from ftrma.properties: fft.ranks", shown(settings(Map.of(), "fft"), "ranks"));
        assertEquals("4 from ftrma.properties", shown(settings(Map.of(), "kv"), "ranks"));
        assertEquals("3 from FTRMA_RANKS", shown(settings(Map.of("FTRMA_RANKS", "3"), "fft"), "ranks"));
    }

    @Test
    void whatComesFromElsewhereIsAsIfItHadBeenTyped() throws IOException {
        write("ranks=4\nverbose=yes\nprefix=no\n");
        Settings settings = settings(Map.of("FTRMA_JVM_ARG", "-Xss1m -Da=b"), "run --spares 1 -- Main --ranks 9");
        assertEquals(List.of("run", "--ranks=4", "--verbose", "--jvm-arg=-Xss1m", "--jvm-arg=-Da=b", "--spares", "1",
            "--", "Main", "--ranks", "9"), List.of(settings.applied("run", "--spares", "1", "--", "Main", "--ranks",
            "9")));
        assertEquals(List.of("npb", "cg", "--ranks=4", "--verbose", "--spares", "1"),
            List.of(settings(Map.of(), "npb cg --spares 1").applied("npb", "cg", "--spares", "1")));
    }

    @Test
    void whoChoosesOneOfTwoRivalsHasPutAsideTheOther() throws IOException {
        write("verbose=yes\nnodes=4\n");
        assertEquals(List.of("fft", "--nodes=4", "--quiet"), List.of(settings(Map.of(), "fft --quiet").applied("fft",
            "--quiet")));
        assertEquals(List.of("fft", "--topology=m", "--verbose"), List.of(settings(Map.of("FTRMA_TOPOLOGY", "m"),
            "fft").applied("fft")));
    }

    @Test
    void unknownNamesAreRefusedWithTheNearestOne() throws IOException {
        refused("FTRMA_RANK: no option has this name; the nearest is FTRMA_RANKS", Map.of("FTRMA_RANK", "4"), "fft");
        refused("FTRMA_ITERATIONS: is not an option of all commands; set FTRMA_FFT_ITERATIONS",
            Map.of("FTRMA_ITERATIONS", "4"), "fft");
        refused("FTRMA_JSON: only on the command line: --json", Map.of("FTRMA_JSON", "yes"), "fft");
        refused("FTRMA_SPARES=: must be a value", Map.of("FTRMA_SPARES", ""), "fft");
        write("cheksums=1\n");
        refused("ftrma.properties: cheksums: no such option; the nearest is checksums", Map.of(), "fft");
        write("iterations=1\n");
        refused("iterations: is not an option of all commands; write fft.iterations or ", Map.of(), "fft");
        write("fft.kill=1@2\n");
        refused("fft.kill: only on the command line: --kill", Map.of(), "fft");
        write("ranks=1\nranks=2\n");
        refused("ranks: is there twice", Map.of(), "fft");
        write("ranks=many\n");
        refused("ftrma.properties: ranks: --ranks=many: not a whole number (1 to 1024)", Map.of(), "kv");
        write("verbose=perhaps\n");
        refused("ftrma.properties: verbose=perhaps: must be yes or no", Map.of(), "fft");
        write("a=\\u12\n");
        refused("is not a file of key=value lines", Map.of(), "fft");
        Files.write(file, new byte[] {'a', '=', (byte) 0xFF});
        refused("is not in UTF-8", Map.of(), "fft");
        write("#" + "x".repeat(1 << 20));
        refused("is larger than 1048576 bytes", Map.of(), "fft");
        refused("--config=other: cannot be read: no such file", Map.of(), "fft --config other");
    }

    @Test
    void noneMeansTheCommandLineAlone() throws IOException {
        write("ranks=no number\n");
        assertTrue(settings(Map.of("FTRMA_NO_SUCH", "1"), "fft --config none").isTyped());
        assertTrue(settings(Map.of("FTRMA_NO_SUCH", "1", "FTRMA_CONFIG", "none"), "fft").isTyped());
        Files.writeString(folder.resolve("other"), "ranks=7");
        assertEquals("7 from other", shown(settings(Map.of("FTRMA_CONFIG", "other"), "fft"), "ranks"));
        assertEquals("7 from other", shown(settings(Map.of("FTRMA_CONFIG", "none"), "fft --config other"), "ranks"));
    }

    @Test
    void aFileThatNobodyNamedIsReadOnlyIfItIsTheUsersOwnAndRunsNothing() throws IOException {
        write("ranks=4\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        refused("refused, because others may write to it (chmod go-w ftrma.properties)", Map.of(), "fft");
        assertEquals("4 from ftrma.properties", shown(settings(Map.of(), "fft --config ftrma.properties"), "ranks"));
        write("jvm-arg=-Xss1m\n");
        refused("jvm-arg: says what is run", Map.of(), "fft");
        assertEquals("-Xss1m from ftrma.properties", shown(settings(Map.of(), "fft --config ftrma.properties"),
            "jvm-arg"));
        write("run.class-path=x\n");
        refused("run.class-path: says what is run", Map.of(), "fft");
        Files.move(file, folder.resolve("elsewhere"));
        Files.createSymbolicLink(file, Path.of("elsewhere"));
        refused("it is not a regular file", Map.of(), "fft");
    }

    @Test
    void eachOptionOfAJobHasANameInAFileAndInTheEnvironmentAndNoneIsAmbiguous() {
        List<OptionText> all = ConfigNames.options(CommandTree.create().getSubcommands().get("run").getCommandSpec());
        Settings settings = settings(Map.of(), "run -- Main");
        for (JobOption option : JobOption.values()) {
            assertTrue(all.contains(option.text()), option.key());
            assertEquals(List.of(option.key(), "FTRMA_" + option.name()), settings.names(option.text()));
        }
        assertFalse(all.contains(LauncherOption.JSON.text()));
    }

    private static String printed(Map<String, String> environment, int status, String words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Cli cli = new Cli(MoreCommands.NONE,
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true,
            StandardCharsets.UTF_8), new Interrupts(), environment);
        assertEquals(status, cli.execute(words.split(" +")), () -> err.toString(StandardCharsets.UTF_8));
        return (status == 0 ? out : err).toString(StandardCharsets.UTF_8);
    }

    @Test
    void optionsTellTheirValuesAndSourcesButNoSecrets() throws IOException {
        Map<String, String> environment = Map.of("FTRMA_JVM_ARG", "-Ddb.password=hunter2 -Da=b", "FTRMA_SPARES", "3");
        String text = printed(environment, 0, "options --effective fft --ranks 4");
        assertFalse(text.contains("hunter2"), text);
        assertTrue(text.contains("-Ddb.password=*** -Da=b") && text.contains("FTRMA_JVM_ARG"), text);
        Object json = JSON.std.mapFrom(printed(environment, 0, "options --effective --json fft --ranks 4"))
            .get("options");
        assertTrue(((List<?>) json).contains(Map.of("option", "--ranks", "value", "4", "from", "command line")),
            json::toString);
        assertTrue(((List<?>) json).contains(Map.of("option", "--spares", "value", "3", "from", "FTRMA_SPARES")),
            json::toString);
        assertTrue(printed(Map.of("FTRMA_NONSENSE", "1"), 0, "options npb cg").lines().anyMatch(line -> line.matches(
            "--class +npb\\.cg\\.class +FTRMA_NPB_CG_CLASS .*")));
        assertTrue(printed(Map.of(), 2, "options map").contains("'map' runs no job"));
    }

    @Test
    void aJobTakesItsOptionsFromTheEnvironmentAndSaysSo() {
        String refusal = printed(Map.of("FTRMA_CHECKSUMS", "3"), 2, "fft --ranks 2");
        assertTrue(refusal.contains("ftrma: options from the environment: FTRMA_CHECKSUMS\n")
            && refusal.contains("--checksums=3"), refusal);
    }
}
