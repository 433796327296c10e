package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Prerequisites of namespaced hosts on a machine. Any thread. */
final class HostRequirements {
    private static final long TRIAL_SECONDS = 60;
    private static final String CANNOT = "namespaced hosts cannot be made: ";
    /** A program, and Debian's package that has it. */
    private static final List<String[]> PROGRAMS = List.of(new String[] {"ip", "iproute2"},
        new String[] {"tc", "iproute2"}, new String[] {"nft", "nftables"}, new String[] {"unshare", "util-linux"},
        new String[] {"nsenter", "util-linux"}, new String[] {"setpriv", "util-linux"},
        new String[] {"setsid", "util-linux"}, new String[] {"mount", "mount"}, new String[] {"umount", "mount"},
        new String[] {"hostname", "hostname"}, new String[] {"sleep", "coreutils"});

    private HostRequirements() {
    }

    /** Tried once in a process. */
    private static final class Here {
        static final String WHY_NOT = whyNot(ProcFiles.read(Path.of("/proc/self/status")), System.getenv("PATH"));

        private Here() {
        }
    }

    /** Why there cannot be such hosts on this machine, with what helps; empty if there can. */
    static String whyNot() {
        return Here.WHY_NOT;
    }

    /**
     * @param status of this process, as /proc tells it
     * @param path folders of programs, with colons between them
     */
    static String whyNot(String status, String path) {
        if (!status.contains("NSpid:")) {
            return "namespaced hosts need Linux, with /proc";
        }
        if (!status.lines().anyMatch(line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*"))) {
            return "namespaced hosts can only be made by root";
        }
        List<String> programs = new ArrayList<>();
        List<String> packages = new ArrayList<>();
        for (String[] program : PROGRAMS) {
            if (!isOn(path, program[0])) {
                programs.add(program[0]);
                if (!packages.contains(program[1])) {
                    packages.add(program[1]);
                }
            }
        }
        if (!programs.isEmpty()) {
            return "namespaced hosts need " + String.join(", ", programs) + ", not found in " + path
                + "; install: apt-get install -y " + String.join(" ", packages);
        }
        return tryThem();
    }

    static boolean isOn(String path, String program) {
        for (String folder : path == null ? new String[0] : path.split(":")) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    private static String tryThem() {
        try (InputStream script = HostRequirements.class.getResourceAsStream("trial.sh")) {
            return told(List.of("unshare", "--net", "--ipc", "--uts", "--mount", "--pid", "--fork", "--kill-child",
                "--mount-proc", "--", "/bin/sh", "-c", new String(script.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            return CANNOT + e.getMessage();
        }
    }

    /** Why a trial, which may read rules of all kinds, has failed; empty if it has not. */
    static String told(List<String> command) {
        try {
            Process trial = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream rules = trial.getOutputStream()) {
                rules.write(allRules().getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                Thread.onSpinWait(); // it has ended already: what it has printed tells why
            }
            if (!trial.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS)) {
                trial.destroyForcibly();
                return CANNOT + "a trial did not end within " + TRIAL_SECONDS + " s";
            }
            String told = new String(trial.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            return trial.exitValue() == 0 ? "" : CANNOT + told;
        } catch (IOException e) {
            return CANNOT + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CANNOT + "interrupted in a trial";
        }
    }

    /** Rules of each kind that links may have. */
    private static String allRules() {
        LinkRules rules = new LinkRules();
        rules.mute(1);
        rules.split(1, 2);
        rules.block(1, 2);
        rules.lose(1, 50);
        return rules.text();
    }
}
