package org.ftrma.launch.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ftrma.MisuseException;
import org.ftrma.xor.domains.Placement;
import org.ftrma.xor.domains.Topology;

/**
 * A placement as an SVG: boxes in boxes for the failure domains, a square for each member with its group's number and
 * colour, and a legend. One thread.
 */
final class PlacementPicture {
    private static final int CELL = 18;
    private static final int GAP = 4;
    private static final int TITLE = 12;
    private static final int LEGEND = 22;
    private static final int LEGEND_WIDTH = 330;
    private static final String CHECKSUM = " stroke=\"black\" stroke-width=\"2\"";
    private static final double GOLDEN_ANGLE = 137.508;
    private final Placement placement;
    private final Topology topology;
    private final List<List<Integer>> members = new ArrayList<>();
    private final StringBuilder body = new StringBuilder();

    private record Size(int width, int height) {
    }

    private PlacementPicture(Placement placement) {
        this.placement = placement;
        topology = placement.topology();
        for (int node = 0; node < topology.nodes(); node++) {
            members.add(new ArrayList<>());
        }
        for (int member = 0; member < placement.members(); member++) {
            members.get(placement.nodeOf(member)).add(member);
        }
    }

    static void write(Placement placement, Path file) {
        if (!file.toString().endsWith(".svg")) {
            throw new MisuseException("--picture=" + file
                + ": a placement is drawn as SVG, so the name must end in .svg");
        }
        try {
            Files.writeString(file, new PlacementPicture(placement).svg());
        } catch (IOException e) {
            throw LocatedJson.caused(new MisuseException("--picture=" + file + ": cannot be written: "
                + MachineArguments.why(e)), e);
        }
    }

    private String svg() {
        Size size = children(topology.levels() + 1, 0, topology.nodes(), GAP, GAP);
        return String.format(Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\">%n"
            + "<title>%s</title>%n%s%s</svg>%n", Math.max(size.width, LEGEND_WIDTH) + 2 * GAP,
            size.height + 2 * GAP + LEGEND, escape(topology.toString()), body, legend(size.height + 3 * GAP));
    }

    private static String legend(int top) {
        return sample(GAP, top, "", "a rank, with its group's number") + sample(GAP + LEGEND_WIDTH / 2, top, CHECKSUM,
            "a checksum rank of that group");
    }

    private static String sample(int left, int top, String border, String words) {
        return String.format(Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#ddd\"%s/>%n"
            + "<text x=\"%d\" y=\"%d\" font-size=\"9\">%s</text>%n", left, top, CELL - 2, CELL - 2, border,
            left + CELL + GAP, top + TITLE, words);
    }

    /** Lays out everything of the level below in rows, within the range of nodes; returns the size. */
    private Size children(int level, int firstNode, int endNode, int left, int top) {
        int below = level - 1;
        int first = topology.domainOf(firstNode, below);
        int count = topology.domainOf(endNode - 1, below) - first + 1;
        int columns = Math.max(1, (int) Math.ceil(Math.sqrt(count)));
        int x = left;
        int y = top;
        int width = 0;
        int rowHeight = 0;
        for (int i = 0; i < count; i++) {
            if (i > 0 && i % columns == 0) {
                x = left;
                y += rowHeight + GAP;
                rowHeight = 0;
            }
            Size size = box(below, first + i, x, y);
            x += size.width + GAP;
            width = Math.max(width, x - GAP - left);
            rowHeight = Math.max(rowHeight, size.height);
        }
        return new Size(width, y + rowHeight - top);
    }

    private Size box(int level, int domain, int left, int top) {
        String name = topology.domainName(level, domain);
        Size inner = level == 1 ? squares(domain, left + GAP, top + TITLE)
            : children(level, topology.firstNode(level, domain), topology.endNode(level, domain), left + GAP,
            top + TITLE);
        int width = Math.max(inner.width, name.length() * TITLE / 2) + 2 * GAP;
        int height = inner.height + TITLE + GAP;
        body.append(String.format(Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#555\"/>%n"
            + "<text x=\"%d\" y=\"%d\" font-size=\"9\">%s</text>%n", left, top, width, height, left + GAP,
            top + TITLE - 3, escape(name)));
        return new Size(width, height);
    }

    private Size squares(int node, int left, int top) {
        List<Integer> inside = members.get(node);
        int columns = Math.max(1, (int) Math.ceil(Math.sqrt(inside.size())));
        for (int i = 0; i < inside.size(); i++) {
            int member = inside.get(i);
            boolean checksum = member >= placement.ranks();
            int group = placement.groupOf(member);
            int x = left + i % columns * CELL;
            int y = top + i / columns * CELL;
            body.append(String.format(Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"hsl(%.0f,70%%,80%%)\"%s>"
                + "<title>%s %d, group %d</title></rect>%n"
                + "<text x=\"%d\" y=\"%d\" font-size=\"7\" text-anchor=\"middle\">%d</text>%n", x, y,
                CELL - 2, CELL - 2,
                group * GOLDEN_ANGLE % 360, checksum ? CHECKSUM : "", checksum ? "checksum rank" : "rank",
                checksum ? member - placement.ranks() : member, group, x + CELL / 2 - 1, y + CELL / 2 + 2, group));
        }
        return new Size(columns * CELL, Math.max(1, (inside.size() + columns - 1) / columns) * CELL);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
