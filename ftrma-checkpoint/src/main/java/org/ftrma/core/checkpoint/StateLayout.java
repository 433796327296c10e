package org.ftrma.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.Distribution;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.WindowKind;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.image.ProtectedMemory;
import org.ftrma.core.image.ResidualState;
import org.ftrma.core.image.RotatingImpl;
import org.ftrma.spi.ImageStore;

/**
 * Contents of the images of a job, as the text that each of them has: all parameters, windows, segments and
 * distributions of the program, a line each, then the library's own state, and in the last line what of that belongs to
 * this image alone. Immutable; any thread.
 */
final class StateLayout {
    private static final String DISTRIBUTION = "distribution ";
    private static final String LIBRARY = "the library's own state, at most:";
    private static final String PLACES = "; places ";
    private static final String PARAMETER = "parameter ";
    private static final Pattern ALONE = Pattern.compile(
        "at the cut: ([0-9]{1,9}) locks held, (-?[0-9]{1,18}) messages more sent than received\n");
    /** The most bytes of the last line. */
    private static final int MOST_ALONE = 128;
    private static final String SCRATCH = ", scratch";
    private static final Pattern MEMORY = Pattern.compile(
        "(window|protected segment|rotating segment) (.*): (?:up to )?([0-9]{1,18}) bytes"
            + "(, by rank of digest [0-9a-f]+)?(, scratch)?");

    private final List<String> parameters = new ArrayList<>();
    private final List<Item> items = new ArrayList<>();
    private final Map<String, String> distributions = new HashMap<>();
    /** Of these, where their elements are, as {@link PlacementDigest} has it. */
    private final Map<String, String> places = new HashMap<>();

    /**
     * A piece of protected state.
     *
     * @param name of no other one
     * @param line what its job says of it
     * @param bytes at a rank; where they differ, the most
     * @param isEqual whether it has as many at each rank
     */
    record Item(String name, String line, long bytes, boolean isEqual) {
        /** With what kind it is: a window, or a segment. */
        String title() {
            return line.substring(0, line.lastIndexOf(name + ":")) + '"' + name + '"';
        }

        /** What it takes in an image. */
        long room() {
            return ImageLayout.align(bytes);
        }
    }

    /** What such a text tells, without its last line; what no job has written is a FtrmaException. */
    StateLayout(String text) {
        for (String line : text.lines().toList()) {
            Matcher memory = MEMORY.matcher(line);
            if (line.startsWith(PARAMETER)) {
                parameters.add(line);
            } else if (memory.matches()) {
                if (memory.group(5) == null) {
                    items.add(new Item(memory.group(2), line, Long.parseLong(memory.group(3)),
                        memory.group(4) == null));
                }
            } else if (line.startsWith(DISTRIBUTION) && line.contains(": ")) {
                int colon = line.lastIndexOf(": ");
                String name = line.substring(DISTRIBUTION.length(), colon);
                int end = line.indexOf(PLACES, colon);
                distributions.put(name, line.substring(colon + 2, end < 0 ? line.length() : end));
                if (end >= 0) {
                    places.put(name, line.substring(end + PLACES.length()));
                }
            } else if (!line.startsWith(LIBRARY)) {
                throw new FtrmaException(FtrmaException.Category.SETUP, "--restart: the line \"" + line
                    + "\" of what the images are made of is not one that this version writes; go on with the version "
                    + "that wrote them");
            }
        }
    }

    /** The text of this job, without its last line. */
    static String describe(DeclaredState declared, List<? extends ProtectedMemory> windows, List<MemorySegment> locals,
        List<RotatingImpl> rotating, List<CheckpointedState> parts, int ranks) {
        StringBuilder text = new StringBuilder();
        declared.parameters().forEach(line -> text.append(line).append('\n'));
        for (ProtectedMemory window : windows) {
            text.append("window ").append(window.name()).append(": ").append(window.sizes())
                .append(window.kind() == WindowKind.SCRATCH ? SCRATCH : "").append('\n');
        }
        for (int i = 0; i < locals.size(); i++) {
            text.append("protected segment ").append(declared.locals().get(i)).append(": ")
                .append(locals.get(i).byteSize()).append(" bytes\n");
        }
        rotating.forEach(one -> text.append("rotating segment ").append(one.name).append(": ").append(one.bytes)
            .append(" bytes\n"));
        new TreeMap<>(declared.distributions()).forEach((name, distribution) -> text.append(DISTRIBUTION).append(name)
            .append(": ").append(placed(distribution, ranks)).append('\n'));
        text.append(LIBRARY);
        parts.forEach(part -> text.append(' ').append(part.imageBytes()));
        String described = text.append('\n').toString();
        int bytes = described.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > ImageStore.Label.MAX_LAYOUT_BYTES - MOST_ALONE) {
            throw new MisuseException("the names of parameters, windows, segments and distributions take " + bytes
                + " bytes; with --flush or --restart at most " + (ImageStore.Label.MAX_LAYOUT_BYTES - MOST_ALONE));
        }
        return described;
    }

    /** A distribution in words, and where it puts its elements. */
    private static String placed(Distribution distribution, int ranks) {
        String places = PlacementDigest.of(distribution, ranks);
        return places == null ? distribution.toString() : distribution + PLACES + places;
    }

    /** The text of one image. */
    static String withRemainder(String described, ResidualState remainder) {
        return described + "at the cut: " + remainder.locks() + " locks held, " + remainder.underWay()
            + " messages more sent than received\n";
    }

    /** The text of an image without its last line, of which what that says is added. */
    static String withoutRemainder(String text, ResidualState remainder) {
        int end = text.lastIndexOf('\n', text.length() - 2) + 1;
        Matcher alone = ALONE.matcher(text.substring(end));
        if (!alone.matches()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "--restart: the images do not say what of them "
                + "belongs to one rank alone; go on with the version that wrote them");
        }
        remainder.locks(Long.parseLong(alone.group(1)));
        remainder.messages(Long.parseLong(alone.group(2)), 0);
        return text.substring(0, end);
    }

    /** Protected windows, segments and rotating ones, in the order in which images have them. */
    List<Item> items() {
        return items;
    }

    /** The place in {@link #items} of what has that name, or -1. */
    int find(String name) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** What was said of how it lies over the ranks, in words, or null. */
    String distribution(String name) {
        return distributions.get(name);
    }

    /** Where it has put its elements on the ranks of that job, or null: nobody knows, or there are none. */
    String places(String name) {
        return places.get(name);
    }

    /** How many bytes of an image are the program's, at its end. */
    long programBytes() {
        return items.stream().mapToLong(Item::room).sum();
    }

    /** Where one of {@link #items} begins, counted from the first. */
    long start(int item) {
        return items.subList(0, item).stream().mapToLong(Item::room).sum();
    }

    /** That the images are of another program's state. */
    static MisuseException other(String there, String here) {
        return new MisuseException("--restart: the images are of a program with other state: they have \"" + there
            + "\" where this program has \"" + here + "\"");
    }

    /** Refuses images of which the program's parameters differ. */
    void requireParametersOf(StateLayout there) {
        for (int i = 0; i < Math.max(parameters.size(), there.parameters.size()); i++) {
            String old = i < there.parameters.size() ? there.parameters.get(i) : "nothing more";
            String now = i < parameters.size() ? parameters.get(i) : "nothing more";
            if (!old.equals(now)) {
                throw other(old, now);
            }
        }
    }
}
