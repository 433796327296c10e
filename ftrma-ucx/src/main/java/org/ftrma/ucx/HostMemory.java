package org.ftrma.ucx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ftrma.options.Units;
import org.ftrma.spi.MemoryLimits;

/**
 * Memory that this host has left for this process and others of its job, and the limits that apply: free memory, limits
 * of control groups (versions 1 and 2, with those above), and those of shared memory. Set-up only; any thread.
 */
public final class HostMemory {
    /** The property with a smaller limit than this host's own, in bytes: to try what happens where memory is short. */
    static final String LIMIT = "ftrma.memory.limit";

    private static final Pattern MEMORY_AVAILABLE = Pattern.compile("MemAvailable: +(\\d+) kB");
    private static final Pattern GROUP_2 = Pattern.compile("(?m)^0::(.*)$");
    private static final Pattern GROUP_1 = Pattern.compile("(?m)^\\d+:(?:[^:\\n]*,)?memory(?:,[^:\\n]*)?:(.*)$");
    private static final Pattern DROPPABLE_2 = Pattern.compile("(?m)^inactive_file (\\d+)");
    private static final Pattern DROPPABLE_1 = Pattern.compile("(?m)^total_inactive_file (\\d+)");
    /** key, shmid, perms, size. */
    private static final Pattern SEGMENT = Pattern.compile("(?m)^ *-?\\d+ +-?\\d+ +\\d+ +(\\d+) ");
    private static final Pattern KILLS = Pattern.compile("(?m)^oom_kill (\\d+)");
    /** Nobody means such a limit: it is how the kernel writes none. */
    private static final long NO_LIMIT = 1L << 60;

    private final Path root;

    /** The memory of the host whose /proc and /sys are below this folder. */
    HostMemory(Path root) {
        this.root = root;
    }

    /** This host's. */
    public static HostMemory here() {
        return new HostMemory(Path.of("/"));
    }

    /** Bytes that can be used without the kernel killing a process of this machine for want of memory. */
    public long availableBytes() {
        return physical().bytes();
    }

    /**
     * What regions may take.
     *
     * @param systemV whether they are System V shared memory
     * @param files whether they may be files in /dev/shm
     */
    MemoryLimits room(boolean systemV, boolean files) {
        MemoryLimits room = physical();
        if (systemV) {
            long all = pages("shmall");
            long free = all >= NO_LIMIT ? Long.MAX_VALUE : Math.max(0, all - segmentBytes());
            room = smaller(room, free,
                "kernel.shmall limits System V shared memory; raise it: sysctl -w kernel.shmall=PAGES");
            long largest = number(read("proc/sys/kernel/shmmax"));
            room = largest >= NO_LIMIT ? room
                : new MemoryLimits(room.bytes(), room.limit(), largest,
                "kernel.shmmax; raise it: sysctl -w kernel.shmmax=BYTES");
        }
        if (files) {
            room = smaller(room, freeForFiles(),
                "free in /dev/shm; enlarge it: mount -o remount,size=SIZE /dev/shm; containers: --shm-size=SIZE");
        }
        return room;
    }

    /**
     * How many processes the kernel has killed so far for want of memory: of the control group of this one, and on the
     * whole machine; and the smallest limit of the group and those above it.
     */
    public Kills kills() {
        String groups = read("proc/self/cgroup");
        List<Path> groups2 = folders(GROUP_2.matcher(groups), "sys/fs/cgroup");
        List<Path> groups1 = folders(GROUP_1.matcher(groups), "sys/fs/cgroup/memory");
        long limit = Math.min(least(groups2, "memory.max"), least(groups1, "memory.limit_in_bytes"));
        return new Kills(killsOf(groups2.getFirst(), "memory.events")
            + killsOf(groups1.getFirst(), "memory.oom_control"), killsOf(root.resolve("proc"), "vmstat"),
            limit < NO_LIMIT ? limit : 0);
    }

    private static long killsOf(Path folder, String file) {
        Matcher kills = KILLS.matcher(KernelFiles.read(folder.resolve(file)));
        return kills.find() ? Long.parseLong(kills.group(1)) : 0;
    }

    private static long least(List<Path> folders, String file) {
        return folders.stream().mapToLong(folder -> number(KernelFiles.read(folder.resolve(file)))).min().orElseThrow();
    }

