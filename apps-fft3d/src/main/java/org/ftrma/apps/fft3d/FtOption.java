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
    GRID("grid", OptionForm.of("RxC", FtOption::grid), "chosen",
        "ranks as R rows, a power of two, and C columns, any number"),
    /** Time to compile. */
    WARM_UP("warm-up", OptionForm.decimal("SECONDS", 60, "in seconds"), "1.5",
        "run the kernels this long before the measurement, 0 to 60"),
    /** Checkpoints in files. */
    FILES("files", OptionForm.of("DIR", FtOption::directory), "",
        "for comparison: write checkpoints to files in this directory, with a parity among the ranks; deleted at"
        + " the end"),
    /** How often. */
    FILES_EVERY("files-every", OptionForm.count(1, 1_000_000), "10", "with --files: write every Nth step"),
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
        long rows = side(value.substring(0, Math.max(0, cross)));
        long columns = side(value.substring(cross + 1));
        if (Long.bitCount(rows) != 1 || columns == 0) {
            throw new MisuseException("--" + key + "=" + value + ": must be rows x columns, each 1 to " + LARGEST_SIDE
                + ", the rows a power of two, as 2x6");
        }
        return rows << Integer.SIZE | columns;
    }

    /** 0 for what is none. */
    private static long side(String side) {
        int n = side.matches("[0-9]{1,7}") ? Integer.parseInt(side) : 0;
        return n <= LARGEST_SIDE ? n : 0;
    }

    private static long directory(String key, String value) {
        if (!Files.isDirectory(Path.of(value)) || !Files.isWritable(Path.of(value))) {
            throw new MisuseException("--" + key + "=" + value + ": must be a directory that can be written to");
        }
        return 0;
    }
}
