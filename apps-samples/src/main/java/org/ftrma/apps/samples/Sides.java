package org.ftrma.apps.samples;

import org.ftrma.MisuseException;
import org.ftrma.options.OptionForm;

/**
 * Rows and columns, as {@code 128x96}. Immutable; any thread.
 *
 * @param rows 0: to be chosen
 * @param columns 0: to be chosen
 */
record Sides(int rows, int columns) {
    /** The form of an option with two numbers from 1 on. */
    static OptionForm form(int most) {
        return OptionForm.of("RxC", (key, value) -> {
            String[] parts = value.split("x", -1);
            int[] sides = new int[2];
            for (int i = 0; i < 2; i++) {
                sides[i] = parts.length == 2 && parts[i].matches("[0-9]{1,9}") ? Integer.parseInt(parts[i]) : 0;
                if (sides[i] < 1 || sides[i] > most) {
                    throw new MisuseException("--" + key + "=" + value + ": must be rows x columns, each 1 to " + most
                        + ", as 128x96");
                }
            }
            return (long) sides[0] << Integer.SIZE | sides[1];
        });
    }

    /** The number that such an option's value is, taken apart. */
    static Sides of(long number) {
        return new Sides((int) (number >> Integer.SIZE), (int) number);
    }
}
