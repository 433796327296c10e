package org.ftrma.launch.topology;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ftrma.MisuseException;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.xor.domains.Machine;
import org.ftrma.xor.domains.Topology;
import picocli.CommandLine.ParseResult;

/** The arguments of a command about placement or risk, checked. One thread. */
final class MachineArguments {
    private static final double PERCENT = 100;
    private final GivenOptions given;

    MachineArguments(ParseResult parsed) {
        given = new GivenOptions(parsed);
    }

    boolean has(MachineOption option) {
        return given.has(option);
    }

    /** The value or its default; refused where there is neither. */
    String text(MachineOption option) {
        String text = given.text(option);
        if (text.isBlank() && has(option)) {
            throw new MisuseException("--" + option.key() + "=: is empty: " + option.meaning());
        }
        if (text.isEmpty()) {
            throw new MisuseException("--" + option.key() + " is missing: " + option.meaning());
        }
        return text;
    }

    /** The number that the value is, or its default; refused where there is neither. */
    long number(MachineOption option) {
        return option.number(text(option));
    }

    Machine machine() {
        List<MachineOption> machines = Stream.of(MachineOption.MACHINE, MachineOption.TOPOLOGY, MachineOption.NODES)
            .filter(this::has).toList();
        if (machines.size() != 1) {
            throw new MisuseException((machines.isEmpty() ? "no machine is given" : "more than one machine is given")
                + ": use one of --machine NAME, --topology FILE, --nodes N");
        }
        String text = text(machines.getFirst());
        try {
            return switch (machines.getFirst()) {
                case MACHINE -> Machine.named(text);
                case TOPOLOGY -> TopologyFile.read(path(MachineOption.TOPOLOGY));
                default -> Machine.of(Topology.nodes((int) MachineOption.NODES.number(text)));
            };
        } catch (IllegalArgumentException e) {
            throw refused(machines.getFirst(), text, e);
        }
    }

    /** A place in the file system that may or may not be there. */
    Path path(MachineOption option) {
        String text = text(option);
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw refused(option, text, e);
        }
    }

    /** Why a file could not be read or written, for people. */
    static String why(IOException e) {
        return switch (e) {
            case NoSuchFileException none -> "no such file or directory";
            case AccessDeniedException denied -> "permission denied";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> e.getMessage();
        };
    }

    int ranks(MachineOption option) {
        return (int) number(option);
    }

    int losses() {
        return (int) number(MachineOption.LOSSES);
    }

    int checksums(int ranks, int losses) {
        String text = text(MachineOption.CHECKSUMS);
        if (!text.endsWith("%")) {
            return (int) MachineOption.RANKS.form().number(MachineOption.CHECKSUMS.key(), text);
        }
        double percent;
        try {
            percent = Double.parseDouble(text.substring(0, text.length() - 1));
        } catch (NumberFormatException e) {
            percent = Double.NaN;
        }
        if (!(percent > 0 && percent <= PERCENT * losses)) {
            throw new MisuseException("--checksums=" + text + ": must be more than 0% and at most "
                + (int) PERCENT * losses + "%");
        }
        return checksums(percent, ranks, losses);
    }

    /** So many percent of the ranks, rounded up to whole groups. */
    static int checksums(double percent, int ranks, int losses) {
        // A percentage that gives a whole number of groups must not become one more by rounding.
        return Math.max(1, (int) Math.ceil(percent / PERCENT * ranks / losses - 1e-9)) * losses;
    }

    int aware(Topology topology) {
        String text = text(MachineOption.AWARE);
        try {
            return topology.level(text);
        } catch (IllegalArgumentException e) {
            throw refused(MachineOption.AWARE, text, e);
        }
    }

    double probability(MachineOption option) {
        String text = text(option);
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (!(value > 0 && value < 1)) {
            throw new MisuseException("--" + option.key() + "=" + text + ": must be a number between 0 and 1");
        }
        return value;
    }

    static MisuseException refused(MachineOption option, String text, IllegalArgumentException why) {
        return LocatedJson.caused(new MisuseException("--" + option.key() + "=" + text + ": " + why.getMessage()), why);
    }

    static String json(Map<String, Object> object) {
        try {
            return JSON.std.asString(object);
        } catch (IOException e) {
            throw new IllegalStateException("writing JSON failed", e);
        }
    }
}
