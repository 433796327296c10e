package org.ftrma.launch.figures;

import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2D;
import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2DFontTextDrawer;
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
import java.util.Locale;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType0Font;

/**
 * A figure's picture as PDF and SVG, whose text is text, and as pixels. All are drawn in Liberation Sans, which comes
 * with PDFBox and is embedded in the PDF; it has the measures of Arial and Helvetica, which an SVG is shown with where
 * it is not installed. One thread.
 */
final class PictureFiles {
    /** Pixels across. */
    static final int PIXELS = 900;
    private static final String FONT = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    private static final String FAMILY = "Liberation Sans";

    private final FigurePicture picture;
    private final double height;

    PictureFiles(Figure figure) throws IOException {
        try (InputStream file = font()) {
            picture = new FigurePicture(figure, Font.createFont(Font.TRUETYPE_FONT, file));
        } catch (FontFormatException e) {
            throw new IOException("the font of pictures cannot be read: " + e.getMessage(), e);
        }
        height = Math.ceil(picture.height());
    }

    private static InputStream font() throws IOException {
        InputStream file = PDDocument.class.getResourceAsStream(FONT);
        if (file == null) {
            throw new IOException("PDFBox has no " + FONT);
        }
        return file;
    }

    BufferedImage pixels() {
        double scale = PIXELS / FigurePicture.WIDTH;
        BufferedImage image = new BufferedImage(PIXELS, (int) Math.ceil(height * scale), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.scale(scale, scale);
        graphics.setRenderingHints(Map.of(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON,
            RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON,
            RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE,
            RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON));
        picture.draw(graphics);
        graphics.dispose();
        return image;
    }

    void svg(String remarks, Path file) throws IOException {
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
        picture.draw(graphics);
        StringWriter writer = new StringWriter();
        graphics.stream(writer, true);
        String text = writer.toString();
        int begin = text.indexOf("<svg");
        int end = text.indexOf('>', begin);
        String size = String.format(Locale.ROOT, " width=\"%1$.0fpt\" height=\"%2$.0fpt\" "
            + "viewBox=\"0 0 %1$.0f %2$.0f\"", FigurePicture.WIDTH, height);
        String head = text.substring(begin, end).replaceAll(" (width|height|viewBox)=\"[^\"]*\"", "");
        String escaped = remarks.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        Files.writeString(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + head + size + ">\n<desc>" + escaped
            + "</desc>" + text.substring(end + 1).replaceAll("'" + FAMILY + "'", "'" + FAMILY
            + "', Arial, Helvetica, sans-serif"), StandardCharsets.UTF_8);
    }

    void pdf(String title, String remarks, Path file) throws IOException {
        try (PDDocument document = new PDDocument(); InputStream font = font()) {
            PDPage page = new PDPage(new PDRectangle((float) FigurePicture.WIDTH, (float) height));
            document.addPage(page);
            document.getDocumentInformation().setTitle(title);
            document.getDocumentInformation().setSubject(remarks);
            PdfBoxGraphics2D graphics = new PdfBoxGraphics2D(document, (float) FigurePicture.WIDTH, (float) height);
            PdfBoxGraphics2DFontTextDrawer text = new PdfBoxGraphics2DFontTextDrawer();
            text.registerFont(FAMILY, PDType0Font.load(document, font));
            graphics.setFontTextDrawer(text);
            picture.draw(graphics);
            graphics.dispose();
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.drawForm(graphics.getXFormObject());
            }
            document.save(file.toFile());
        }
    }
}
