package org.ftrma.bench.figures;

import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2D;
import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2DFontTextDrawer;
import java.awt.AWTError;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.ftrma.FtrmaException;
import org.ftrma.launch.figures.Figure;

/**
 * Writes a figure's picture as NAME.svg and NAME.pdf, whose text is text, and as NAME.png. All are drawn in Liberation
 * Sans, which comes with PDFBox and is embedded in the PDF; a viewer shows an SVG in Arial or Helvetica, which have the
 * same measures, if it is not installed. One thread.
 */
final class PictureFiles {
    /** Pixels across. */
    private static final int PIXELS = 900;
    private static final String FONT = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    private static final String FAMILY = "Liberation Sans";

    private static final String PNG_METADATA = "javax_imageio_png_1.0";

    private final FigureChart chart;
    private final String title;
    /** Lines that are stored in each file. */
    private final String remarks;

    private PictureFiles(Figure figure, String remarks) throws IOException {
        try (InputStream file = font()) {
            chart = new FigureChart(figure, Font.createFont(Font.TRUETYPE_FONT, file));
        } catch (FontFormatException e) {
            throw new IOException("the font of pictures cannot be read: " + e.getMessage(), e);
        }
        title = figure.title();
        this.remarks = remarks;
    }

    /**
     * Writes the pictures, and returns them.
     *
     * @throws IOException if they cannot be written
     * @throws FtrmaException of category SETUP if this machine's Java cannot draw
     */
    static List<Path> write(Figure figure, String remarks, Path directory) throws IOException {
        Path png = directory.resolve(figure.name() + ".png");
        Path svg = directory.resolve(figure.name() + ".svg");
        Path pdf = directory.resolve(figure.name() + ".pdf");
        System.setProperty("java.awt.headless", "true");
        try {
            PictureFiles picture = new PictureFiles(figure, remarks);
            picture.png(png);
            picture.svg(svg);
            picture.pdf(pdf);
        } catch (AWTError | InternalError | NoClassDefFoundError | UnsatisfiedLinkError e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, png + ": this machine's Java cannot draw text (" + e
                + "); install a font and fontconfig: sudo apt-get install -y fontconfig fonts-dejavu-core", e);
        }
        return List.of(png, svg, pdf);
    }

    private static InputStream font() throws IOException {
        InputStream file = PDDocument.class.getResourceAsStream(FONT);
        if (file == null) {
            throw new IOException("PDFBox has no " + FONT);
        }
        return file;
    }

    private BufferedImage pixels() {
        double scale = PIXELS / FigureChart.WIDTH;
        BufferedImage image = new BufferedImage(PIXELS, (int) Math.ceil(FigureChart.HEIGHT * scale),
            BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.scale(scale, scale);
        graphics.setRenderingHints(Map.of(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON,
            RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON,
            RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE,
            RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON));
        chart.draw(graphics);
        graphics.dispose();
        return image;
    }

    private void png(Path file) throws IOException {
        BufferedImage image = pixels();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        try (ImageOutputStream output = ImageIO.createImageOutputStream(Files.newOutputStream(file))) {
            IIOMetadata metadata = writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(image),
                null);
            IIOMetadataNode entry = new IIOMetadataNode("tEXtEntry");
            entry.setAttribute("keyword", "Comment");
            entry.setAttribute("value", remarks);
            IIOMetadataNode text = new IIOMetadataNode("tEXt");
            text.appendChild(entry);
            IIOMetadataNode root = new IIOMetadataNode(PNG_METADATA);
            root.appendChild(text);
            metadata.mergeTree(PNG_METADATA, root);
            writer.setOutput(output);
            writer.write(metadata, new IIOImage(image, null, metadata), null);
        } finally {
            writer.dispose();
        }
    }

    private void svg(Path file) throws IOException {
        SVGGraphics2D graphics;
        try {
            SVGGeneratorContext context = SVGGeneratorContext.createDefault(DocumentBuilderFactory.newInstance()
                .newDocumentBuilder().getDOMImplementation().createDocument("http://www.w3.org/2000/svg", "svg",
                null));
            context.setComment(null);
            graphics = new SVGGraphics2D(context, false);
        } catch (ParserConfigurationException e) {
            throw new IOException(e);
        }
        chart.draw(graphics);
        StringWriter writer = new StringWriter();
        graphics.stream(writer, true);
        String text = writer.toString();
        int begin = text.indexOf("<svg");
        int end = text.indexOf('>', begin);
        String size = String.format(Locale.ROOT, " width=\"%1$.0fpt\" height=\"%2$.0fpt\" "
            + "viewBox=\"0 0 %1$.0f %2$.0f\"", FigureChart.WIDTH, FigureChart.HEIGHT);
        String head = text.substring(begin, end).replaceAll(" (width|height|viewBox)=\"[^\"]*\"", "");
        String escaped = remarks.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        Files.writeString(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + head + size + ">\n<desc>" + escaped
            + "</desc>" + text.substring(end + 1).replaceAll("'" + FAMILY + "'", "'" + FAMILY
            + "', Arial, Helvetica, sans-serif"), StandardCharsets.UTF_8);
    }

    private void pdf(Path file) throws IOException {
        try (PDDocument document = new PDDocument(); InputStream font = font()) {
            PDPage page = new PDPage(new PDRectangle((float) FigureChart.WIDTH, (float) FigureChart.HEIGHT));
            document.addPage(page);
            document.getDocumentInformation().setTitle(title);
            document.getDocumentInformation().setSubject(remarks);
            PdfBoxGraphics2D graphics = new PdfBoxGraphics2D(document, (int) FigureChart.WIDTH,
                (int) FigureChart.HEIGHT);
            PdfBoxGraphics2DFontTextDrawer text = new PdfBoxGraphics2DFontTextDrawer();
            text.registerFont(FAMILY, PDType0Font.load(document, font));
            graphics.setFontTextDrawer(text);
            chart.draw(graphics);
            graphics.dispose();
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.drawForm(graphics.getXFormObject());
            }
            document.save(file.toFile());
        }
    }
}
