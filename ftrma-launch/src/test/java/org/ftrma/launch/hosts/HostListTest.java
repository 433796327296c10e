package org.ftrma.launch.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hosts as users list them. */
class HostListTest {
    @TempDir
    private Path directory;

    private List<HostSpec> read(String... lines) throws IOException {
        Path file = directory.resolve("hosts");
        Files.writeString(file, String.join("\n", lines));
        return HostList.read(file);
    }

    @Test
    void theFormsOfOpenMpiAndOfMpichAreUnderstood() throws IOException {
        assertEquals(List.of(new HostSpec("a", 4, false, ""), new HostSpec("b.example.org", 2, false, "r1"),
            new HostSpec("10.0.0.3", 0, true, ""), new HostSpec("d", 8, false, "")),
            read("# ours", "a slots=4 max_slots=8", "b.example.org:2 rack=r1  # in the cellar", "", "10.0.0.3 spare",
                "d:8"));
    }

    @Test
    void theCommandLineHasNamesAndSlots() {
        assertEquals(List.of(new HostSpec("a", 4, false, ""), new HostSpec("b", 0, false, "")),
            HostList.parse("--hosts", "a:4,b", false));
        assertEquals(List.of(new HostSpec("c", 1, true, "")), HostList.parse("--spare-hosts", "c:1", true));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "a:0|--hosts=a:0: '0' slots of host a: must be 1 to 8192",
        "a:x|--hosts=a:x: 'x' slots of host a: must be 1 to 8192",
        "a:4,a:4|--hosts=a:4,a:4: host a is named twice; name it once, with the sum of its slots",
        "a,,b|--hosts=a,,b: '' is not a host name; names are of letters, digits, '.', '-' and '_'",
        "a;b|--hosts=a;b: 'a;b' is not a host name; names are of letters, digits, '.', '-' and '_'"})
    void whatIsWrongIsToldWithTheFix(String text, String message) {
        assertEquals(message, assertThrows(MisuseException.class, () -> HostList.parse("--hosts", text, false))
            .getMessage());
    }

    @Test
    void whatIsWrongInAFileIsToldWithItsLine() throws IOException {
        String twice = assertThrows(MisuseException.class, () -> read("a:1", "b", "a slots=2")).getMessage();
        assertTrue(twice.endsWith("hosts, line 3: host a is named twice, before in line 1; name it once, with the sum "
            + "of its slots"), twice);
        String word = assertThrows(MisuseException.class, () -> read("a cpus=2")).getMessage();
        assertTrue(word.endsWith("line 1: 'cpus=2' after host a: must be slots=N, rack=NAME or spare (or N after a "
            + "colon)"), word);
        String slots = assertThrows(MisuseException.class, () -> read("a:2 slots=3")).getMessage();
        assertTrue(slots.endsWith("line 1: host a has its slots twice: name them once, as a:N or as slots=N"), slots);
        String rack = assertThrows(MisuseException.class, () -> read("a:2 rack=")).getMessage();
        assertTrue(rack.endsWith("line 1: '' is no name of host a's rack; names are of letters, digits, '.', '-' and "
            + "'_'"), rack);
        String none = assertThrows(MisuseException.class, () -> read("# nothing")).getMessage();
        assertTrue(none.endsWith("names no host"), none);
        String missing = assertThrows(MisuseException.class, () -> HostList.read(directory.resolve("no"))).getMessage();
        assertTrue(missing.contains("cannot be read") && missing.contains("NoSuchFileException"), missing);
    }

    @Test
    void aHostIsSpareOrNot() {
        String both = assertThrows(MisuseException.class, () -> HostList.together(HostList.parse("--hosts", "a,b",
            false), HostList.parse("--spare-hosts", "b", true))).getMessage();
        assertTrue(both.startsWith("host b is named twice"), both);
    }

    @Test
    void racksAreALevelAboveHosts() {
        assertEquals("hosts/host/a:2,b:4", HostTopology.text(List.of(new HostSpec("a", 2, false, ""),
            new HostSpec("b", 4, false, ""), new HostSpec("c", 4, true, ""))));
        assertEquals("hosts/host,rack/r(a:2,c:2),s(b:2)", HostTopology.text(List.of(new HostSpec("a", 2, false, "r"),
            new HostSpec("b", 2, false, "s"), new HostSpec("c", 2, false, "r"))));
        String partly = assertThrows(MisuseException.class, () -> HostTopology.text(List.of(new HostSpec("a", 2, false,
            "r"), new HostSpec("b", 2, false, "")))).getMessage();
        assertTrue(partly.startsWith("host b names no rack"), partly);
    }

    @Test
    void switchesOfANetworkAreRacksWhereTheyTellHostsApart() {
        List<HostSpec> hosts = HostList.parse("--hosts", "a:1,b:1,c:1,d:1", false);
        assertEquals("hosts/host,rack/s1(a:1,c:1),s2(b:1,d:1)", HostTopology.text(HostTopology.with(hosts, List.of(
            List.of("top", "s1"), List.of("top", "s2"), List.of("top", "s1"), List.of("top", "s2")))));
        assertEquals("hosts/host,rack,rack2/e(s1(a:1),s3(c:1)),w(s2(b:1,d:1))", HostTopology.text(HostTopology.with(
            hosts, List.of(List.of("top", "e", "s1"), List.of("top", "w", "s2"), List.of("top", "e", "s3"),
            List.of("top", "w", "s2")))));
        assertEquals(List.of("a", "c", "b", "d"), HostTopology.inOrder(HostTopology.with(hosts, List.of(
            List.of("e", "s1"), List.of("w", "s2"), List.of("e", "s3"), List.of("w", "s2")))).stream()
            .map(HostSpec::name).toList());
        assertEquals(hosts, HostTopology.with(hosts, List.of(List.of("s"), List.of("s"), List.of("s"), List.of("s"))),
            "all share it");
        assertEquals(hosts, HostTopology.with(hosts, List.of(List.of("s"), List.of(), List.of("s"), List.of("t"))),
            "not of all hosts anything is known");
        List<HostSpec> own = List.of(new HostSpec("a", 1, false, "r"), new HostSpec("b", 1, false, "q"));
        assertEquals(own, HostTopology.with(own, List.of(List.of("s1"), List.of("s2"))), "their user knows better");
    }
}
