package org.ftrma.ucp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compares the bindings with the C headers of this machine: the C compiler is the judge. */
@Timeout(60)
class LayoutProbeTest {
    private static final Path SOURCES = Path.of(System.getProperty("basedir", "."), "src", "main");

    @TempDir
    private Path directory;

    @Test
    void bindingsHaveTheSizesOffsetsAndConstantsOfTheInstalledHeaders() throws Exception {
        Assumptions.assumeTrue(run("cc", "--version").exit() == 0, "skipped: no C compiler (cc) on this machine");
        String includes = run("cc", "-E", "-include", "ucp/api/ucp.h", "-x", "c", "/dev/null").output();
        Assumptions.assumeTrue(includes.contains("ucp_put_nbx"),
            "skipped: no UCX headers (Debian: apt-get install libucx-dev)");

        Path probe = directory.resolve("probe");
        Result compiled = run("cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o", probe.toString(),
            SOURCES.resolve("c/layout_probe.c").toString(), "-lucp", "-lucs");
        assertEquals(0, compiled.exit(), compiled.output());
        Result printed = run(probe.toString());
        assertEquals(0, printed.exit(), printed.output());

        assertEquals(String.join("\n", expected()), String.join("\n", sorted(printed.output().lines().toList())));
    }

    @Test
    void theFilterOfJextractNamesWhatTheHeaderNames() throws IOException {
        String header = Files.readString(SOURCES.resolve("c/ftrma_ucx.h"));
        String filter = Files.readString(SOURCES.resolve("jextract/ucp.args"));
        for (Map.Entry<String, Long> constant : constants().entrySet()) {
            assertTrue(header.contains("X(" + constant.getKey() + ")"),
                constant.getKey() + " is missing in ftrma_ucx.h");
            assertTrue(filter.contains("--include-constant " + constant.getKey() + "\n"),
                constant.getKey() + " is missing in ucp.args");
        }
        for (String function : functions()) {
            assertTrue(header.contains(" " + function + ","), function + " is missing in ftrma_ucx.h");
            assertTrue(filter.contains("--include-function " + function + "\n"), function + " is missing in ucp.args");
        }
    }

    /** What the probe must print if Java's view of C is right. */
    private static List<String> expected() {
        List<String> lines = new ArrayList<>();
        for (StructLayout struct : List.of(UcpRequestParam.LAYOUT, UcpEpParams.LAYOUT, UcpMemMapParams.LAYOUT)) {
            String type = struct.name().orElseThrow();
            lines.add("sizeof " + type + " " + struct.byteSize());
            for (MemoryLayout member : struct.memberLayouts()) {
                member.name().ifPresent(name -> {
                    lines.add("offsetof " + type + "." + name + " "
                        + struct.byteOffset(PathElement.groupElement(name)));
                    lines.add("sizeof " + type + "." + name + " " + member.byteSize());
                });
            }
        }
        assertEquals("(j8j8b1)v", UcpEpParams.ERROR_HANDLER.toString(),
            "ucp_err_handler_cb_t (void *, ucp_ep_h, ucs_status_t)");
        lines.add("callback ucp_err_handler_cb_t 1");
        lines.add("sizeof ucs_status_t " + ValueLayout.JAVA_BYTE.byteSize());
        lines.add("sizeof ucs_status_ptr_t " + ValueLayout.JAVA_LONG.byteSize());
        lines.add("sizeof ucp_atomic_op_t " + ValueLayout.JAVA_INT.byteSize());
        lines.add("sizeof ucp_datatype_t " + ValueLayout.JAVA_LONG.byteSize());
        lines.add("sizeof size_t " + ValueLayout.JAVA_LONG.byteSize());
        constants().forEach((name, value) -> lines.add("constant " + name + " " + value));
        functions().forEach(name -> lines.add("function " + name + " 1"));
        lines.add("datatype contig4 " + UcpConstants.contiguous(4));
        lines.add("datatype contig8 " + UcpConstants.contiguous(8));
        return sorted(lines);
    }

    private static Map<String, Long> constants() {
        Map<String, Long> constants = new TreeMap<>();
        for (Class<?> holder : List.of(UcpConstants.class, UcsStatus.class)) {
            for (Field field : holder.getFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getName().startsWith("UC")) {
                    try {
                        constants.put(field.getName(), ((Number) field.get(null)).longValue());
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
        return constants;
    }

    /** The C functions behind the constants of {@link Ucp}, whose names follow from theirs. */
    private static List<String> functions() {
        return Stream.concat(Stream.of(Ucp.class), Arrays.stream(Ucp.class.getDeclaredClasses()))
            .flatMap(holder -> Arrays.stream(holder.getDeclaredFields()))
            .filter(field -> field.getType() == java.lang.invoke.MethodHandle.class
            || field.getType() == CFunction.class)
            .map(field -> field.getName().equals("STATUS_STRING") ? "ucs_status_string"
            : "ucp_" + field.getName().toLowerCase())
            .toList();
    }

    private static List<String> sorted(List<String> lines) {
        return lines.stream().sorted().toList();
    }

    private record Result(int exit, String output) {
    }

    private Result run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        } catch (IOException e) {
            return new Result(127, e.getMessage());
        }
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("no end within 30 s: " + String.join(" ", command));
        }
        return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
