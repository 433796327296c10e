package org.ftrma.launch.watch;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns, those of numbers to the right. One thread. */
final class Table {
    private final List<String[]> rows = new ArrayList<>();
    private final String numbers;

    /**
     * An empty one.
     *
     * @param numbers of each column r: to the right, or l: to the left
     */
    Table(String numbers, String... titles) {
        this.numbers = numbers;
        rows.add(titles);
    }

    void row(Object... cells) {
        String[] row = new String[cells.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = String.valueOf(cells[i]).replaceAll("\\p{Cntrl}", "?");
        }
        rows.add(row);
    }

    @Override
    public String toString() {
        int[] widths = new int[rows.getFirst().length];
        rows.forEach(row -> {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                String fill = " ".repeat(widths[i] - row[i].length());
                line.append(i == 0 ? "" : "  ").append(numbers.charAt(i) == 'r' ? fill + row[i] : row[i] + fill);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
