package org.ftrma.ucp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class CFunctionTest {
    @Test
    void wordsGoToParametersOfAnyTypeAndNumber() {
        assertEquals(ProcessHandle.current().pid(), (int) CFunction.ofLibc("getpid").call());
        assertEquals(7, (int) CFunction.ofLibc("abs").call(7));
        assertEquals(7, (int) CFunction.ofLibc("abs").call(-7));
        assertEquals(1L << 40, CFunction.ofLibc("llabs").call(-(1L << 40)));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(32);
            MemorySegment format = arena.allocateFrom("%d %ld %d");
            int written = (int) CFunction.ofLibc("snprintf")
                .call(text.address(), text.byteSize(), format.address(), -1, 1L << 40, 3);
            assertEquals("-1 1099511627776 3", text.getString(0));
            assertEquals(text.getString(0).length(), written);
        }
    }

    @Test
    void errorsAreThoseOfTheCall() {
        CFunction close = CFunction.ofLibc("close");
        assertEquals(9, close.errorOf(-1)); // EBADF
        assertEquals(0, CFunction.ofLibc("sched_yield").errorOf());
    }

    @Test
    void whatCannotBeCalledIsRefused() {
        CFunction any = CFunction.ofLibc("getpid");
        assertThrows(IllegalArgumentException.class, () -> any.call(1, 2, 3, 4, 5, 6, 7));
        assertThrows(NoSuchElementException.class, () -> CFunction.ofLibc("no_such_function_anywhere"));
    }

    @Test
    void privatePagesAreThereOnceTheyWereTouched() {
        MemorySegment pages = Libc.pages(4 * Libc.PAGE_BYTES);
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(0, Libc.madvise(pages.address(), pages.byteSize(), Libc.MADV_NOHUGEPAGE));
            pages.set(ValueLayout.JAVA_BYTE, 2 * Libc.PAGE_BYTES + 5, (byte) 1);
            MemorySegment answers = arena.allocate(4);
            Libc.mincore(pages.address(), pages.byteSize(), answers);
            assertArrayEquals(new byte[] {0, 0, 1, 0}, answers.toArray(ValueLayout.JAVA_BYTE));
            assertEquals(0, Libc.madvise(pages.address(), pages.byteSize(), Libc.MADV_DONTNEED));
            assertEquals(0, pages.get(ValueLayout.JAVA_BYTE, 2 * Libc.PAGE_BYTES + 5));
            assertThrows(IllegalArgumentException.class,
                () -> Libc.mincore(pages.address() + 1, Libc.PAGE_BYTES, answers));
        } finally {
            Libc.unmap(pages.address(), pages.byteSize());
        }
    }
}
