package org.ftrma.bench.figures;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/**
 * A logarithmic axis that labels 2 and 5 times a power of ten, too, if it covers few decades, and powers of two as in
 * 64 Ki; JFreeChart's own labels powers of its base only. One thread.
 */
final class LabelledLogAxis extends LogAxis {
    private static final int MOST_LABELS = 8;
    private static final double FEW_DECADES = 3.2;
    private static final String[] BINARY = {"", " Ki", " Mi", " Gi"};

    /**
     * An axis without a range; its plot sets that.
     *
     * @param base 2 or 10
     */
    LabelledLogAxis(String title, int base) {
        super(title);
        setBase(base);
    }

    @Override
    public List<ValueTick> refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
        TextAnchor anchor = RectangleEdge.isTopOrBottom(edge) ? TextAnchor.TOP_CENTER
            : edge == RectangleEdge.LEFT ? TextAnchor.CENTER_RIGHT : TextAnchor.CENTER_LEFT;
        int first = (int) Math.floor(calculateLog(getLowerBound()));
        int last = (int) Math.floor(calculateLog(getUpperBound()));
        int every = getBase() == 2 ? (last - first) / MOST_LABELS + 1 : 1;
        boolean between = calculateLog(getUpperBound() / getLowerBound()) < FEW_DECADES;
        List<ValueTick> ticks = new ArrayList<>();
        for (int power = first; power <= last; power++) {
            for (int digit = 1; digit < getBase(); digit++) {
                double value = digit * calculateValue(power);
                if (getRange().contains(value)) {
                    boolean isLabelled = digit == 1 ? power % every == 0 : between && (digit == 2 || digit == 5);
                    ticks.add(new NumberTick(digit == 1 ? TickType.MAJOR : TickType.MINOR, value,
                        isLabelled ? label(value) : "", anchor, TextAnchor.CENTER, 0));
                }
            }
        }
        return ticks;
    }

    private String label(double value) {
        if (getBase() == 2) {
            int prefix = value > 8192 ? Math.min((int) Math.round(calculateLog(value)) / 10, BINARY.length - 1) : 0;
            return plain(value / (1L << 10 * prefix)) + BINARY[prefix];
        }
        return getLowerBound() >= 1e-3 && getUpperBound() < 1e5 ? plain(value)
            : String.format(Locale.ROOT, "%.0e", value).replaceAll("e\\+?(-?)0*", "e$1");
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
