package org.ftrma.launch.disk;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.ShellLine;
import org.ftrma.rank.disk.DamagedImageException;
import picocli.CommandLine.ParseResult;

/**
 * The command that lists the generations in a directory, and reads every byte of them to see whether they are as they
 * were written. One thread.
 */
public final class ImagesCommand {
    private static final int DAMAGED = 1;
    private final PrintStream out;

    /** A command that prints to {@code out}. */
    public ImagesCommand(PrintStream out) {
        this.out = out;
    }

    /** One generation: its manifest (null if that is damaged), and what is wrong (null if nothing is). */
    private record Line(String name, ImageManifest manifest, String damage) {
        static Line of(ImageDirectory.Entry entry) {
            ImageManifest manifest = null;
            try {
                manifest = ImageDirectory.manifest(entry.path());
                ImageDirectory.verify(entry.path(), manifest);
                return new Line(entry.name(), manifest, null);
            } catch (DamagedImageException e) {
                return new Line(entry.name(), manifest, e.getMessage());
            }
        }
    }

    /** Runs it; returns the exit code. */
    public int execute(ParseResult parsed) {
        GivenOptions options = new GivenOptions(parsed);
        List<String> given = options.words();
        if (given.size() != 1) {
            throw new MisuseException("images: one directory is needed, not " + given.size() + ": ftrma images DIR");
        }
        if (given.getFirst().isBlank()) {
            throw new MisuseException("images: the directory is empty text: ftrma images DIR");
        }
        ImageDirectory directory = new ImageDirectory(Path.of(given.getFirst()));
        List<Line> lines = directory.entries().stream().map(Line::of).toList();
        long damaged = lines.stream().filter(line -> line.damage() != null).count();
        if (options.has(LauncherOption.JSON)) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("directory", given.getFirst());
            json.put("images", lines.stream().map(ImagesCommand::json).toList());
            json.put("damaged", damaged);
            json.put("unfinished", directory.unfinished());
            try {
                out.println(JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(json));
            } catch (IOException e) {
                throw new IllegalStateException("writing JSON failed", e);
            }
        } else {
            print(lines);
            directory.unfinished().forEach(name -> out.println(printable(name)
                + ": has no name yet; if no job is writing it, remove it"));
        }
        return damaged > 0 ? DAMAGED : 0;
    }

    private static Map<String, Object> json(Line line) {
        ImageManifest manifest = line.manifest();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", line.name());
        json.put("state", line.damage() == null ? "complete" : "damaged");
        json.put("damage", line.damage());
        json.put("branch", manifest == null ? null : manifest.job().branch().number());
        json.put("generation", manifest == null ? null : manifest.images().generation());
        json.put("step", manifest == null ? null : manifest.images().step());
        json.put("timeline", manifest == null ? null : manifest.images().timeline());
        json.put("ranks", manifest == null ? null : manifest.images().parts().size());
        json.put("bytes", manifest == null ? null : manifest.images().bytes());
        json.put("time", manifest == null ? null : manifest.time().toString());
        json.put("job", manifest == null ? null : manifest.job().id());
        json.put("program", manifest == null ? null : manifest.job().program());
        json.put("arguments", manifest == null ? null : manifest.job().arguments());
        json.put("protocol", manifest == null ? null : manifest.job().protocol());
        return json;
    }

    private void print(List<Line> lines) {
        if (lines.isEmpty()) {
            out.println("no images");
            return;
        }
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"image", "branch", "generation", "step", "ranks", "bytes", "written", "state",
            "program"});
        for (Line line : lines) {
            ImageManifest manifest = line.manifest();
            rows.add(manifest == null ? new String[] {line.name(), "?", "?", "?", "?", "?", "?", "DAMAGED", "?"}
                : new String[] {line.name(), Integer.toString(manifest.job().branch().number()),
                    Long.toString(manifest.images().generation()),
                    Long.toString(manifest.images().step()),
                    Integer.toString(manifest.images().parts().size()), Long.toString(manifest.images().bytes()),
                    manifest.time().toString(),
                    line.damage() == null ? "complete" : "DAMAGED",
                    printable(manifest.job().program() + " " + ShellLine.of(manifest.job().arguments()))});
        }
        int[] widths = new int[rows.getFirst().length];
        rows.forEach(row -> {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        });
        for (String[] row : rows) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                boolean number = i >= 1 && i <= 5;
                text.append(i == 0 ? "" : "  ").append(String.format(Locale.ROOT,
                    "%" + (number ? "" : "-") + widths[i] + "s", row[i]));
            }
            out.println(text.toString().stripTrailing());
        }
        lines.stream().filter(line -> line.damage() != null)
            .forEach(line -> out.println(line.name() + ": " + line.damage()));
        lines.stream().filter(line -> line.manifest() != null).map(line -> line.manifest().job().branch()).distinct()
            .filter(branch -> !branch.origins().isEmpty())
            .forEach(branch -> out.println("branch " + branch.number() + " goes on from generation "
                + branch.origins().getLast().generation() + " of branch " + branch.origins().getLast().branch()));
    }

    /** Arguments may hold anything; a terminal is not to obey it. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
