package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What there is of some hosts on this machine: to be noted while they are there, and looked for afterwards. */
final class Remains {
    private static final String[] KINDS = {"net", "ipc", "mnt", "pid", "uts"};

    private final Path folder;
    private final Set<String> namespaces = new HashSet<>();
    private final Set<ProcessHandle> processes = new TreeSet<>();

    Remains(Path folder) {
        this.folder = folder;
    }

    /** Of this machine's own network, those that hosts would have. */
    private static Set<String> devices() {
        try {
            Set<String> names = new TreeSet<>();
            NetworkInterface.getNetworkInterfaces().asIterator().forEachRemaining(one -> names.add(one.getName()));
            names.removeIf(name -> !name.matches("v\\d+|switch"));
            return names;
        } catch (SocketException e) {
            throw new AssertionError(e);
        }
    }

    /** The processes of the hosts, and their namespaces. */
    void note() {
        Set<String> own = new HashSet<>();
        for (String kind : KINDS) {
            own.add(namespace(ProcessHandle.current().pid(), kind));
        }
        // The watchdog's processes are known by the folder; all others are in namespaces of those.
        for (long pid : ProcFiles.all()) {
            if (ProcFiles.command(pid).contains(folder.toString())) {
                for (String kind : KINDS) {
                    namespaces.add(namespace(pid, kind));
                }
            }
        }
        namespaces.removeAll(own);
        namespaces.remove("");
        inNamespaces().forEach(pid -> ProcessHandle.of(pid).ifPresent(processes::add));
        if (processes.size() < 10 || namespaces.size() < 10) {
            throw new AssertionError("too little was found: " + processes + " " + namespaces);
        }
    }

    private Set<Long> inNamespaces() {
        Set<Long> found = new TreeSet<>();
        for (long pid : ProcFiles.all()) {
            for (String kind : KINDS) {
                if (namespaces.contains(namespace(pid, kind))) {
                    found.add(pid);
                }
            }
        }
        return found;
    }

    private static String namespace(long pid, String kind) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/" + kind)).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** What is still there, by kind. */
    Map<String, String> left() {
        Map<String, String> left = new TreeMap<>();
        Map<Long, String> alive = new TreeMap<>();
        for (ProcessHandle process : processes) {
            if (process.isAlive() && !ProcFiles.isGone(process.pid())) {
                alive.put(process.pid(), ProcFiles.command(process.pid()));
            }
        }
        // Not those in the same namespaces: the kernel gives their numbers to those of others.
        for (long pid : ProcFiles.all()) {
            if (ProcFiles.command(pid).contains(folder.toString())) {
                alive.put(pid, ProcFiles.command(pid));
            }
        }
        if (!alive.isEmpty()) {
            left.put("processes", alive.toString());
        }
        if (Files.exists(folder)) {
            left.put("folder", folder.toString());
        }
        if (ProcFiles.read(Path.of("/proc/self/mountinfo")).contains(folder.toString())) {
            left.put("mounts", ProcFiles.read(Path.of("/proc/self/mountinfo")));
        }
        if (!devices().isEmpty()) {
            left.put("network devices", devices().toString());
        }
        return left;
    }
}
