package org.ftrma.launch.journal;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.ftrma.options.ShellLine;

/**
 * The request for a job, and its launcher. Immutable; any thread.
 *
 * @param app as it is typed and shown
 * @param command the command line, without the name of the command itself
 * @param ranks computing ranks
 * @param checksums checksum ranks
 * @param spares processes started ahead
 * @param groups the group of each member; empty where nothing is protected
 * @param options all of them, by name, as texts
 * @param launcher who runs it
 * @param startedMicros when it began, in microseconds since 1970
 */
public record JobFacts(String app, List<String> command, int ranks, int checksums, int spares, List<Integer> groups,
    Map<String, String> options, Launcher launcher, long startedMicros) {
    /** Of the file, with all that is in it. */
    static final int VERSION = 1;
    static final String FILE = "job.json";

    /** {@link #command} as it is pasted into a shell. */
    public String commandLine() {
        return ShellLine.of(command);
    }

    /** Computing and checksum ranks. */
    public int members() {
        return ranks + checksums;
    }

    /** How many ranks it has, for people. */
    public String size() {
        return ranks + (ranks == 1 ? " rank" : " ranks") + (checksums == 0 ? "" : " and " + checksums
            + (checksums == 1 ? " checksum rank" : " checksum ranks"));
    }

    /** A member's name, for people. */
    public String name(int member) {
        return member < ranks ? "rank " + member : "checksum rank " + (member - ranks);
    }

    Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("version", VERSION);
        map.put("app", app);
        map.put("command", command);
        map.put("ranks", ranks);
        map.put("checksums", checksums);
        map.put("spares", spares);
        map.put("groups", groups);
        map.put("options", options);
        map.put("host", launcher.host());
        map.put("pid", launcher.pid());
        map.put("launcherStartedMillis", launcher.startedMillis());
        map.put("startedMicros", startedMicros);
        return map;
    }

    void write(JobFolder folder) throws IOException {
        JsonFile.write(folder.file(FILE), map());
    }

    /**
     * Those of a kept job.
     *
     * @throws IOException they cannot be read, or are of another version
     */
    static JobFacts read(JobFolder folder) throws IOException {
        Map<String, Object> map = JsonFile.read(folder.file(FILE));
        int version = Math.toIntExact(number(map, "version"));
        if (version != VERSION) {
            throw new IOException(folder.file(FILE) + " has version " + version + ", this ftrma reads version "
                + VERSION + ": read it with the ftrma that the job ran with");
        }
        Map<String, String> options = new TreeMap<>();
        ((Map<?, ?>) map.getOrDefault("options", Map.of())).forEach((key, value) -> options.put(key.toString(),
            String.valueOf(value)));
        return new JobFacts(String.valueOf(map.get("app")), list(map, "command").stream().map(String::valueOf).toList(),
            Math.toIntExact(number(map, "ranks")), Math.toIntExact(number(map, "checksums")),
            Math.toIntExact(number(map, "spares")),
            list(map, "groups").stream().map(group -> ((Number) group).intValue()).collect(Collectors.toList()),
            options, new Launcher(String.valueOf(map.get("host")), number(map, "pid"),
                number(map, "launcherStartedMillis")), number(map, "startedMicros"));
    }

    private static long number(Map<String, Object> map, String key) throws IOException {
        if (map.get(key) instanceof Number number) {
            return number.longValue();
        }
        throw new IOException("job.json: " + key + "=" + map.get(key) + " is no number");
    }

    private static List<?> list(Map<String, Object> map, String key) {
        return map.get(key) instanceof List<?> list ? list : List.of();
    }
}
