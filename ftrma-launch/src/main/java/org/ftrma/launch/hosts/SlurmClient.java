package org.ftrma.launch.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;

/** What Slurm's own commands tell of an allocation; where they do not, nothing is known. One thread. */
public final class SlurmClient {
    private static final long SECONDS = 10;
    private static final int MOST_BYTES = 1 << 20;
    private static final Pattern NO_KILL = Pattern.compile("(?m)^#SBATCH\\s.*(?<!\\S)(--no-kill|-k)(?!\\S|=off)");
    private static final String NODES = "squeue";

    private final Consumer<String> notes;
    private final Function<List<String>, String> commands;

    /** @param notes hears what people should know */
    public SlurmClient(Consumer<String> notes) {
        this(notes, SlurmClient::ask);
    }

    /** @param commands carries out a command, and returns what it printed: nothing if it fails */
    public SlurmClient(Consumer<String> notes, Function<List<String>, String> commands) {
        this.notes = notes;
        this.commands = commands;
    }

    /**
     * The allocation without those of its nodes that were lost before: its environment still names them.
     *
     * @throws MisuseException if none is left
     */
    public SlurmAllocation withoutLostNodes(SlurmAllocation allocation) {
        String told = commands.apply(List.of(NODES, "-h", "-j", allocation.job(), "-o", "%N")).strip();
        if (told.isEmpty()) {
            return allocation;
        }
        List<String> left = SlurmNodes.names(NODES, told);
        SlurmAllocation now = allocation.only(left);
        for (HostSpec host : allocation.hosts()) {
            if (!left.contains(host.name())) {
                notes.accept("node " + host.name() + " was lost by allocation " + allocation.job() + " before: the job "
                    + "goes on without it");
            }
        }
        if (now.hosts().isEmpty()) {
            throw new MisuseException("allocation " + allocation.job() + " has no node left");
        }
        return now;
    }

    /** Tells people if it cannot be seen that Slurm keeps an allocation of which a node fails. */
    public void noteWhatEndsIt(SlurmAllocation allocation) {
        String script = commands.apply(List.of("scontrol", "write", "batch_script", allocation.job(), "-"));
        if (!NO_KILL.matcher(script).find()) {
            notes.accept("Slurm ends a whole allocation with the first node that fails unless it was made with "
                + "--no-kill (#SBATCH --no-kill), and that cannot be seen in the batch script of allocation "
                + allocation.job());
        }
    }

    /** What a command printed; empty if there is none, it fails, or does not end in time. */
    private static String ask(List<String> command) {
        try {
            Path answer = Files.createTempFile("ftrma-slurm", "");
            try {
                Process process = new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD).redirectOutput(answer.toFile()).start();
                if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return "";
                }
                try (InputStream in = Files.newInputStream(answer)) {
                    return process.exitValue() == 0 ? new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8)
                        : "";
                }
            } finally {
                Files.delete(answer);
            }
        } catch (IOException e) {
            return ""; // no such command here
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
