package org.ftrma.launch.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;

/** Asks Slurm's own commands about an allocation; if they do not answer, nothing is known. One thread. */
public final class SlurmClient {
    private static final long SECONDS = 10;
    private static final int MOST_BYTES = 1 << 20;
    private static final Pattern NO_KILL = Pattern.compile("(?m)^#SBATCH\\s.*(?<!\\S)(--no-kill|-k)(?!\\S|=off)");
    /** As accounts have the command line, where there are any. The short form may be an argument of the script. */
    private static final Pattern NO_KILL_TYPED = Pattern.compile("^\\S+\\s(?:.*\\s)?--no-kill(?!\\S)");
    /** What squeue has for no limit, and for what it does not know, are words. */
    private static final Pattern LEFT = Pattern.compile("(?:(?:(\\d{1,5})-)?(\\d{1,2}):)?(\\d{1,2}):(\\d{2})");
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

    /**
     * How much time is left of an allocation, as squeue has it: that depends neither on a time zone nor on how times
     * are to be printed.
     *
     * @return empty if there is no limit, or squeue does not tell
     */
    public OptionalLong nanosLeft(String allocation) {
        return nanos(commands.apply(List.of(NODES, "-h", "-j", allocation, "-o", "%L")).strip());
    }

    /** Of days-hours:minutes:seconds, without days and hours where there are none. */
    static OptionalLong nanos(String left) {
        Matcher matcher = LEFT.matcher(left);
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        long seconds = 0;
        int[] units = {24, 60, 60, 1};
        for (int unit = 0; unit < units.length; unit++) {
            String digits = matcher.group(unit + 1);
            seconds = (seconds + (digits == null ? 0 : Long.parseLong(digits))) * units[unit];
        }
        return OptionalLong.of(TimeUnit.SECONDS.toNanos(seconds));
    }

    /** Tells people if it cannot be seen that Slurm keeps an allocation of which a node fails. */
    public void noteWhatEndsIt(SlurmAllocation allocation) {
        String script = commands.apply(List.of("scontrol", "write", "batch_script", allocation.job(), "-"));
        if (NO_KILL.matcher(script).find() || NO_KILL_TYPED.matcher(commands.apply(List.of("sacct", "-n", "-P", "-X",
            "-j", allocation.job(), "-o", "SubmitLine"))).find()) {
            return;
        }
        notes.accept("Slurm ends a whole allocation with the first node that fails unless it was made with --no-kill "
            + "(#SBATCH --no-kill), and that can be seen neither in the batch script of allocation "
            + allocation.job() + " nor in Slurm's accounts");
    }

    /** What a command printed; empty if there is none, it fails, or does not end in time. */
    private static String ask(List<String> command) {
        try {
            Path answer = Files.createTempFile("ftrma-slurm", "");
            try {
                Process process = new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD).redirectOutput(answer.toFile()).start();
                try (InputStream in = Files.newInputStream(answer)) {
                    return process.waitFor(SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0
                        ? new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8) : "";
                } finally {
                    process.destroyForcibly();
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
