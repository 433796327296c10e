package org.ftrma.rank.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.ftrma.rank.program.ClassPathDigest.CodeFile;
import org.ftrma.rank.program.ClassPathDigest.Place;
import org.junit.jupiter.api.Test;

class SimilarNamesTest {
    private static final ClassPathDigest DIGEST = new ClassPathDigest("out", List.of(new Place("out", true,
        List.of("Heat.class", "Heat$Cell.class", "org/example/Stencil.class", "org/example/package-info.class",
            "X.class").stream().map(name -> new CodeFile(name, 1, 1, 1)).toList())));

    @Test
    void whatWasMeantIsFound() {
        assertEquals(List.of("Heat"), SimilarNames.of("Haet", DIGEST));
        assertEquals(List.of("Heat"), SimilarNames.of("heat", DIGEST));
        assertEquals(List.of("Heat"), SimilarNames.of("out/Heat.class", DIGEST));
        assertEquals(List.of("Heat"), SimilarNames.of("Heat.java", DIGEST));
        assertEquals(List.of("org.example.Stencil"), SimilarNames.of("Stencil", DIGEST));
        assertEquals(List.of("org.example.Stencil"), SimilarNames.of("org.example.Stensil", DIGEST));
    }

    @Test
    void whatIsNotNearIsNotNamed() {
        assertEquals(List.of(), SimilarNames.of("org.example.Missing", DIGEST));
        assertEquals(List.of(), SimilarNames.of("Y", DIGEST));
        assertEquals(List.of(), SimilarNames.of("Heat", ClassPathDigest.NONE));
    }
}
