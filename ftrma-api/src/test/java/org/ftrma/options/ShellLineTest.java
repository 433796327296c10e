package org.ftrma.options;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellLineTest {
    @Test
    void aShellReadsTheWordsThatWereWritten() throws Exception {
        List<String> words = List.of("--plain=a/b:c,d", "two words", "$HOME", "`id`", "it's", "\"quoted\"", "", "a\nb",
            "*", "~", "a;b&c|d", "back\\slash", "#no", "\u00e4");
        String line = ShellLine.of(words);
        Process shell = new ProcessBuilder("/bin/sh", "-c", "printf '%s\\0' " + line).start();
        String read = new String(shell.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertEquals(words, List.of(read.split("\0", -1)).subList(0, words.size()), line);
        assertEquals("run --ranks 2 -- Main", ShellLine.of(List.of("run", "--ranks", "2", "--", "Main")));
        assertEquals("1@2#0 '#x'", ShellLine.of(List.of("1@2#0", "#x")));
    }
}
