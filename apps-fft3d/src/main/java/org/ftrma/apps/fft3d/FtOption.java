package org.ftrma.apps.fft3d;

import java.nio.file.Files;
import java.nio.file.Path;
import org.ftrma.MisuseException;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The program's arguments: name, form, default and meaning in one place. Any thread. */
public enum FtOption implements CommandOption {
    /** Problem class. */
    CLASS("class", OptionForm.of("NAME", FtOption::problem), "S",
        "problem class: " + String.join(", ", FtClass.NAMES)),
    /** Length of the run. */
    ITERATIONS("iterations", OptionForm.count(1, 1_000_000), "the class's own number", "time steps, 1 to 1000000"),
    /** Decomposition. */
    GRID("grid", OptionForm.of("RxC", FtOption::grid), "chosen", "ranks as R rows and C columns, powers of two"),
    /** Time to compile. */
    WARM_UP("warm-up", OptionForm.decimal("SECONDS", 60, "in seconds"), "1.5",
        "run the kernels for so long before the measurement, 0 to 60"),
    /** Checkpoints in files. */
    FILES("files", OptionForm.of("DIR", FtOption::directory), "",
        "to compare with: write checkpoints to files in that directory, with a parity among the ranks, and remove "
        + "them at the end"),
    /** How often. */
    FILES_EVERY("files-every", OptionForm.count(1, 1_000_000), "10", "with --files: every so many steps"),
    /** More output. */
    PRINT_CHECKSUMS("print-checksums", OptionForm.flag(), "", "print each time step's checksum");

    /** All arguments. */
    public static final OptionTable<FtOption> TABLE = OptionTable.of(FtOption.class);
    private static final int LARGEST_SIDE = 1024;

    private final OptionText text;

    FtOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }

    private static long problem(String key, String value) {
        if (!FtClass.NAMES.contains(value)) {
            throw new MisuseException("--" + key + "=" + value + ": must be one of " + String.join(", ",
                FtClass.NAMES));
        }
        return 0;
    }

    /** Rows and columns, in one number. */
    private static long grid(String key, String value) {
        int cross = value.indexOf('x');
        return powerOfTwo(key, value, value.substring(0, Math.max(0, cross))) << Integer.SIZE
            | powerOfTwo(key, value, value.substring(cross + 1));
    }

    private static long powerOfTwo(String key, String grid, String side) {
        int n = side.matches("[0-9]{1,7}") ? Integer.parseInt(side) : 0;
        if (Integer.bitCount(n) != 1 || n > LARGEST_SIDE) {
            throw new MisuseException("--" + key + "=" + grid + ": must be rows x columns, both powers of two up to "
                + LARGEST_SIDE
                + ", as 2x4");
        }
        return n;
    }

    private static long directory(String key, String value) {
        if (!Files.isDirectory(Path.of(value)) || !Files.isWritable(Path.of(value))) {
            throw new MisuseException("--" + key + "=" + value + ": must be a directory that can be written to");
        }
        return 0;
    }
}