    /**
     * Processes that were killed for want of memory. Immutable; any thread.
     *
     * @param inGroup those of a control group
     * @param onMachine those of the machine
     * @param limitBytes the group's limit; 0: it has none
     */
    public record Kills(long inGroup, long onMachine, long limitBytes) {
        /** For people, what was too small for one more process that was killed since; null: none was. */
        public String since(Kills before) {
            return inGroup > before.inGroup ? "the control group or container"
                + (limitBytes == 0 ? "" : " with its limit of " + Units.bytes(limitBytes))
                : onMachine > before.onMachine ? "this machine" : null;
        }

        /** The same with one more that is told of: the machine counts those of groups, too. */
        public Kills next(Kills now) {
            return new Kills(Math.min(inGroup + 1, now.inGroup), Math.min(onMachine + 1, now.onMachine),
                now.limitBytes);
        }
    }

    private static MemoryLimits smaller(MemoryLimits room, long bytes, String limit) {
        return bytes < room.bytes() ? new MemoryLimits(bytes, limit, room.regionBytes(), room.regionLimit()) : room;
    }

    private MemoryLimits physical() {
        MemoryLimits room = MemoryLimits.UNKNOWN;
        Matcher available = MEMORY_AVAILABLE.matcher(read("proc/meminfo"));
        if (available.find()) {
            room = smaller(room, Long.parseLong(available.group(1)) * 1024, "MemAvailable in /proc/meminfo");
        }
        String groups = read("proc/self/cgroup");
        room = smaller(room, leftInGroups(GROUP_2.matcher(groups), "sys/fs/cgroup", "memory.max", "memory.current",
            DROPPABLE_2),
            "memory.max of the control group or container");
        room = smaller(room, leftInGroups(GROUP_1.matcher(groups), "sys/fs/cgroup/memory", "memory.limit_in_bytes",
            "memory.usage_in_bytes",
            DROPPABLE_1), "memory.limit_in_bytes of the control group or container");
        return smaller(room, Long.getLong(LIMIT, Long.MAX_VALUE), "-D" + LIMIT);
    }

    /**
     * What the limits of a group and of all above it leave; pages of files that can be dropped do not count as used. In
     * a container the group's path may be the host's, and only the topmost folder is there.
     */
    private long leftInGroups(Matcher group, String mount, String limit, String used, Pattern droppable) {
        long left = Long.MAX_VALUE;
        for (Path folder : folders(group, mount)) {
            long most = number(KernelFiles.read(folder.resolve(limit)));
            long usage = number(KernelFiles.read(folder.resolve(used)));
            if (most < NO_LIMIT && usage < NO_LIMIT) {
                Matcher dropped = droppable.matcher(KernelFiles.read(folder.resolve("memory.stat")));
                long kept = usage - (dropped.find() ? Long.parseLong(dropped.group(1)) : 0);
                left = Math.min(left, Math.max(0, most - Math.max(0, kept)));
            }
        }
        return left;
    }

    /** The group's folder and those of all above it. */
    private List<Path> folders(Matcher group, String mount) {
        Path top = root.resolve(mount);
        Path folder = group.find() ? top.resolve(group.group(1).substring(1)).normalize() : top;
        return Stream.iterate(folder.startsWith(top) && Files.exists(folder) ? folder : top,
            each -> each.startsWith(top), Path::getParent).toList();
    }

    private long pages(String name) {
        long pages = number(read("proc/sys/kernel/" + name));
        return pages >= NO_LIMIT / Pages.PAGE_BYTES ? Long.MAX_VALUE : pages * Pages.PAGE_BYTES;
    }

    private long segmentBytes() {
        long bytes = 0;
        Matcher segment = SEGMENT.matcher(read("proc/sysvipc/shm"));
        while (segment.find()) {
            bytes += Pages.roundUp(Long.parseLong(segment.group(1)));
        }
        return bytes;
    }

    private long freeForFiles() {
        try {
            return Files.getFileStore(root.resolve("dev/shm")).getUsableSpace();
        } catch (IOException e) {
            return 0;
        }
    }

    private String read(String file) {
        return KernelFiles.read(root.resolve(file));
    }

    /** A number, which may be larger than a long; what is none (the file is not there, or says "max") is no limit. */
    private static long number(String text) {
        if (text.isEmpty() || text.length() > 18 && text.chars().allMatch(Character::isDigit)
            || !text.chars().allMatch(Character::isDigit)) {
            return Long.MAX_VALUE;
        }
        return Long.parseLong(text);
    }
}
