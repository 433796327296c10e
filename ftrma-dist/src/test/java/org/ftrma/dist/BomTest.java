package org.ftrma.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM, which has no parent, says what the root does. */
class BomTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile(
        "<groupId>org\\.ftrma</groupId><artifactId>([^<]+)</artifactId><version>\\$\\{project\\.version}</version>");
    private static final Pattern NAME = Pattern.compile("<ftrma\\.module\\.name>([^<]+)</");
    private static final Pattern PLUGIN = Pattern.compile(
        "<plugin><artifactId>([^<]+)</artifactId><version>[^<]+</version></plugin>");

    private static String pom(String module) throws IOException {
        return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private static String element(String name, String pom) {
        Matcher matcher = Pattern.compile("<" + name + "[ >].*?</" + name + ">", Pattern.DOTALL).matcher(pom);
        assertTrue(matcher.find(), "there is no " + name);
        return matcher.group().replaceAll("<scm [^>]*>", "<scm>");
    }

    @Test
    void itHasTheModulesThatAreInstalledAndNoOthers() throws IOException {
        Set<String> installed = new TreeSet<>();
        Set<String> names = new TreeSet<>();
        List<String> modules = all(MODULE, pom("."));
        for (String module : modules) {
            if (!module.equals("ftrma-bom")) {
                assertTrue(names.addAll(all(NAME, pom(module))), module + " has no module name of its own");
                if (!pom(module).contains("<maven.install.skip>true</")) {
                    installed.add(module);
                }
            }
        }
        assertTrue(installed.size() > 10, installed.toString());
        assertEquals(installed, new TreeSet<>(all(ARTIFACT, pom("ftrma-bom"))));
    }

    @Test
    void itsVersionLicenceAndPlaceAreThoseOfTheRoot() throws IOException {
        for (String one : List.of("version", "url", "licenses", "developers", "scm")) {
            assertEquals(element(one, pom(".")), element(one, pom("ftrma-bom")), one);
        }
        for (String plugin : all(PLUGIN, pom("ftrma-bom"))) {
            Pattern version = Pattern.compile("<artifactId>" + plugin + "</artifactId><version>([^<]+)</");
            assertEquals(all(version, pom(".")), all(version, pom("ftrma-bom")), plugin);
        }
    }
}
