package org.ftrma.launch.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One axis of a picture: where values are on it, and which are marked. Any thread.
 *
 * @param kind how values are spread
 * @param low the value at its begin
 * @param high the value at its end
 */
record Axis(Kind kind, double low, double high) {
    private static final int MOST_LABELS = 7;
    /** In so many decades or more the values between them have marks without labels. */
    private static final double DECADES_WITHOUT_LABELS_BETWEEN = 3.2;
    private static final String[] BINARY = {"", " Ki", " Mi", " Gi"};

    /** How values are spread. */
    enum Kind { LINEAR, DECADES, POWERS_OF_TWO }

    /**
     * A mark.
     *
     * @param label empty where there is none
     * @param exponent of ten, raised behind the label; empty where there is none
     */
    record Mark(double value, String label, String exponent) {
    }

    /** An axis on which all these values are; those of a logarithmic one are more than zero. */
    static Axis of(Kind kind, boolean fromZero, List<Double> values) {
        double least = values.stream().filter(value -> !value.isNaN()).mapToDouble(value -> value).min().orElse(1);
        double most = values.stream().filter(value -> !value.isNaN()).mapToDouble(value -> value).max().orElse(1);
        if (kind != Kind.LINEAR) {
            double room = Math.max(1.02, Math.pow(most / least, 0.04));
            return new Axis(kind, least / room, most * room);
        }
        double from = fromZero ? Math.min(0, least) : least - (most - least) * 0.04;
        return new Axis(kind, from, most + Math.max((most - from) * 0.06, 1e-9));
    }

    /** The place of a value: 0 at the begin, 1 at the end. */
    double at(double value) {
        return kind == Kind.LINEAR ? (value - low) / (high - low) : Math.log(value / low) / Math.log(high / low);
    }

    List<Mark> marks() {
        return switch (kind) {
            case LINEAR -> linear();
            case DECADES -> decades();
            case POWERS_OF_TWO -> powersOfTwo();
        };
    }

    private List<Mark> linear() {
        double rough = (high - low) / (MOST_LABELS - 1);
        double unit = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = unit * (rough / unit <= 1 ? 1 : rough / unit <= 2 ? 2 : rough / unit <= 5 ? 5 : 10);
        List<Mark> marks = new ArrayList<>();
        for (long i = (long) Math.ceil(low / step - 1e-9); i * step <= high; i++) {
            marks.add(new Mark(i * step, plain(i * step), ""));
        }
        return marks;
    }

    private List<Mark> decades() {
        boolean between = Math.log10(high / low) < DECADES_WITHOUT_LABELS_BETWEEN;
        boolean isPlain = low >= 1e-3 && high < 1e5;
        List<Mark> marks = new ArrayList<>();
        for (int decade = (int) Math.floor(Math.log10(low)); decade <= Math.log10(high); decade++) {
            for (int digit = 1; digit < 10; digit++) {
                double value = digit * Math.pow(10, decade);
                if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
                    boolean isLabelled = digit == 1 || between && (digit == 2 || digit == 5);
                    marks.add(!isLabelled ? new Mark(value, "", "") : isPlain ? new Mark(value, plain(value), "")
                        : new Mark(value, (digit == 1 ? "" : digit + " · ") + "10", Integer.toString(decade)
                            .replace('-', '−')));
                }
            }
        }
        return marks;
    }

    private List<Mark> powersOfTwo() {
        int first = (int) Math.ceil(Math.log(low) / Math.log(2) - 1e-9);
        int last = (int) Math.floor(Math.log(high) / Math.log(2) + 1e-9);
        int every = Math.max(1, (last - first + MOST_LABELS) / MOST_LABELS);
        List<Mark> marks = new ArrayList<>();
        for (int power = first; power <= last; power++) {
            marks.add(new Mark(Math.pow(2, power), (power - first) % every == 0 ? binary(power) : "", ""));
        }
        return marks;
    }

    /** Up to 8192 as it is. */
    private static String binary(int power) {
        int prefix = power < 14 ? 0 : Math.min(power / 10, BINARY.length - 1);
        return power < 0 ? plain(Math.pow(2, power)) : (1L << power - 10 * prefix) + BINARY[prefix];
    }

    /** A number without needless digits. */
    static String plain(double value) {
        String text = String.format(Locale.ROOT, "%.6f", value);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
