package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs use what is for programs: the package {@code org.ftrma}, and option tables for their arguments. */
class UserImportsTest {
    private static final Pattern OURS = Pattern.compile("\\borg\\.ftrma\\.[\\w.]+");
    private static final Pattern ALLOWED = Pattern.compile("org\\.ftrma\\.([A-Z]\\w*.*|options\\..*)");

    private static Path root() {
        Path found = Path.of("").toAbsolutePath();
        while (!Files.exists(found.resolve("ftrma"))) {
            found = found.getParent();
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"apps-samples", "apps-fft3d", "apps-kvstore", "apps-npb"})
    void programsThatComeWithTheProjectUseOnlyWhatIsForPrograms(String module) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(root().resolve(module).resolve("src/main/java"))) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        assertTrue(files.size() > 5, files.toString());
        for (Path file : files) {
            String text = Files.readString(file);
            String own = text.replaceAll("(?s).*?\\bpackage ([\\w.]+);.*", "$1");
            for (Matcher name = OURS.matcher(text); name.find();) {
                assertTrue(name.group().startsWith(own) || ALLOWED.matcher(name.group()).matches(),
                    file + " uses " + name.group());
            }
        }
    }
}
