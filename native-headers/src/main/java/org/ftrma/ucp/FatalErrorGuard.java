package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Keeps fatal errors of libucp and libuct from ending the process.
 *
 * <p>Where a transport has no remote memory access of its own (tcp), UCX carries it out at the target and answers. An
 * answer to an endpoint that has just failed, because its peer was killed with several accesses under way, is a call of
 * {@code ucs_fatal_error_format}, which aborts: the death of one process takes others with it. No setting changes that
 * ({@code UCX_HANDLE_ERRORS=freeze} stops all threads of the process). {@link BrokenConnections} and
 * {@link ZeroedRequests} keep UCX from getting there or from crashing in the first place.
 *
 * <p>Up to UCX 1.13 so is a worker that ends while its answer to a peer that connects is on its way: for that this is
 * needed, and installed. Seen with 1.13.1; 1.18.1 ended such workers without it, and 1.14 is the first release whose
 * sources do not have that assertion. {@link Repair} has the releases of all three, which are installed together.
 *
 * <p>So the entry of that function in the libraries' tables of imported functions is replaced by one of ours. On a
 * thread that has said so, by {@link #survive}, a fatal error is reported and the thread then rests for ever inside the
 * call, which must not return; its worker is lost, and nothing else. On all other threads the process aborts, as
 * before.
 */
@SuppressWarnings("restricted")
public final class FatalErrorGuard {
    private static final String FUNCTION = "ucs_fatal_error_format";
    private static final List<String> LIBRARIES = List.of("/libucp.so.0", "/libuct.so.0");
    private static final FunctionDescriptor DESCRIPTOR =
        FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final ThreadLocal<Consumer<String>> SURVIVORS = new ThreadLocal<>();

    private static boolean installed;
    private static MemorySegment replacement;

    private FatalErrorGuard() {
    }

    /**
     * Installs what the release of UCX needs, once; whether it is there. It is not where a library does not import a
     * function or cannot be found.
     */
    public static boolean install() {
        return install(Repair.neededBy(Ucp.version()));
    }

    /** The same for given ones, for tests: nothing more is installed later. */
    public static synchronized boolean install(Set<Repair> repairs) {
        if (!installed) {
            try {
                installed = replaceImports(repairs);
            } catch (IOException | ReflectiveOperationException e) {
                throw new UcpUnavailableException("the fatal error handler of UCX cannot be replaced", e);
            }
        }
        return installed;
    }

    /** What libucp calls now, for tests. */
    static synchronized MemorySegment replacement() {
        return replacement;
    }

    /**
     * From now on a fatal error on the calling thread calls {@code report} with its place, and stops the thread for
     * ever; and UCX does not hear there that a connection is broken which it sends to: see {@link BrokenConnections}.
     */
    public static void survive(Consumer<String> report) {
        SURVIVORS.set(report);
        BrokenConnections.hide();
    }

    /** Whether all that is to be replaced was found. */
    private static boolean replaceImports(Set<Repair> repairs) throws IOException, ReflectiveOperationException {
        // In the global arena, like the libraries themselves: called until the process ends.
        replacement = Linker.nativeLinker().upcallStub(MethodHandles.lookup().findStatic(FatalErrorGuard.class,
            "fatal", MethodType.methodType(void.class, long.class, int.class, long.class, long.class)), DESCRIPTOR,
            Arena.global());
        List<String> mappings = ElfImports.mappings();
        boolean all = !repairs.contains(Repair.BROKEN_CONNECTIONS) || BrokenConnections.install(mappings);
        all &= !repairs.contains(Repair.ZEROED_REQUESTS) || ZeroedRequests.install();
        if (repairs.contains(Repair.FATAL_ERRORS)) {
            for (String library : LIBRARIES) {
                all &= ElfImports.replace(mappings, library, FUNCTION, replacement.address());
            }
        }
        return all;
    }

    /** Called instead of {@code ucs_fatal_error_format(file, line, function, format, …)}. Never returns. */
    @SuppressWarnings("unused") // by name, above
    private static void fatal(long file, int line, long function, long format) {
        String place = "UCX fatal error at " + text(file) + ":" + line + " in " + text(function) + ": " + text(format);
        Consumer<String> report = SURVIVORS.get();
        if (report == null) {
            System.err.println(place);
            Libc.abort();
        }
        try {
            report.accept(place);
        } catch (RuntimeException | Error e) {
            System.err.println(place + ": " + e);
        }
        while (true) {
            LockSupport.park();
        }
    }

    private static String text(long address) {
        return address == 0 ? "?" : MemorySegment.ofAddress(address).reinterpret(1024).getString(0);
    }
}
