package org.ftrma.testkit.hosts;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;

/**
 * The switch between the hosts, in a network namespace of its own, and the process that holds all of them: a shell that
 * carries out commands. It ends when this object is closed, or when the process of this object is no more, and all
 * hosts end with it; a second shell then removes their folder. Not for several threads.
 */
final class HostSwitch implements AutoCloseable {
    private static final long ANSWER_SECONDS = 60;
    private static final String END = "end";

    private final Path folder;
    private final LinkRules rules = new LinkRules();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Process watchdog;
    private final PrintStream commands;
    private final String namespace;

    /** @param folder for this object alone, gone when it is closed; it may have files for the hosts */
    HostSwitch(Path folder) throws IOException {
        this.folder = folder;
        for (String script : new String[] {"watchdog.sh", "switch.sh", "host.sh"}) {
            try (InputStream text = HostSwitch.class.getResourceAsStream(script)) {
                Files.copy(text, folder.resolve(script));
            }
        }
        writeRules();
        watchdog = new ProcessBuilder("setsid", "/bin/sh", folder.resolve("watchdog.sh").toString(), folder.toString())
            .directory(new File("/")).redirectErrorStream(true).start();
        commands = new PrintStream(watchdog.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon(true).name("answers of the switch").start(this::readAnswers);
        try {
            String answer = answer("to be ready");
            if (!answer.equals("ready")) {
                throw new FtrmaException(FtrmaException.Category.SETUP, "the switch between hosts cannot be made: "
                    + answer);
            }
            namespace = ProcFiles.pidNamespace(onlyChild(onlyChild(watchdog.pid())));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static long onlyChild(long pid) {
        return ProcessHandle.of(pid).flatMap(process -> process.children().findFirst()).map(ProcessHandle::pid)
            .orElse(-1L);
    }

    private void readAnswers() {
        try (BufferedReader reader = watchdog.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            answers.add("failed " + e.getMessage());
        }
        answers.add(END);
    }

    private String answer(String to) {
        try {
            String answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (answer == null || answer.equals(END)) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "the switch between hosts was asked " + to
                    + (answer == null ? ", and did not answer within " + ANSWER_SECONDS + " s" : ", and has ended"));
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FtrmaException(FtrmaException.Category.FATAL, "interrupted while the switch was asked " + to, e);
        }
    }

    /** Has a command of the shell carried out in the network of the switch; returns what it printed, in one line. */
    String run(String command) {
        commands.println(command);
        String answer = answer("to do: " + command);
        if (!answer.startsWith("ok")) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "the switch between hosts: " + command + ": "
                + answer);
        }
        return answer.substring(2).trim();
    }

    /** The number on this machine of a process that the switch knows by another one; -1 if there is none. */
    long machinePid(long pid) {
        return ProcFiles.find(namespace, pid);
    }

    /** What is dropped; to be changed, then {@linkplain #applyRules applied}. */
    LinkRules rules() {
        return rules;
    }

    void applyRules() {
        writeRules();
        run("nft -f " + folder.resolve("rules"));
    }

    private void writeRules() {
        try {
            Files.writeString(folder.resolve("rules"), rules.text());
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "cannot write " + folder.resolve("rules") + ": "
                + e.getMessage(), e);
        }
    }

    /** Whether the link to a host has a carrier. */
    void link(int host, boolean up) {
        run("ip link set v" + host + " " + (up ? "up" : "down"));
    }

    /** @param rate of what comes to a host, as tc has it; null: as fast as it can */
    void limit(int host, String rate) {
        run(limitCommand("v" + host, rate));
    }

    /** The command that limits what a device sends. */
    static String limitCommand(String device, String rate) {
        return rate == null ? "tc qdisc delete dev " + device + " root 2>/dev/null || true"
            : "tc qdisc replace dev " + device + " root tbf rate " + rate + " burst 32kb latency 400ms";
    }

    /** Ends all hosts, and waits until they are gone. */
    @Override
    public void close() {
        commands.close();
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
        while (watchdog.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                watchdog.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (watchdog.isAlive()) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "the hosts in " + folder + " did not end within "
                + ANSWER_SECONDS + " s; their process is " + watchdog.pid());
        }
    }
}
