package org.ftrma.mutations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The file of mutations: how it is read, and that it fits the sources as they are. */
class MutationFileTest {
    private static final Path ROOT = root();

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("ftrma-mutations/mutations.txt"))) {
            place = place.getParent();
        }
        return place;
    }

    @Test
    void aBlockIsAMutation() {
        List<Mutation> mutations = MutationFile.parse("""
            # a comment

            mutation off-by-one
            in ftrma-xor/Groups
            - a < b;
            - c();
            + a <= b;
            why One too many
              is counted.
            tests GroupsTest, XorCodeTest#one

            mutation gone
            in ftrma-xor/Groups
            - d();
            +
            why Nothing is done.
            harmless it is done again
            """);
        assertEquals(List.of(
            new Mutation("off-by-one", "ftrma-xor", "Groups", List.of("a < b;", "c();"), List.of("a <= b;"),
            "One too many is counted.",
                List.of("GroupsTest", "XorCodeTest#one"), ""),
            new Mutation("gone", "ftrma-xor", "Groups", List.of("d();"), List.of(""), "Nothing is done.", List.of(),
            "it is done again")), mutations);
    }

    @Test
    void whatIsNoBlockIsRefusedWithItsLine() {
        for (String[] bad : new String[][] {
            {"mutation a\nin m/C\n- a\n+ b\ntests T\n",
                "line 5: the mutation that ends here has no line that begins with why"},
            {"mutation a\nin m/C\n- a\n+ b\nwhy c\n",
             "line 5: the mutation that ends here names no tests, and does not say why it is harmless"},
            {"mutation a\nin C\n- a\n+ b\nwhy c\ntests T\n", "line 6: not MODULE/CLASS: C"},
            {"mutation a\nfile m/C\n",
             "line 2: begins with none of mutation, in, -, +, why, tests, harmless: file m/C"},
            {"mutation a\nin m/C\n- a\n  b\n", "line 4: goes on with nothing:   b"},
        }) {
            assertEquals(bad[1], assertThrows(IllegalArgumentException.class, () -> MutationFile.parse(bad[0]))
                .getMessage());
        }
        String one = "mutation a\nin m/C\n- a\n+ b\nwhy c\ntests T\n\n";
        String two = assertThrows(IllegalArgumentException.class, () -> MutationFile.parse(one + one)).getMessage();
        assertEquals("line 13: there are two mutations a", two);
    }

    /** Whoever changes protocol code is told at once which mutations are to be written anew. */
    @Test
    void everyMutationFitsTheSources() throws IOException {
        List<Mutation> mutations = MutationFile.parse(Files.readString(ROOT.resolve("ftrma-mutations/mutations.txt")));
        assertTrue(mutations.size() >= 45, () -> mutations.size() + " mutations");
        Sources sources = new Sources(ROOT);
        for (Mutation mutation : mutations) {
            String source = Files.readString(sources.ofClass(mutation.module(), mutation.type()));
            assertTrue(!mutation.apply(source).equals(source), () -> mutation.name() + " changes nothing");
            for (String test : mutation.tests()) {
                String method = test.replaceAll("[^#]*#?", "");
                assertTrue(method.isEmpty() || Files.readString(sources.ofTest(test)).contains(" " + method + "("),
                    () -> mutation.name() + ": there is no test " + test);
            }
        }
    }
}
