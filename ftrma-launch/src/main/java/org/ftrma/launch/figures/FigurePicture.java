package org.ftrma.launch.figures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.launch.figures.Figure.Bars;
import org.ftrma.launch.figures.Figure.Lines;

/**
 * A figure as it is printed: as wide as a column of a journal, 85 mm, with text of 7 points, no title, and curves that
 * differ in colour, mark and dashes. Units are points. One thread.
 */
final class FigurePicture {
    static final double WIDTH = 241;
    private static final double PLOT_HEIGHT = 140;
    private static final double LEFT = 38;
    private static final double TOP = 6;
    private static final double BELOW = 36;
    private static final double LEGEND_LINE = 9;
    private static final double LEGEND_LEFT = 12;
    private static final float SIZE = 7;
    private static final double MARK = 3;
    /** Okabe and Ito's colours, which the colour-blind can tell apart. */
    private static final Color[] COLOURS = {new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73),
        new Color(0xCC79A7), new Color(0xE69F00), new Color(0x56B4E9), Color.BLACK, new Color(0x777777)};
    private static final float[][] DASHES = {null, {4, 2}, {1, 1.5f}, {4, 1.5f, 1, 1.5f}};
    private static final Color BAR = new Color(0x9CC4E0);
    private static final Color OF_PAPER = new Color(0xD55E00);

    private final Figure figure;
    private final Font font;
    private final List<Curve> curves;

    /** A value with its spread; both are NaN where there is none. */
    private record Point(double x, double y, double least, double greatest) {
        boolean hasSpread() {
            return !Double.isNaN(least) && !Double.isNaN(greatest);
        }
    }

    private record Curve(String words, List<Point> points, boolean isSecond) {
    }

    FigurePicture(Figure figure, Font font) {
        this.figure = figure;
        this.font = font.deriveFont(SIZE);
        curves = figure.drawing() instanceof Lines lines ? curves(lines) : List.of();
    }

    /** The height that it takes. */
    double height() {
        return TOP + PLOT_HEIGHT + BELOW + LEGEND_LINE * legendLines();
    }

    private int legendLines() {
        return curves.isEmpty() ? paper().count() > 0 ? 2 : 1 : (curves.size() + legendColumns() - 1)
            / legendColumns();
    }

    /** Two, where all words fit into half of the width. */
    private int legendColumns() {
        double widest = curves.stream().mapToDouble(curve -> font.getStringBounds(curve.words,
            new FontRenderContext(null, true, true)).getWidth()).max().orElse(0);
        return widest + 20 < (WIDTH - LEGEND_LEFT) / 2 ? 2 : 1;
    }

    private Stream<PaperValues.Range> paper() {
        return figure.drawing() instanceof Bars bars ? figure.rows().stream().map(row -> PaperValues.of(figure.name(),
            row.get(bars.label()).toString())).filter(range -> range != null) : Stream.of();
    }

    void draw(Graphics2D graphics) {
        graphics.setFont(font);
        graphics.setColor(Color.BLACK);
        switch (figure.drawing()) {
            case Bars bars -> draw(graphics, bars);
            case Lines lines -> draw(graphics, lines);
        }
    }

    private static double number(Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private double cell(List<Object> row, int column) {
        return column < 0 ? Double.NaN : number(row.get(column));
    }

    /** The column with a bound of the spread of another one, or -1. */
    private int bound(int column, String which) {
        String head = figure.heads().get(column);
        int own = figure.heads().indexOf(head + which);
        return own >= 0 ? own : figure.heads().indexOf(which.toLowerCase(Locale.ROOT)
            + Character.toUpperCase(head.charAt(0)) + head.substring(1));
    }

    private List<Curve> curves(Lines lines) {
        List<Curve> all = new ArrayList<>();
        if (lines.series() >= 0) {
            Map<String, List<List<Object>>> parts = new LinkedHashMap<>();
            figure.rows().forEach(row -> parts.computeIfAbsent(row.get(lines.series()).toString(),
                name -> new ArrayList<>()).add(row));
            parts.forEach((name, rows) -> all.add(curve(FigureWords.of(figure.name(), name), rows, lines,
                lines.y().getFirst(), false)));
        } else {
            lines.y().forEach(y -> all.add(curve(FigureWords.of(figure.name(), figure.heads().get(y)), figure.rows(),
                lines, y, false)));
        }
        if (lines.second() >= 0) {
            all.add(curve(lines.secondTitle() + " (right axis)", figure.rows(), lines, lines.second(), true));
        }
        all.removeIf(curve -> curve.points.isEmpty());
        return joined(all);
    }

    /** Curves that lie on the axis are one: nobody could tell them apart. */
    private static List<Curve> joined(List<Curve> all) {
        List<Curve> flat = all.stream().filter(curve -> curve.points.stream().allMatch(point -> point.y == 0)).toList();
        if (flat.size() < 2) {
            return all;
        }
        List<Curve> joined = new ArrayList<>(all);
        joined.removeAll(flat);
        joined.addFirst(new Curve(flat.stream().map(curve -> curve.words.split(" ")[0]).distinct()
            .collect(Collectors.joining(", ")) + ": none", flat.stream().flatMap(curve -> curve.points.stream())
            .sorted(Comparator.comparingDouble(Point::x)).toList(), flat.getFirst().isSecond));
        return joined;
    }

    /** Points that are no numbers, or cannot be drawn on a logarithmic axis, are left out. */
    private Curve curve(String words, List<List<Object>> rows, Lines lines, int y, boolean isSecond) {
        boolean log = lines.logY() && !isSecond;
        List<Point> points = new ArrayList<>();
        for (List<Object> row : rows) {
            double value = cell(row, y);
            if (!Double.isNaN(value) && (!log || value > 0)) {
                points.add(new Point(cell(row, lines.x()), value, cell(row, bound(y, "Least")), cell(row, bound(y,
                    "Greatest"))));
            }
        }
        return new Curve(words, points, isSecond);
    }

    private void draw(Graphics2D graphics, Bars bars) {
        List<Double> values = new ArrayList<>();
        for (List<Object> row : figure.rows()) {
            values.addAll(List.of(cell(row, bars.median()), cell(row, bars.least()), cell(row, bars.greatest())));
        }
        paper().forEach(range -> values.add(range.greatest()));
        Axis y = Axis.of(Axis.Kind.LINEAR, true, values);
        Rectangle2D plot = new Rectangle2D.Double(LEFT, TOP, WIDTH - LEFT - 6, PLOT_HEIGHT);
        vertical(graphics, plot, y, bars.yTitle(), false);
        double slot = plot.getWidth() / figure.rows().size();
        double width = Math.min(22, slot * 0.45);
        for (int i = 0; i < figure.rows().size(); i++) {
            List<Object> row = figure.rows().get(i);
            double middle = plot.getX() + (i + 0.5) * slot;
            PaperValues.Range paper = PaperValues.of(figure.name(), row.get(bars.label()).toString());
            double left = middle - (paper == null ? width / 2 : width * 0.75);
            double top = place(plot, y, cell(row, bars.median()));
            graphics.setColor(BAR);
            graphics.fill(new Rectangle2D.Double(left, top, width, plot.getMaxY() - top));
            graphics.setColor(Color.BLACK);
            spread(graphics, plot, y, left + width / 2, cell(row, bars.least()), cell(row, bars.greatest()));
            if (paper != null) {
                ofPaper(graphics, left + width + 1.5, width / 2, place(plot, y, paper.greatest()), place(plot, y,
                    paper.least()));
            }
            centred(graphics, FigureWords.of(figure.name(), row.get(bars.label()).toString()), middle, plot.getMaxY(),
                slot);
        }
        graphics.setColor(Color.BLACK);
        graphics.setStroke(new BasicStroke(0.5f));
        graphics.draw(new Line2D.Double(plot.getX(), plot.getMaxY(), plot.getMaxX(), plot.getMaxY()));
        double at = plot.getMaxY() + BELOW;
        graphics.setColor(BAR);
        graphics.fill(new Rectangle2D.Double(LEFT, at - 5, 10, 5));
        graphics.setColor(Color.BLACK);
        text(graphics, "ours: median, and from the least to the greatest", LEFT + 14, at);
        paper().findFirst().ifPresent(range -> {
            ofPaper(graphics, LEFT, 10, at + LEGEND_LINE - 5, at + LEGEND_LINE);
            text(graphics, range.source() + ": what it says", LEFT + 14,
                at + LEGEND_LINE);
        });
    }

    /** A box, which is a line where the paper has one value. */
    private static void ofPaper(Graphics2D graphics, double left, double width, double top, double bottom) {
        graphics.setColor(OF_PAPER);
        graphics.fill(new Rectangle2D.Double(left, Math.min(top, bottom - 1), width, Math.max(1, bottom - top)));
        graphics.setColor(Color.BLACK);
    }

    private static double place(Rectangle2D plot, Axis axis, double value) {
        return plot.getMaxY() - axis.at(value) * plot.getHeight();
    }

    private static void spread(Graphics2D graphics, Rectangle2D plot, Axis axis, double x, double least,
        double greatest) {
        double top = place(plot, axis, greatest);
        double bottom = place(plot, axis, least);
        graphics.setStroke(new BasicStroke(0.6f));
        graphics.draw(new Line2D.Double(x, top, x, bottom));
        graphics.draw(new Line2D.Double(x - 2, top, x + 2, top));
        graphics.draw(new Line2D.Double(x - 2, bottom, x + 2, bottom));
    }

    private static boolean isPowerOfTwo(double value) {
        return value >= 1 && value == Math.rint(value) && Long.bitCount((long) value) == 1;
    }

    private Axis vertical(Lines lines, boolean isSecond) {
        List<Double> values = new ArrayList<>();
        for (Curve curve : curves) {
            if (curve.isSecond == isSecond) {
                curve.points.forEach(point -> values.addAll(List.of(point.y, point.least, point.greatest)));
            }
        }
        return Axis.of(lines.logY() && !isSecond ? Axis.Kind.DECADES : Axis.Kind.LINEAR, true, values);
    }

    private void draw(Graphics2D graphics, Lines lines) {
        List<Double> all = curves.stream().flatMap(curve -> curve.points.stream()).map(Point::x).toList();
        Axis x = Axis.of(!lines.logX() ? Axis.Kind.LINEAR : all.stream().allMatch(FigurePicture::isPowerOfTwo)
            ? Axis.Kind.POWERS_OF_TWO : Axis.Kind.DECADES, false, all);
        Axis y = vertical(lines, false);
        Axis second = lines.second() >= 0 ? vertical(lines, true) : null;
        Rectangle2D plot = new Rectangle2D.Double(LEFT, TOP, WIDTH - LEFT - (second == null ? 6 : LEFT - 4),
            PLOT_HEIGHT);
        vertical(graphics, plot, y, lines.yTitle(), false);
        if (second != null) {
            vertical(graphics, plot, second, lines.secondTitle(), true);
        }
        horizontal(graphics, plot, x, lines.xTitle());
        graphics.draw(plot);
        int columns = legendColumns();
        for (int i = 0; i < curves.size(); i++) {
            Curve curve = curves.get(i);
            draw(graphics, plot, x, curve.isSecond ? second : y, curve, i);
            double left = LEGEND_LEFT + i % columns * (WIDTH - LEGEND_LEFT) / columns;
            double at = plot.getMaxY() + BELOW + i / columns * LEGEND_LINE;
            style(graphics, i);
            graphics.draw(new Line2D.Double(left, at - 2.5, left + 14, at - 2.5));
            mark(graphics, i, left + 7, at - 2.5);
            graphics.setColor(Color.BLACK);
            text(graphics, curve.words, left + 17, at);
        }
    }

    private static void style(Graphics2D graphics, int number) {
        graphics.setColor(COLOURS[number % COLOURS.length]);
        graphics.setStroke(new BasicStroke(0.9f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 4,
            DASHES[number % DASHES.length], 0));
    }

    private static void draw(Graphics2D graphics, Rectangle2D plot, Axis x, Axis y, Curve curve, int number) {
        Path2D path = new Path2D.Double();
        for (Point point : curve.points) {
            double across = plot.getX() + x.at(point.x) * plot.getWidth();
            if (path.getCurrentPoint() == null) {
                path.moveTo(across, place(plot, y, point.y));
            } else {
                path.lineTo(across, place(plot, y, point.y));
            }
        }
        style(graphics, number);
        graphics.draw(path);
        for (Point point : curve.points) {
            double across = plot.getX() + x.at(point.x) * plot.getWidth();
            if (point.hasSpread()) {
                spread(graphics, plot, y, across, point.least, point.greatest);
            }
            mark(graphics, number, across, place(plot, y, point.y));
        }
        graphics.setColor(Color.BLACK);
    }

    private static void mark(Graphics2D graphics, int number, double x, double y) {
        double half = MARK / 2;
        Shape square = new Rectangle2D.Double(x - half, y - half, MARK, MARK);
        Path2D triangle = new Path2D.Double();
        triangle.moveTo(x - MARK * 0.6, y + half);
        triangle.lineTo(x + MARK * 0.6, y + half);
        triangle.lineTo(x, y - MARK * 0.6);
        triangle.closePath();
        Shape shape = switch (number % 4) {
            case 0 -> new Ellipse2D.Double(x - half, y - half, MARK, MARK);
            case 1 -> square;
            case 2 -> AffineTransform.getRotateInstance(Math.PI / 4, x, y).createTransformedShape(square);
            default -> triangle;
        };
        graphics.fill(shape);
    }

    private void vertical(Graphics2D graphics, Rectangle2D plot, Axis axis, String title, boolean isRight) {
        double edge = isRight ? plot.getMaxX() : plot.getX();
        graphics.setStroke(new BasicStroke(0.5f));
        graphics.draw(new Line2D.Double(edge, plot.getY(), edge, plot.getMaxY()));
        double free = Double.MAX_VALUE;
        for (Axis.Mark mark : axis.marks()) {
            double at = place(plot, axis, mark.value());
            double length = mark.label().isEmpty() ? 1.5 : 3;
            graphics.draw(new Line2D.Double(edge, at, edge + (isRight ? -length : length), at));
            if (!mark.label().isEmpty() && at < free - SIZE) {
                double width = width(graphics, mark);
                label(graphics, mark, isRight ? edge + 3 : edge - 3 - width, at + SIZE * 0.35);
                free = at;
            }
        }
        AffineTransform before = graphics.getTransform();
        double x = isRight ? WIDTH - 3 : 8;
        graphics.translate(x, plot.getCenterY());
        graphics.rotate(-Math.PI / 2);
        text(graphics, title, -graphics.getFontMetrics().stringWidth(title) / 2.0, 0);
        graphics.setTransform(before);
    }

    private void horizontal(Graphics2D graphics, Rectangle2D plot, Axis axis, String title) {
        graphics.setStroke(new BasicStroke(0.5f));
        for (Axis.Mark mark : axis.marks()) {
            double at = plot.getX() + axis.at(mark.value()) * plot.getWidth();
            graphics.draw(new Line2D.Double(at, plot.getMaxY(), at, plot.getMaxY() - (mark.label().isEmpty() ? 1.5
                : 3)));
            label(graphics, mark, at - width(graphics, mark) / 2, plot.getMaxY() + 8);
        }
        text(graphics, title, plot.getCenterX() - graphics.getFontMetrics().stringWidth(title) / 2.0,
            plot.getMaxY() + 18);
    }

    private double width(Graphics2D graphics, Axis.Mark mark) {
        return graphics.getFontMetrics().stringWidth(mark.label()) + graphics.getFontMetrics().stringWidth(
            mark.exponent()) * 0.75;
    }

    private void label(Graphics2D graphics, Axis.Mark mark, double x, double y) {
        if (mark.label().isEmpty()) {
            return;
        }
        text(graphics, mark.label(), x, y);
        if (!mark.exponent().isEmpty()) {
            graphics.setFont(font.deriveFont(SIZE * 0.75f));
            text(graphics, mark.exponent(), x + graphics.getFontMetrics(font).stringWidth(mark.label()), y - 2.5);
            graphics.setFont(font);
        }
    }

    /** In as many lines as the words need. */
    private void centred(Graphics2D graphics, String text, double middle, double top, double room) {
        List<String> lines = new ArrayList<>();
        for (String word : text.split(" ")) {
            String longer = lines.isEmpty() ? word : lines.getLast() + " " + word;
            if (!lines.isEmpty() && graphics.getFontMetrics().stringWidth(longer) < room) {
                lines.set(lines.size() - 1, longer);
            } else {
                lines.add(word);
            }
        }
        for (int i = 0; i < lines.size(); i++) {
            text(graphics, lines.get(i), middle - graphics.getFontMetrics().stringWidth(lines.get(i)) / 2.0,
                top + 8 + i * 8);
        }
    }

    private static void text(Graphics2D graphics, String text, double x, double y) {
        graphics.drawString(text, (float) x, (float) y);
    }
}
