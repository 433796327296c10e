package org.ftrma.apps.npb;

import org.ftrma.MisuseException;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The arguments of MG: name, form, default and meaning in one place. Any thread. */
enum MgOption implements CommandOption {
    CLASS(NpbOption.CLASS.text()),
    ITERATIONS("iterations", OptionForm.count(1, 1_000_000), "the class's own number",
        "V-cycles, 1 to 1000000; fewer than the class's own cannot be verified"),
    WARM_UP(NpbOption.WARM_UP.text()),
    ANY_SOURCE("any-source", OptionForm.flag(), "",
        "receive halos from any source, as NPB did up to 3.2; otherwise from named neighbours"),
    GRID("grid", OptionForm.of("XxYxZ", MgOption::grid), "chosen", "ranks in each direction, powers of two");

    static final OptionTable<MgOption> TABLE = OptionTable.of(MgOption.class);
    private static final int BITS = 16;
    private static final int LARGEST_SIDE = 256;

    private final OptionText text;

    MgOption(String key, OptionForm form, String defaultText, String meaning) {
        this(new OptionText(key, form, defaultText, meaning));
    }

    MgOption(OptionText text) {
        this.text = text;
    }

    @Override
    public OptionText text() {
        return text;
    }

    /** The three sides in one number. */
    private static long grid(String key, String value) {
        String[] sides = value.split("x", -1);
        long number = 0;
        for (String side : sides) {
            int n = side.matches("[0-9]{1,3}") ? Integer.parseInt(side) : 0;
            if (sides.length != MgGrid.AXES || Integer.bitCount(n) != 1 || n > LARGEST_SIDE) {
                throw new MisuseException("--" + key + "=" + value + ": must be ranks in x, y and z, powers of two up "
                    + "to " + LARGEST_SIDE + ", as 1x2x2");
            }
            number = number << BITS | n;
        }
        return number;
    }

    /** The number that a grid is, taken apart; 0: null. */
    static int[] sides(long number) {
        int mask = (1 << BITS) - 1;
        return number == 0 ? null
            : new int[] {(int) (number >> 2 * BITS), (int) (number >> BITS) & mask, (int) number & mask};
    }
}
