package org.ftrma.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.ShellLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The command line that goes on with a job which was stopped on disk, to be pasted into a shell. Any thread. */
final class RestartCommand {
    /** They have taken place, or would never. */
    private static final Set<String> LEFT_OUT = Set.of("--" + LauncherOption.RESTART.key(),
        "--" + LauncherOption.RESTART_STEP.key(), "--" + LauncherOption.KILL.key(), "--" + LauncherOption.STOP.key());

    private RestartCommand() {
    }

    /**
     * The same job, from the directory that it was written to.
     *
     * @param parsed the command that was stopped
     */
    static String of(ParseResult parsed, String directory) {
        List<String> arguments = parsed.originalArgs();
        List<String> words = new ArrayList<>();
        words.add(command());
        int at = arguments.indexOf(parsed.commandSpec().name()) + 1;
        words.addAll(arguments.subList(0, at));
        words.add("--" + LauncherOption.RESTART.key());
        words.add(directory);
        while (at < arguments.size() && arguments.get(at).startsWith("--") && arguments.get(at).length() > 2) {
            String word = arguments.get(at);
            String name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
            OptionSpec option = parsed.commandSpec().optionsMap().get(name);
            int end = at + (option != null && option.arity().min() > 0 && !word.contains("=") ? 2 : 1);
            if (!LEFT_OUT.contains(name)) {
                words.addAll(arguments.subList(at, end));
            }
            at = end;
        }
        words.addAll(arguments.subList(at, arguments.size()));
        return ShellLine.of(words);
    }

    /** As it is typed here. */
    private static String command() {
        String command = System.getProperty("ftrma.command", "./ftrma");
        return command.equals(Path.of("ftrma").toAbsolutePath().toString()) ? "./ftrma" : command;
    }
}
