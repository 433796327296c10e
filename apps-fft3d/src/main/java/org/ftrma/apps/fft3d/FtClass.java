package org.ftrma.apps.fft3d;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A problem class of NAS FT: its size, its number of time steps, and the reference checksum of each. Immutable; any
 * thread.
 *
 * @param name one of {@link #NAMES}
 * @param nx points in x, likewise ny and nz
 * @param iterations time steps
 * @param checksums real and imaginary part for each time step
 */
record FtClass(String name, int nx, int ny, int nz, int iterations, List<Complex> checksums) {
    /** The names of all classes. */
    static final List<String> NAMES = List.of("S", "W", "A", "B", "C");
    private static final String RESOURCE = "ft-classes.txt";

    /** A reference value. */
    record Complex(double re, double im) {
    }

    /** All classes by name. */
    static Map<String, FtClass> all() {
        Map<String, FtClass> classes = new LinkedHashMap<>();
        InputStream stream = FtClass.class.getResourceAsStream(RESOURCE);
        if (stream == null) {
            throw new IllegalStateException(RESOURCE + " is missing from the program's jar");
        }
        try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            FtClass last = null;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                if (line.startsWith("#")) {
                    continue;
                }
                if (words[0].equals("class")) {
                    last = new FtClass(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]),
                        Integer.parseInt(words[4]),
                        Integer.parseInt(words[5]), new ArrayList<>());
                    classes.put(last.name, last);
                } else if (last != null) {
                    last.checksums.add(new Complex(Double.parseDouble(words[0]), Double.parseDouble(words[1])));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return classes;
    }

    /** Complex numbers in the field. */
    long points() {
        return (long) nx * ny * nz;
    }

    /**
     * Millions of operations per second by NPB's count: N (14.8157 + 7.19641 ln N + (5.23518 + 7.21113 ln N)
     * iterations), N the number of
     * points.
     */
    static double mops(long points, long iterations, double seconds) {
        double log = Math.log(points);
        return 1e-6 * points * (14.8157 + 7.19641 * log + (5.23518 + 7.21113 * log) * iterations) / seconds;
    }
}
