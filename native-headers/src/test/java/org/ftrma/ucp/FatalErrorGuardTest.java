package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls what libucp would call. */
@Timeout(60)
@SuppressWarnings("restricted")
class FatalErrorGuardTest {
    private static final int ABORTED = 128 + 6;

    /** Does what libucp does when it meets a fatal error. */
    private static void failFatally() {
        UcpLibrary.require();
        assertTrue(FatalErrorGuard.install(EnumSet.allOf(Repair.class)), "whatever the release");
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle fatal = Linker.nativeLinker().downcallHandle(FatalErrorGuard.replacement(),
                FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
            fatal.invokeExact(arena.allocateFrom("some_file.c"), 346, arena.allocateFrom("some_function"),
                arena.allocateFrom("it broke: %s"));
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    @Test
    void aThreadThatSaysSoIsLostAndNothingElse() throws Exception {
        CompletableFuture<String> report = new CompletableFuture<>();
        AtomicBoolean returned = new AtomicBoolean();
        Thread thread = Thread.ofPlatform().daemon(true).start(() -> {
            FatalErrorGuard.survive(report::complete);
            failFatally();
            returned.set(true);
        });
        assertEquals("UCX fatal error at some_file.c:346 in some_function: it broke: %s",
            report.get(30, TimeUnit.SECONDS));
        thread.join(100);
        assertTrue(thread.isAlive(), "the call must not return");
        assertFalse(returned.get());
    }

    @Test
    void onAnyOtherThreadTheProcessAbortsAndSaysWhere() throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData", "-XX:-CreateCoredumpOnCrash",
            "-XX:+ErrorFileToStderr",
            "-cp", System.getProperty("java.class.path"), Abort.class.getName()).redirectErrorStream(true).start();
        String output = read(process);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(ABORTED, process.exitValue(), output);
        assertTrue(output.contains("UCX fatal error at some_file.c:346 in some_function"), output);
    }

    private static String read(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The program of the process that aborts. */
    static final class Abort {
        private Abort() {
        }

        public static void main(String[] args) {
            failFatally();
        }
    }
}
