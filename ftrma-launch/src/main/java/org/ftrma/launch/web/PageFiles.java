package org.ftrma.launch.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** The files that a page is made of, by path: there are no others. Immutable; any thread. */
final class PageFiles {
    /** uPlot draws the charts (MIT); its files come as they are. */
    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    private final Map<String, PageFile> files = Map.of(
        "/", new PageFile("text/html; charset=utf-8", bytes("page.html")),
        "/page.js", new PageFile(SCRIPT, bytes("page.js")),
        "/page.css", new PageFile(STYLE, bytes("page.css")),
        "/icon.svg", new PageFile("image/svg+xml", bytes("icon.svg")),
        "/uplot.js", new PageFile(SCRIPT, bytes(UPLOT + "uPlot.iife.min.js")),
        "/uplot.css", new PageFile(STYLE, bytes(UPLOT + "uPlot.min.css")));

    /** One of them. */
    record PageFile(String type, byte[] bytes) {
    }

    private static byte[] bytes(String name) {
        try (InputStream in = PageFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the class path has no " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    /** The one of a path, or null. */
    PageFile at(String path) {
        return files.get(path);
    }
}
