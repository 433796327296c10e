package org.ftrma.ucp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Reads the imports of a library that is surely there: the JVM itself. */
class ElfImportsTest {
    private static final Path LIBJVM = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");

    @Test
    void anImportedFunctionHasAnEntryAndAnotherHasNone() throws Exception {
        assertTrue(ElfImports.offsetOf("malloc", LIBJVM) > 0);
        assertEquals(-1, ElfImports.offsetOf("mallo", LIBJVM));
        assertEquals(-1, ElfImports.offsetOf("ftrma_is_not_in_libjvm", LIBJVM));
    }

    @Test
    void theGuardFindsItsEntryInTheInstalledLibrary() {
        UcpLibrary.require();
        assertTrue(FatalErrorGuard.install());
        assertTrue(FatalErrorGuard.install(), "again");
    }
}
