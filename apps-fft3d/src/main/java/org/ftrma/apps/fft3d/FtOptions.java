package org.ftrma.apps.fft3d;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.ftrma.MisuseException;

/**
 * The program's arguments. Immutable; any thread.
 *
 * @param problem the problem class
 * @param iterations time steps, the class's own number unless given
 * @param gridRows rows of the grid of ranks, 0 to choose
 * @param gridColumns columns of the grid of ranks, 0 to choose
 * @param warmUpSeconds how long the kernels are run before the measurement at least, so that the just-in-time compiler has finished
 * @param printChecksums whether rank 0 prints each time step's checksum
 * @param files where {@link FileCheckpoints} are written; empty: nowhere
 * @param filesEvery steps from one of them to the next
 */
record FtOptions(FtClass problem, int iterations, int gridRows, int gridColumns, double warmUpSeconds, boolean printChecksums, String files,
    int filesEvery) {
    private static final int LARGEST_SIDE = 1024;

    /** The arguments, one a line. */
    static final String HELP = """
        --class S|W|A|B|C         problem class (default S)
        --iterations N            time steps, 1 to 1000000 (default: the class's own)
        --grid RxC                ranks as R rows and C columns, powers of two; 1xN are slabs (default: slabs while there are planes enough)
        --warm-up SECONDS         run the kernels at least so long before the measurement, 0 to 60 (default 1.5)
        --print-checksums         print each time step's checksum
        --files DIR               to compare with: write checkpoints to files there, with a parity among ranks
        --files-every N           every so many steps (default 10)
        """;
    private static final int FILES_EVERY = 10;

    FtOptions(FtClass problem, int iterations, int gridRows, int gridColumns, double warmUpSeconds, boolean printChecksums) {
        this(problem, iterations, gridRows, gridColumns, warmUpSeconds, printChecksums, "", FILES_EVERY);
    }

    /** Parses {@code --name value} and {@code --name=value}. Throws {@link MisuseException} that names the argument and what is allowed. */
    static FtOptions parse(String[] args) {
        Map<String, FtClass> classes = FtClass.all();
        FtClass problem = classes.get("S");
        int iterations = 0;
        int rows = 0;
        int columns = 0;
        double warmUp = 1.5;
        boolean print = false;
        String files = "";
        int filesEvery = FILES_EVERY;
        for (int i = 0; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            String name = equals < 0 ? args[i] : args[i].substring(0, equals);
            if (name.equals("--print-checksums") && equals < 0) {
                print = true;
                continue;
            }
            if (!HELP.contains(name + " ") || !name.startsWith("--") || name.equals("--print-checksums")) {
                throw new MisuseException(args[i] + ": no such argument; there are:\n" + HELP);
            }
            if (equals < 0 && i + 1 == args.length) {
                throw new MisuseException(name + ": its value is missing");
            }
            String value = equals < 0 ? args[++i] : args[i].substring(equals + 1);
            switch (name) {
                case "--class" -> {
                    problem = classes.get(value);
                    if (problem == null) {
                        throw new MisuseException("--class=" + value + ": must be one of " + String.join(", ", classes.keySet()));
                    }
                }
                case "--iterations" -> iterations = number(name, value, 1_000_000);
                case "--warm-up" -> warmUp = seconds(name, value);
                case "--files" -> files = directory(value);
                case "--files-every" -> filesEvery = number(name, value, 1_000_000);
                default -> {
                    int cross = value.indexOf('x');
                    rows = powerOfTwo(value, value.substring(0, Math.max(0, cross)));
                    columns = powerOfTwo(value, value.substring(cross + 1));
                }
            }
        }
        return new FtOptions(problem, iterations == 0 ? problem.iterations() : iterations, rows, columns, warmUp, print, files,
            filesEvery);
    }

    private static int number(String name, String value, int max) {
        try {
            int n = Integer.parseInt(value);
            if (n >= 1 && n <= max) {
                return n;
            }
        } catch (NumberFormatException e) {
            throw new MisuseException(name + "=" + value + ": must be a whole number from 1 to " + max);
        }
        throw new MisuseException(name + "=" + value + ": must be from 1 to " + max);
    }

    private static String directory(String value) {
        if (!Files.isDirectory(Path.of(value)) || !Files.isWritable(Path.of(value))) {
            throw new MisuseException("--files=" + value + ": must be a directory that can be written to");
        }
        return value;
    }

    private static int powerOfTwo(String grid, String side) {
        int n = side.matches("[0-9]{1,7}") ? Integer.parseInt(side) : 0;
        if (Integer.bitCount(n) != 1 || n > LARGEST_SIDE) {
            throw new MisuseException("--grid=" + grid + ": must be rows x columns, both powers of two up to " + LARGEST_SIDE + ", as 2x4");
        }
        return n;
    }

    private static double seconds(String name, String value) {
        try {
            double s = Double.parseDouble(value);
            if (s >= 0 && s <= 60) {
                return s;
            }
        } catch (NumberFormatException e) {
            throw new MisuseException(name + "=" + value + ": must be a number of seconds from 0 to 60");
        }
        throw new MisuseException(name + "=" + value + ": must be from 0 to 60 seconds");
    }

    /** The decomposition for one rank of a job. Throws {@link MisuseException} if the class cannot be divided so. */
    Grid grid(int ranks, int rank) {
        if (Integer.bitCount(ranks) != 1) {
            throw new MisuseException("--ranks=" + ranks + ": NAS FT needs a power of two: 1, 2, 4, 8 and so on");
        }
        if (gridRows != 0 && (long) gridRows * gridColumns != ranks) {
            throw new MisuseException("--grid=" + gridRows + "x" + gridColumns + ": needs " + (long) gridRows * gridColumns
                + " ranks, the job has " + ranks);
        }
        try {
            return gridRows == 0
                ? Grid.of(problem.nx(), problem.ny(), problem.nz(), ranks, rank)
                : new Grid(problem.nx(), problem.ny(), problem.nz(), gridRows, gridColumns, rank);
        } catch (IllegalArgumentException e) {
            throw new MisuseException("class " + problem.name() + " on " + ranks + " ranks: " + e.getMessage());
        }
    }
}
