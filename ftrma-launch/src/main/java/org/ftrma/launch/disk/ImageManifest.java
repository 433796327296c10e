package org.ftrma.launch.disk;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.ftrma.core.coordinator.FlushedImages;
import org.ftrma.rank.disk.DamagedImageException;
import org.ftrma.rank.disk.ImageFileDescriptor;

/**
 * The description of a generation on disk: the file {@code manifest} beside its images, lines of text, written last.
 *
 * <pre>
 *   ftRMA images, version 1
 *   job 0123456789abcdef              the same for a job and those restarted from it
 *   branch 2                          not of branch 1
 *   from 1 4                          the generation of branch 1 that it went on from; any number of such lines
 *   program org.example.Main          percent-encoded, as are the arguments
 *   argument --steps                  any number of such lines
 *   protocol coordinated
 *   ranks 2
 *   generation 6
 *   step 12
 *   view 1
 *   timeline 1
 *   time 2026-01-31T12:00:00Z
 *   rank 0 1052672 9f86d0...          by rank: bytes of its file, SHA-256 of its header, which has
 *   rank 1 1052672 60303a...          a checksum of each block
 *   sha256 2c26b4...                  of all lines before
 * </pre>
 *
 * <p>What is not exactly as this class would write it is damaged. No line names a file. Immutable; any thread.
 *
 * @param job the program and its like
 * @param images the generation and the digests of its images; the flush's number is not kept: 0
 * @param time when it was written
 */
public record ImageManifest(Job job, FlushedImages images, Instant time) {
    /** The largest file, in bytes. */
    static final int MAX_BYTES = 1 << 20;
    static final String NAME = "manifest";
    private static final String FIRST = "ftRMA images, version 1";
    private static final int MAX_RANKS = 1024;
    /** The most characters of what is wrong with one. */
    private static final int MAX_TOLD = 200;
    private static final HexFormat HEX = HexFormat.of();

