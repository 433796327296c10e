package org.ftrma.testkit.bugs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;

/** Bugs fit the sources as they are, and tasks run where the classes have them. */
class ProtocolBugsTest {
    private static final Set<String> A_BUG = Set.of("COMMIT_EARLY");

    private record Result(String type, List<Result> parts, Map<Integer, byte[]> contents, MemorySegment memory) {
    }

    /** Whoever changes protocol code is told at once which bugs are to be written anew. */
    @Test
    void everyBugFitsTheSourcesAndCanBeCompiled() {
        assertTrue(ProtocolBugs.names().size() >= 50, () -> ProtocolBugs.names().toString());
        for (String bug : ProtocolBugs.names()) {
            assertFalse(ProtocolBugs.compiled(Set.of(bug)).isEmpty(), bug);
        }
    }

    @Test
    void whatCannotBePutInIsNamed() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> ProtocolBugs.check(Set.of("NO_BUG"))).getMessage()
            .startsWith("bug=NO_BUG: must be one of ["));
        String both = assertThrows(MisuseException.class, () -> ProtocolBugs.check(Set.of("SC_IGNORED",
            "CONFLICT_IGNORED"))).getMessage();
        assertTrue(both.startsWith("bug=CONFLICT_IGNORED: what it changes is there 0 times in ftrma-rma/"), both);
    }

    @Test
    void aTaskRunsInOtherClassesAndItsResultIsOfThese() {
        int[] captured = {1, 2};
        Result result = BrokenProtocol.call(A_BUG, () -> {
            captured[0] = 7;
            String loader = ProtocolBugsTest.class.getClassLoader().getClass().getName();
            MemorySegment memory = MemorySegment.ofArray(new long[] {captured[0], captured[1]});
            return new Result(loader, List.of(new Result("part", List.of(), Map.of(), memory)),
                Map.of(3, new byte[] {4}), memory);
        });
        assertEquals(ProtocolLoader.class.getName(), result.type);
        assertNotEquals(ProtocolLoader.class.getName(), ProtocolBugsTest.class.getClassLoader().getClass().getName());
        assertArrayEquals(new long[] {7, 2}, result.memory.toArray(ValueLayout.JAVA_LONG));
        assertArrayEquals(new byte[] {4}, result.contents.get(3));
        assertEquals("part", result.parts.getFirst().type);
        assertEquals(1, captured[0], "a task has a copy of what it captures");
    }

    @Test
    void whatIsThrownThereCanBeCaughtHere() {
        assertEquals("so it is", assertThrows(MisuseException.class, () -> BrokenProtocol.call(A_BUG, () -> {
            throw new MisuseException("so it is");
        })).getMessage());
        assertThrows(AssertionError.class, () -> BrokenProtocol.call(A_BUG, () -> {
            throw new AssertionError("not so");
        }));
    }
}
