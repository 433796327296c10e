package org.ftrma.ucp;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Finds and loads {@code libucp.so.0} and {@code libucs.so.0}. Call {@link #require} before the first use of
 * {@link Ucp}: it reports what is wrong with the installation as one exception, where a failed class initialization
 * would report it once and then hide it. Any thread.
 */
@SuppressWarnings("restricted")
public final class UcpLibrary {
    /** Oldest release that has every function and field bound here. */
    public static final int OLDEST_MINOR = 12;

    private static final String UCP = "libucp.so.0";
    private static final String UCS = "libucs.so.0";
    private static final String FIX = "install UCX 1." + OLDEST_MINOR
        + " or later (Debian, Ubuntu: apt-get install libucx0)";

    private static final Linker LINKER = Linker.nativeLinker();
    private static SymbolLookup symbols;

    private UcpLibrary() {
    }

    /**
     * Loads the libraries and checks their version; cheap when called again.
     *
     * <p>UCX reads its global settings when it is loaded. Two of them have to differ from their defaults inside a JVM,
     * and are set in the environment of this process unless the user has set them: no signal handlers (the JVM owns
     * SIGSEGV), and only fatal messages, because UCX logs to standard output and every failure comes back as a status
     * that we report ourselves.
     *
     * @return the version, such as "1.13.1"
     * @throws UcpUnavailableException if UCX cannot be used, with the fix
     */
    public static String require() {
        symbols();
        return checkVersion(Ucp.version());
    }

    private static synchronized SymbolLookup symbols() {
        if (symbols == null) {
            Libc.setenvIfAbsent("UCX_ERROR_SIGNALS", "");
            Libc.setenvIfAbsent("UCX_LOG_LEVEL", "fatal");
            symbols = load(UCP, UCS);
        }
        return symbols;
    }

    static SymbolLookup load(String ucp, String ucs) {
        try {
            SymbolLookup first = SymbolLookup.libraryLookup(ucp, Arena.global());
            return first.or(SymbolLookup.libraryLookup(ucs, Arena.global()));
        } catch (IllegalArgumentException e) {
            throw new UcpUnavailableException(ucp + " cannot be loaded: " + FIX, e);
        }
    }

    static String checkVersion(int[] version) {
        String text = version[0] + "." + version[1] + "." + version[2];
        if (version[0] != 1 || version[1] < OLDEST_MINOR) {
            throw new UcpUnavailableException("UCX " + text + " is not supported: " + FIX, null);
        }
        return text;
    }

    static MethodHandle bind(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(find(name), descriptor, options);
    }

    /** A function that is called when a process starts, or something goes wrong. */
    static CFunction function(String name) {
        return new CFunction(find(name));
    }

    /** A variable of the libraries, as a segment without a size. */
    static Optional<MemorySegment> findData(String name) {
        return symbols().find(name);
    }

    private static MemorySegment find(String name) {
        return symbols().find(name).orElseThrow(
            () -> new UcpUnavailableException("the installed UCX has no function " + name + ": " + FIX, null));
    }
}