    /**
     * What all generations of a job have in common.
     *
     * @param id the same for a job and those restarted from it: 16 hexadecimal digits
     * @param branch the line of generations that it goes on with
     * @param program the main class
     * @param arguments its arguments
     * @param protocol the value of the option
     */
    public record Job(String id, Branch branch, String program, List<String> arguments, String protocol) {
        Job withBranch(Branch other) {
            return new Job(id, other, program, arguments, protocol);
        }
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder(FIRST).append('\n');
        line(text, "job", job.id());
        if (job.branch().number() > 1) {
            line(text, "branch", job.branch().number());
            job.branch().origins().forEach(from -> line(text, "from", from.branch() + " " + from.generation()));
        }
        line(text, "program", escape(job.program()));
        job.arguments().forEach(argument -> line(text, "argument", escape(argument)));
        line(text, "protocol", escape(job.protocol()));
        line(text, "ranks", images.parts().size());
        line(text, "generation", images.generation());
        line(text, "step", images.step());
        line(text, "view", images.view());
        line(text, "timeline", images.timeline());
        line(text, "time", time);
        for (int rank = 0; rank < images.parts().size(); rank++) {
            FlushedImages.Part part = images.parts().get(rank);
            line(text, "rank", rank + " " + part.bytes() + " " + HEX.formatHex(part.digest()));
        }
        byte[] before = text.toString().getBytes(StandardCharsets.UTF_8);
        line(text, "sha256", HEX.formatHex(ImageFileDescriptor.sha256(before, before.length)));
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("a manifest of " + bytes.length + " bytes: at most " + MAX_BYTES
                + "; the program's arguments are too long");
        }
        return bytes;
    }

    private static void line(StringBuilder text, String key, Object value) {
        text.append(key).append(' ').append(value).append('\n');
    }

    private static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Reads what {@link #encode} wrote; anything else is a {@link DamagedImageException}. */
    static ImageManifest decode(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new DamagedImageException("the manifest has " + bytes.length + " bytes, more than " + MAX_BYTES);
        }
        try {
            ImageManifest manifest = new Lines(new String(bytes, StandardCharsets.UTF_8)).manifest();
            if (!Arrays.equals(bytes, manifest.encode())) {
                throw new IllegalArgumentException("its checksum is wrong");
            }
            return manifest;
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new DamagedImageException("the manifest is damaged: " + printable(e.getMessage()), e);
        }
    }

    /** Messages quote what stands in the file, which may be anything. */
    private static String printable(String message) {
        String text = message.replaceAll("\\p{Cntrl}", "?");
        return text.length() <= MAX_TOLD ? text : text.substring(0, MAX_TOLD) + "...";
    }

    /** The lines of a manifest, one after the other. */
    private static final class Lines {
        private final List<String> lines;
        private int next;

        Lines(String text) {
            lines = text.lines().toList();
        }

        private static IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException(what);
        }

        private boolean has(String key) {
            return next < lines.size() && lines.get(next).startsWith(key + " ");
        }

        private String value(String key) {
            if (!has(key)) {
                throw wrong("line " + (next + 1) + " should begin with " + key);
            }
            return lines.get(next++).substring(key.length() + 1);
        }

        private long number(String key, long least, long most) {
            return number(key, value(key), least, most);
        }

        private static long number(String key, String text, long least, long most) {
            long number = Long.parseLong(text);
            if (number < least || number > most) {
                throw wrong(key + " " + number + " is not within " + least + " and " + most);
            }
            return number;
        }

        private static String unescape(String text) {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        }

        private Branch branch() {
            int number = (int) number("branch", 2, Integer.MAX_VALUE - 1);
            List<Branch.Origin> origins = new ArrayList<>();
            while (has("from")) {
                String[] words = value("from").split(" ", -1);
                if (words.length != 2) {
                    throw wrong("line " + next + " does not name a generation of a branch");
                }
                origins.add(new Branch.Origin((int) number("from", words[0], 1, number - 1),
                    number("from", words[1], 1, Long.MAX_VALUE >> 2)));
            }
            return new Branch(number, List.copyOf(origins));
        }

        ImageManifest manifest() {
            if (lines.isEmpty() || !lines.getFirst().equals(FIRST)) {
                throw wrong(lines.isEmpty() ? "it is empty" : "its first line is not \"" + FIRST + "\"");
            }
            next = 1;
            String id = value("job");
            if (!id.matches("[0-9a-f]{16}")) {
                throw wrong("job has no identity of 16 digits");
            }
            Branch branch = has("branch") ? branch() : Branch.FIRST;
            String program = unescape(value("program"));
            List<String> arguments = new ArrayList<>();
            while (has("argument")) {
                arguments.add(unescape(value("argument")));
            }
            Job job = new Job(id, branch, program, List.copyOf(arguments), unescape(value("protocol")));
            int ranks = (int) number("ranks", 1, MAX_RANKS);
            long generation = number("generation", 1, Long.MAX_VALUE >> 2);
            long step = number("step", 0, Integer.MAX_VALUE);
            int view = (int) number("view", 1, Integer.MAX_VALUE - 1);
            int timeline = (int) number("timeline", 1, Integer.MAX_VALUE - 1);
            Instant time = Instant.parse(value("time"));
            List<FlushedImages.Part> parts = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                String[] words = value("rank").split(" ", -1);
                if (words.length != 3 || !words[0].equals(Integer.toString(rank)) || words[2].length() != 64) {
                    throw wrong("line " + next + " is not that of rank " + rank);
                }
                parts.add(new FlushedImages.Part(number("bytes", words[1], 1, Long.MAX_VALUE), HEX.parseHex(words[2])));
            }
            value("sha256");
            return new ImageManifest(job, new FlushedImages(0, generation, step, view, timeline, List.copyOf(parts)),
                time);
        }
    }

    /** Whether a generation of the same job goes on from this one, or from what goes on from it; or is this one. */
    boolean leadsTo(ImageManifest newer) {
        return job.id().equals(newer.job.id()) && newer.job.branch().goesBackTo(job.branch(), images.generation());
    }

    /** What a job does differently that goes on from here, in words, a line each. */
    public List<String> differences(Job other, int ranks) {
        List<String> lines = new ArrayList<>();
        if (images.parts().size() != ranks) {
            lines.add("the images are of " + images.parts().size() + " ranks, this job has --ranks " + ranks
                + ": its windows and segments are laid over these, as the program says by job.distribution");
        }
        if (!job.protocol().equals(other.protocol())) {
            lines.add("the images were written with --protocol " + job.protocol() + ", this job has --protocol "
                + other.protocol() + ": what the program protects is taken from them, and the library's own state "
                + "begins anew");
        }
        if (!job.arguments().equals(other.arguments())) {
            lines.add("the program's arguments were " + job.arguments() + ", now they are " + other.arguments()
                + "; what of them the state depends on the program knows, by job.parameter");
        }
        return lines;
    }

    /**
     * Why this is no generation of such a job, or null if it is. All else may differ, as far as the program's state
     * allows it: its ranks find that out.
     */
    String mismatch(Job other) {
        return job.program().equals(other.program()) ? null
            : "they are of the program " + job.program() + ", this one is " + other.program();
    }
}
