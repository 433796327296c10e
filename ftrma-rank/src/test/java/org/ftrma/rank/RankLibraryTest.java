package org.ftrma.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openucx.jucx.UcxException;

class RankLibraryTest {
    @Test
    void theJarOfAClassIsFoundOnTheClassPathAsInItsCodeSource() throws Exception {
        String jar = Path.of(RankLibrary.jarOf(UcxException.class).toURI()).toString();
        assertEquals(RankLibrary.placeOf(UcxException.class), jar);
        List<String> places = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        assertTrue(places.contains(jar), jar);
    }

    @Test
    void aClassThatIsInNoJarHasNone() {
        assertThrows(IllegalStateException.class, () -> RankLibrary.jarOf(RankLibraryTest.class));
    }
}
