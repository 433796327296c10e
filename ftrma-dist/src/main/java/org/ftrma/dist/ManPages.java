package org.ftrma.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ftrma.cli.TrialCommands;
import org.ftrma.launch.CommandTree;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes a man page of each command, in AsciiDoc, from the tables of its options. One thread. */
public final class ManPages {
    private ManPages() {
    }

    /** Writes them to a directory, the first argument; the second one is the version that they name. */
    public static void main(String[] arguments) throws IOException {
        write(Path.of(arguments[0]), arguments[1]);
    }

    /** Writes all of them. */
    static void write(Path directory, String version) throws IOException {
        CommandLine root = CommandTree.create(new TrialCommands());
        describe(root, version);
        Files.createDirectories(directory);
        int status = ManPageGenerator.generateManPage(directory.toFile(), null, new boolean[0], false,
            root.getCommandSpec());
        if (status != 0) {
            throw new IOException("man pages cannot be written to " + directory + ": status " + status);
        }
    }

    private static void describe(CommandLine command, String version) {
        CommandSpec spec = command.getCommandSpec();
        spec.versionProvider(null);
        spec.version(version);
        command.getSubcommands().values().forEach(one -> describe(one, version));
    }
}
