package org.ftrma.bench.figures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ftrma.bench.figures.Drawing.Bars;
import org.ftrma.bench.figures.Drawing.Lines;
import org.ftrma.launch.figures.Figure;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.StandardChartTheme;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.IntervalBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.category.StatisticalLineAndShapeRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.util.ShapeUtils;
import org.jfree.data.category.DefaultIntervalCategoryDataset;
import org.jfree.data.statistics.DefaultStatisticalCategoryDataset;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/**
 * A figure as it is printed, drawn by JFreeChart: as wide as a column of a journal, 85 mm, with text of 7 points, no
 * title, and curves that differ in colour, mark and dashes. Units are points. One thread.
 */
final class FigureChart {
    static final double WIDTH = 241;
    static final double HEIGHT = 200;
    private static final float SIZE = 7;
    private static final float THIN = 0.6f;
    private static final double MARK = 3;
    private static final double CAP = 4;
    /** Okabe and Ito's colours, which the colour-blind can tell apart. */
    private static final Color[] COLOURS = {new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73),
        new Color(0xCC79A7), new Color(0xE69F00), new Color(0x56B4E9), Color.BLACK, new Color(0x777777)};
    private static final float[][] DASHES = {null, {4, 2}, {1, 1.5f}, {4, 1.5f, 1, 1.5f}};
    private static final Shape[] MARKS = {new Ellipse2D.Double(-MARK / 2, -MARK / 2, MARK, MARK),
        new Rectangle2D.Double(-MARK / 2, -MARK / 2, MARK, MARK), ShapeUtils.createUpTriangle((float) MARK / 2),
        ShapeUtils.createDiamond((float) MARK * 0.6f), ShapeUtils.createDownTriangle((float) MARK / 2)};
    private static final Color BAR = new Color(0x9CC4E0);
    private static final Color OF_PAPER = new Color(0xD55E00);
    private static final int MOST_LINES_OF_A_LABEL = 4;

    private final Figure figure;
    private final JFreeChart chart;

    FigureChart(Figure figure, Font font) {
        this.figure = figure;
        Plot plot = switch (Drawing.of(figure)) {
            case Bars bars -> plot(bars);
            case Lines lines -> plot(lines);
        };
        chart = new JFreeChart(null, null, plot, true);
        StandardChartTheme theme = new StandardChartTheme("print");
        Font small = font.deriveFont(SIZE);
        theme.setExtraLargeFont(small);
        theme.setLargeFont(small);
        theme.setRegularFont(small);
        theme.setSmallFont(small);
        theme.setAxisLabelPaint(Color.BLACK);
        theme.setTickLabelPaint(Color.BLACK);
        theme.setLegendItemPaint(Color.BLACK);
        theme.setPlotBackgroundPaint(Color.WHITE);
        theme.setAxisOffset(RectangleInsets.ZERO_INSETS);
        theme.setBarPainter(new StandardBarPainter());
        theme.setShadowVisible(false);
        theme.apply(chart);
        chart.setPadding(new RectangleInsets(3, 0, 0, 4));
        chart.getLegend().setBorder(0, 0, 0, 0);
        chart.getLegend().setItemLabelPadding(new RectangleInsets(0, 2, 0, 6));
    }

    void draw(Graphics2D graphics) {
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
    }

    private static double cell(List<Object> row, int column) {
        return column >= 0 && row.get(column) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private Plot plot(Bars bars) {
        List<String> labels = new ArrayList<>();
        List<PaperValues.Range> paper = new ArrayList<>();
        for (List<Object> row : figure.rows()) {
            labels.add(FigureWords.of(figure.name(), row.get(bars.label()).toString()));
            paper.add(PaperValues.of(figure.name(), row.get(bars.label()).toString()));
        }
        List<String> series = new ArrayList<>(List.of("ours: median, and from the least to the greatest"));
        paper.stream().filter(range -> range != null).findFirst().ifPresent(range -> series.add(range.source()
            + ": what it says"));
        Number[][] begins = new Number[series.size()][labels.size()];
        Number[][] ends = new Number[series.size()][labels.size()];
        DefaultStatisticalCategoryDataset spreads = new DefaultStatisticalCategoryDataset();
        for (int i = 0; i < labels.size(); i++) {
            List<Object> row = figure.rows().get(i);
            begins[0][i] = 0;
            ends[0][i] = cell(row, bars.median());
            double least = cell(row, bars.least());
            double greatest = cell(row, bars.greatest());
            spreads.add((least + greatest) / 2, (greatest - least) / 2, series.getFirst(), labels.get(i));
            if (paper.get(i) != null) {
                begins[1][i] = paper.get(i).least();
                ends[1][i] = paper.get(i).greatest();
            }
            if (series.size() > 1) {
                spreads.add(null, null, series.getLast(), labels.get(i)); // so that spreads stand on our bars
            }
        }
        CategoryAxis x = new CategoryAxis();
        x.setCategoryMargin(0.5);
        x.setMaximumCategoryLabelWidthRatio(2.1f); // its bars, and half of the gaps beside them
        x.setMaximumCategoryLabelLines(MOST_LINES_OF_A_LABEL);
        CategoryPlot plot = new CategoryPlot(new DefaultIntervalCategoryDataset(series.toArray(String[]::new),
            labels.toArray(String[]::new), begins, ends), x, new NumberAxis(bars.yTitle()), barRenderer());
        plot.setDataset(1, spreads);
        plot.setRenderer(1, spreadRenderer());
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        return plot;
    }

    /** The paper's bars have outlines, which show where it has one value and no range. */
    private static IntervalBarRenderer barRenderer() {
        IntervalBarRenderer renderer = new IntervalBarRenderer();
        renderer.setItemMargin(0);
        renderer.setDrawBarOutline(true);
        renderer.setDefaultOutlineStroke(new BasicStroke(THIN));
        renderer.setAutoPopulateSeriesPaint(false);
        renderer.setAutoPopulateSeriesOutlinePaint(false);
        List<Color> colours = List.of(BAR, OF_PAPER);
        for (int i = 0; i < colours.size(); i++) {
            renderer.setSeriesPaint(i, colours.get(i));
            renderer.setSeriesOutlinePaint(i, colours.get(i));
        }
        return renderer;
    }

    private static StatisticalLineAndShapeRenderer spreadRenderer() {
        StatisticalLineAndShapeRenderer renderer = new StatisticalLineAndShapeRenderer(false, false);
        renderer.setUseSeriesOffset(true);
        renderer.setItemMargin(0);
        renderer.setErrorIndicatorPaint(Color.BLACK);
        renderer.setErrorIndicatorStroke(new BasicStroke(THIN));
        renderer.setDefaultSeriesVisibleInLegend(false);
        return renderer;
    }

    private Plot plot(Lines lines) {
        List<YIntervalSeries> curves = curves(lines);
        if (lines.second() >= 0) {
            curves.add(curve(lines.secondTitle() + " (right axis)", figure.rows(), lines, lines.second()));
        }
        boolean isBinary = figure.rows().stream().allMatch(row -> isPowerOfTwo(cell(row, lines.x())));
        NumberAxis linear = new NumberAxis(lines.xTitle());
        linear.setAutoRangeIncludesZero(false);
        XYPlot plot = new XYPlot(null, lines.logX() ? new LabelledLogAxis(lines.xTitle(), isBinary ? 2 : 10) : linear,
            lines.logY() ? new LabelledLogAxis(lines.yTitle(), 10) : new NumberAxis(lines.yTitle()), null);
        for (int i = 0; i < curves.size(); i++) {
            YIntervalSeriesCollection one = new YIntervalSeriesCollection();
            one.addSeries(curves.get(i));
            plot.setDataset(i, one);
            plot.setRenderer(i, renderer(curves.get(i), i));
        }
        if (lines.second() >= 0) {
            plot.setRangeAxis(1, new NumberAxis(lines.secondTitle()));
            plot.mapDatasetToRangeAxis(curves.size() - 1, 1);
        }
        return plot;
    }

    private static XYErrorRenderer renderer(YIntervalSeries curve, int number) {
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setAutoPopulateSeriesPaint(false);
        renderer.setAutoPopulateSeriesStroke(false);
        renderer.setDefaultLinesVisible(true);
        renderer.setDrawSeriesLineAsPath(true);
        renderer.setSeriesPaint(0, COLOURS[number % COLOURS.length]);
        renderer.setSeriesStroke(0, new BasicStroke(0.9f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 4,
            DASHES[number % DASHES.length], 0));
        renderer.setSeriesShape(0, MARKS[number % MARKS.length]);
        renderer.setLegendLine(new Line2D.Double(-7, 0, 7, 0));
        renderer.setDrawXError(false);
        renderer.setDrawYError(IntStream.range(0, curve.getItemCount()).anyMatch(i -> curve.getYLowValue(i)
            < curve.getYHighValue(i)));
        renderer.setErrorStroke(new BasicStroke(THIN));
        renderer.setCapLength(CAP);
        return renderer;
    }

    private static boolean isPowerOfTwo(double value) {
        return value >= 1 && value == Math.rint(value) && Long.bitCount((long) value) == 1;
    }

    /** Curves with points; those on the axis are one, because they cannot be told apart. */
    private List<YIntervalSeries> curves(Lines lines) {
        List<YIntervalSeries> all = new ArrayList<>();
        if (lines.series() >= 0) {
            Map<String, List<List<Object>>> parts = figure.rows().stream().collect(Collectors.groupingBy(row ->
                row.get(lines.series()).toString(), LinkedHashMap::new, Collectors.toList()));
            parts.forEach((name, rows) -> all.add(curve(name, rows, lines, lines.y().getFirst())));
        } else {
            lines.y().forEach(y -> all.add(curve(figure.heads().get(y), figure.rows(), lines, y)));
        }
        all.removeIf(YIntervalSeries::isEmpty);
        List<YIntervalSeries> flat = all.stream().filter(curve -> IntStream.range(0, curve.getItemCount())
            .allMatch(i -> curve.getYValue(i) == 0)).toList();
        if (flat.size() > 1) {
            YIntervalSeries joined = new YIntervalSeries(flat.stream().map(curve -> curve.getKey().toString().split(
                " ")[0]).distinct().collect(Collectors.joining(", ")) + ": none");
            flat.forEach(curve -> IntStream.range(0, curve.getItemCount()).forEach(i -> joined.add(
                curve.getX(i).doubleValue(), 0, 0, 0)));
            all.removeAll(flat);
            all.addFirst(joined);
        }
        return all;
    }

    /** Leaves out values that are not numbers, or cannot be drawn on a logarithmic axis. */
    private YIntervalSeries curve(String name, List<List<Object>> rows, Lines lines, int y) {
        YIntervalSeries curve = new YIntervalSeries(FigureWords.of(figure.name(), name));
        int least = bound(y, "Least");
        int greatest = bound(y, "Greatest");
        for (List<Object> row : rows) {
            double value = cell(row, y);
            if (!Double.isNaN(value) && (y == lines.second() || !lines.logY() || value > 0)) {
                boolean hasSpread = !Double.isNaN(cell(row, least)) && !Double.isNaN(cell(row, greatest));
                curve.add(cell(row, lines.x()), value, hasSpread ? cell(row, least) : value,
                    hasSpread ? cell(row, greatest) : value);
            }
        }
        return curve;
    }

    /** The column with a bound of the spread of another one, or -1. */
    private int bound(int column, String which) {
        String head = figure.heads().get(column);
        int own = figure.heads().indexOf(head + which);
        return own >= 0 ? own : figure.heads().indexOf(which.toLowerCase(Locale.ROOT)
            + Character.toUpperCase(head.charAt(0)) + head.substring(1));
    }
}
