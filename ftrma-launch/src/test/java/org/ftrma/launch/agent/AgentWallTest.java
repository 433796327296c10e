package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ftrma.rank.control.RankCheck;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.Token;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The wall around what only a host can reach: the launcher's other packages ask an agent, and the agent's interface
 * says nothing that makes sense in one process or on one host only.
 */
@Tag("long")
class AgentWallTest {
    private static final Path SOURCES = Path.of("src/main/java/org/ftrma/launch").toAbsolutePath();
    private static final Pattern NO_CODE = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    /** This host's processes, kernel, memory and processors, and its agent. */
    private static final Pattern OF_THE_HOST = Pattern.compile("\\b(ProcessHandle|ProcessBuilder|Process|HostMemory"
        + "|SharedMemorySweep|PosixProcess|availableProcessors|LocalAgent|JobDirectory)\\b|\"(/proc|/dev/shm|/sys)\\b");
    /** By source file: what else may name them, and why it is no job's affair. */
    private static final Map<String, Set<String>> OTHERS = new TreeMap<>(Map.ofEntries(
        // chooses the agent where nobody gives another one
        Map.entry("job/JobHost.java", Set.of("LocalAgent")),
        // what starts agents on other hosts is a process here
        Map.entry("hosts/AgentStarter.java", Set.of("Process", "ProcessBuilder")),
        // looks at the launcher's own connections
        Map.entry("hosts/Links.java", Set.of("ProcessHandle", "/proc")),
        // where people on the launcher's machine find a job
        Map.entry("hosts/OperatorSocket.java", Set.of("JobDirectory", "ProcessHandle", "/proc")),
        // and look into one
        Map.entry("journal/Launcher.java", Set.of("JobDirectory", "ProcessHandle", "/proc")),
        // the page of a job is a process here
        Map.entry("PageProcess.java", Set.of("Process", "ProcessBuilder")),
        Map.entry("web/JobMetrics.java", Set.of("ProcessHandle")),
        // so are the commands that tell of an allocation
        Map.entry("hosts/SlurmClient.java", Set.of("Process", "ProcessBuilder")),
        // reads options from a file only of who starts it
        Map.entry("options/ConfigFile.java", Set.of("/proc")),
        // tells people what the machine has on which they are
        Map.entry("InfoCommand.java", Set.of("/dev/shm", "availableProcessors")),
        Map.entry("figures/FigureFiles.java", Set.of("/proc", "availableProcessors"))));

    @Test
    void onlyTheAgentReachesForThisHost() throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                String name = SOURCES.relativize(file).toString();
                Matcher named = OF_THE_HOST.matcher(NO_CODE.matcher(text(file)).replaceAll(""));
                while (!name.startsWith("agent/") && named.find()) {
                    found.computeIfAbsent(name, none -> new TreeSet<>())
                        .add(named.group(1) != null ? named.group(1) : named.group(2));
                }
            });
        }
        assertEquals(OTHERS, found);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** So that requests and answers can be frames. */
    @Test
    void whatTheAgentIsAskedAndTellsCanBeSentToAnotherHost() {
        Set<Type> plain = Set.of(void.class, boolean.class, int.class, long.class, char.class, byte[].class,
            String.class, Runnable.class, Token.class, RankOptions.class, RankCheck.class, IOException.class);
        Set<Type> seen = new HashSet<>();
        ArrayDeque<Type> open = new ArrayDeque<>(List.of(HostAgent.class));
        while (!open.isEmpty()) {
            Type type = open.poll();
            if (plain.contains(type) || !seen.add(type)) {
                continue;
            }
            if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
                open.addAll(List.of(list.getActualTypeArguments()));
            } else if (type instanceof Class<?> ours && ours.getPackage() == HostAgent.class.getPackage()
                && (ours.isInterface() || ours.isRecord() || ours.isEnum())) {
                open.addAll(typesOf(ours));
            } else {
                assertTrue(type == Integer.class, () -> "an agent's interface names " + type.getTypeName());
            }
        }
        assertTrue(seen.containsAll(List.of(HostAgent.Listener.class, HostAgent.Output.class, HostAgent.Death.class,
            HostAgent.Signal.class, HostJob.class, HostRoom.class, RankJvm.class, ProcessVitals.class)),
            seen::toString);
    }

    /** Those of an interface's methods, of a record's components; none of an enum. */
    private static Set<Type> typesOf(Class<?> ours) {
        Set<Type> types = new HashSet<>();
        if (ours.isInterface()) {
            for (Method method : ours.getDeclaredMethods()) {
                types.add(method.getGenericReturnType());
                types.addAll(List.of(method.getGenericParameterTypes()));
                types.addAll(List.of(method.getGenericExceptionTypes()));
            }
        } else if (ours.isRecord()) {
            for (RecordComponent component : ours.getRecordComponents()) {
                types.add(component.getGenericType());
            }
        }
        return types;
    }
}
