package org.ftrma.mutations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds classes and tests of a checkout by their simple names. Any thread. */
final class Sources {
    private final Path tree;

    /** Of a checkout, or of a copy of one. */
    Sources(Path tree) {
        this.tree = tree;
    }

    /** The file of a class of a module. */
    Path ofClass(String module, String type) throws IOException {
        List<Path> found = named(tree.resolve(module).resolve("src/main/java"), type);
        if (found.size() != 1) {
            throw new IllegalArgumentException("there are " + found.size() + " classes " + module + "/" + type);
        }
        return found.getFirst();
    }

    /** The file of a test, which may be one method of a class. */
    Path ofTest(String test) throws IOException {
        String type = test.replaceAll("#.*", "");
        List<Path> found = new ArrayList<>();
        for (Path module : modules()) {
            found.addAll(named(module.resolve("src/test/java"), type));
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException("there are " + found.size() + " tests " + type);
        }
        return found.getFirst();
    }

    /** The module that has a test. */
    String moduleOf(String test) throws IOException {
        return tree.relativize(ofTest(test)).getName(0).toString();
    }

    /** The binary name of a test's class, with its method if it has one. */
    String binaryName(String test) throws IOException {
        Path source = tree.relativize(ofTest(test));
        String name = source.subpath("module/src/test/java".split("/").length, source.getNameCount()).toString()
            .replace(".java", "").replace('/', '.');
        return test.indexOf('#') < 0 ? name : name + test.substring(test.indexOf('#'));
    }

    private List<Path> modules() throws IOException {
        try (Stream<Path> files = Files.list(tree)) {
            return files.filter(file -> Files.exists(file.resolve("pom.xml"))).sorted().toList();
        }
    }

    private static List<Path> named(Path sources, String type) throws IOException {
        if (!Files.isDirectory(sources)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.getFileName().toString().equals(type + ".java")).toList();
        }
    }
}
