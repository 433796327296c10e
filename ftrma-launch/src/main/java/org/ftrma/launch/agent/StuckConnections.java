package org.ftrma.launch.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The connections of a job's processes to other hosts on which nothing gets through: the kernel sends the same bytes
 * again and again, and hears nothing of them. A slow link is another thing: each answer that comes begins anew. So is a
 * process at the other end that does nothing: its kernel answers for it. One thread.
 */
public final class StuckConnections {
    private static final String OPEN = "01";
    private static final String BEGUN = "02";
    private static final int FIELDS = 10;

    private final Path proc;
    private Map<String, Mark> marks = Map.of();
    private long lookedNanos;

    /** What was seen of a connection when it was found stuck first. */
    private record Mark(long sinceNanos, long again) {
    }

    /** One line of the kernel's table: who it is to, how often the kernel has sent the same bytes again, its socket. */
    private record Line(String ends, String address, long again, String socket) {
    }

    /** @param proc where the kernel tells of connections and processes */
    public StuckConnections(Path proc) {
        this.proc = proc;
    }

    /**
     * For how long nothing has got through to an address, in ns, as far as was seen: to be called often.
     *
     * @param pids the job's processes
     * @param patienceNanos where it was not called for so long, nothing is known of before
     */
    public Map<String, Long> look(Collection<Long> pids, long patienceNanos, long nowNanos) {
        Map<String, Mark> before = nowNanos - lookedNanos > patienceNanos ? Map.of() : marks;
        lookedNanos = nowNanos;
        List<Line> lines = new ArrayList<>(lines("net/tcp"));
        lines.addAll(lines("net/tcp6"));
        Set<String> sockets = lines.isEmpty() ? Set.of() : sockets(pids);
        Map<String, Mark> found = new HashMap<>();
        Map<String, Long> stuck = new TreeMap<>();
        for (Line line : lines) {
            if (sockets.contains(line.socket)) {
                Mark mark = before.get(line.ends);
                // Each answer begins the count anew: one that is smaller has heard something.
                long since = mark == null || line.again < mark.again ? nowNanos : mark.sinceNanos;
                found.put(line.ends, new Mark(since, line.again));
                stuck.merge(line.address, nowNanos - since, Math::max);
            }
        }
        marks = found;
        return stuck;
    }

    /** Connections whose bytes were sent again since something was heard last. */
    private List<Line> lines(String table) {
        List<Line> lines = new ArrayList<>();
        try {
            for (String text : Files.readAllLines(proc.resolve(table), StandardCharsets.US_ASCII)) {
                String[] fields = text.strip().split("\\s+");
                if (fields.length >= FIELDS && (fields[3].equals(OPEN) || fields[3].equals(BEGUN))
                    && !fields[6].equals("00000000")) {
                    lines.add(new Line(fields[1] + " " + fields[2], address(fields[2]), Long.parseLong(fields[6], 16),
                        "socket:[" + fields[9] + "]"));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return List.of(); // a kernel without such a table, or with another one, tells nothing
        }
        return lines;
    }

    /** Words of four bytes in the order of this machine, which is the little one. */
    private static String address(String field) throws UnknownHostException {
        byte[] bytes = HexFormat.of().parseHex(field.substring(0, field.indexOf(':')));
        byte[] inOrder = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            inOrder[i] = bytes[i / 4 * 4 + 3 - i % 4];
        }
        return InetAddress.getByAddress(inOrder).getHostAddress();
    }

    private Set<String> sockets(Collection<Long> pids) {
        Set<String> sockets = new HashSet<>();
        for (long pid : pids) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(proc.resolve(pid + "/fd"))) {
                for (Path file : files) {
                    sockets.add(linkOf(file));
                }
            } catch (IOException e) {
                continue; // it is gone
            }
        }
        return sockets;
    }

    private static String linkOf(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }
}
