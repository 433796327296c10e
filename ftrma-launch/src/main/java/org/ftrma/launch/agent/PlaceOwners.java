package org.ftrma.launch.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The owners of a place of a job: a file in it that names the processes that use it. Who finds the place later sees
 * whether any of them runs. Lines are added, each by one write, and none is changed. The job's thread writes; any
 * thread of any process of the user reads.
 *
 * <pre>
 *   owners:   host NAME
 *             boot 3f1c9a52-...            of the kernel that runs them
 *             namespace pid:[4026531836]   in which they have these numbers
 *             kept /home/.../20260314-...  where counters belong before the place goes; not always
 *             process 5358 1234567         its number, and when it began, in ticks since that boot
 *             process 5360 1234571
 * </pre>
 *
 * @param host where the processes run
 * @param boot of its kernel
 * @param namespace of their numbers
 * @param kept the folder to which counters belong; null: none
 * @param processes with their beginnings
 */
record PlaceOwners(String host, String boot, String namespace, Path kept, List<Owner> processes) {
    /** The name of the file. */
    static final String FILE = "owners";
    /** More than a job of many losses writes; a longer file is not believed. */
    private static final int MOST_BYTES = 1 << 20;
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final String INIT = "1";
    /** That of the kernel's own first process (PROC_PID_INIT_INO). */
    static final String FIRST_NAMESPACE = "pid:[4026531836]";
    /** The field of /proc/PID/stat behind the name, counted from 0 (state). */
    private static final int BEGUN = 19;
    private static final String PROCESS = "process";

    /**
     * A process.
     *
     * @param begunTicks when: another one of that number began at another time
     */
    record Owner(long pid, long begunTicks) {
        /** Whether it will never do anything again. */
        boolean isGone() {
            return beginning(pid) != begunTicks || DyingProcess.isPastItsLastInstruction(pid);
        }
    }

    /** Makes the file of a place, for this process. */
    static void begin(Path place, Path kept) throws IOException {
        long own = ProcessHandle.current().pid();
        String text = "host " + Surroundings.hostName() + "\nboot " + bootHere() + "\nnamespace " + namespaceHere()
            + "\n" + (kept == null ? "" : "kept " + kept + "\n") + line(own);
        Files.writeString(place.resolve(FILE), text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** A further process uses the place. Where that cannot be noted the others still count. */
    static void add(Path place, long pid) {
        try {
            Files.writeString(place.resolve(FILE), line(pid), StandardOpenOption.APPEND);
        } catch (IOException e) {
            Thread.onSpinWait(); // it ends with the process that began the file
        }
    }

    private static String line(long pid) {
        return PROCESS + " " + pid + " " + beginning(pid) + "\n";
    }

    private static String bootHere() throws IOException {
        return Files.readString(BOOT).strip();
    }

    static String namespaceHere() throws IOException {
        return Files.readSymbolicLink(NAMESPACE).toString();
    }

    /** 0: there is no such process. */
    private static long beginning(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            return fields.length > BEGUN ? Long.parseLong(fields[BEGUN]) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * What a place's file says.
     *
     * @return null: there is none, it is not whole yet, or is none of these
     */
    static PlaceOwners read(Path place) throws IOException {
        Path file = place.resolve(FILE);
        byte[] bytes;
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        } catch (NoSuchFileException e) {
            return null;
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (bytes.length > MOST_BYTES || !text.endsWith("\n")) {
            return null;
        }
        String[] facts = new String[4];
        List<Owner> owners = new ArrayList<>();
        for (String line : text.split("\n")) {
            String[] words = line.split(" ", 2);
            String rest = words.length > 1 ? words[1] : "";
            switch (words[0]) {
                case "host" -> facts[0] = rest;
                case "boot" -> facts[1] = rest;
                case "namespace" -> facts[2] = rest;
                case "kept" -> facts[3] = rest;
                case PROCESS -> {
                    if (!rest.matches("[0-9]{1,10} [0-9]{1,18}")) {
                        return null;
                    }
                    owners.add(new Owner(Long.parseLong(rest.split(" ")[0]), Long.parseLong(rest.split(" ")[1])));
                }
                default -> {
                    return null; // of a later version
                }
            }
        }
        return facts[0] == null || facts[1] == null || facts[2] == null || owners.isEmpty() ? null
            : new PlaceOwners(facts[0], facts[1], facts[2], facts[3] == null ? null : Path.of(facts[3]), owners);
    }

    /**
     * Whether none of them will ever do anything again. Of processes of another kernel or namespace nobody knows here,
     * so that they count as running; after a start of this host's kernel there is none of before, and in a namespace
     * that is gone there is none.
     */
    boolean areGone() throws IOException {
        if (!boot.equals(bootHere())) {
            return host.equals(Surroundings.hostName());
        }
        return namespace.equals(namespaceHere())
            ? host.equals(Surroundings.hostName()) && processes.stream().allMatch(Owner::isGone)
            : isNamespaceGone(namespace);
    }

    /**
     * Whether no process of this kernel is in a namespace: that of a container, or of a host of a test, of which all
     * was killed. Only the first namespace sees all processes; elsewhere nobody knows.
     */
    private static boolean isNamespaceGone(String namespace) throws IOException {
        if (!namespaceHere().equals(FIRST_NAMESPACE)) {
            return false;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (process.endsWith(INIT)) {
                    continue; // it is in the first namespace, and tells nobody
                }
                try {
                    if (Files.readSymbolicLink(process.resolve("ns/pid")).toString().equals(namespace)
                        && !DyingProcess.isPastItsLastInstruction(Long.parseLong(process.getFileName().toString()))) {
                        return false;
                    }
                } catch (AccessDeniedException e) {
                    if (Files.getOwner(process).equals(Files.getOwner(Path.of("/proc/self")))) {
                        return false; // it may be one of them; those of other users are none
                    }
                } catch (IOException e) {
                    Thread.onSpinWait(); // it has ended
                }
            }
        }
        return true;
    }
}
