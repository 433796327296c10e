package org.ftrma.launch;

import java.util.List;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionText;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Makes a command and its options for picocli, from their tables. Any thread. */
public final class CommandSpecs {
    private static final String[] EXIT_CODES = {
        "0:success", "1:the program failed or did not verify", "2:wrong usage",
        "3:catastrophic: more was lost than can be rebuilt",
        "4:missing prerequisite (see message)",
        "5:stopped: progress is on disk, message shows how to resume", "130:interrupted"
    };

    private CommandSpecs() {
    }

    /** A command with help and exit codes. */
    public static CommandSpec command(String name, String description) {
        CommandSpec spec = CommandSpec.create().name(name.equals("ftrma") ? "ftrma" : name);
        UsageMessageSpec usage = spec.usageMessage();
        usage.description(description);
        usage.sortOptions(false);
        usage.abbreviateSynopsis(true);
        usage.exitCodeListHeading("%nExit codes:%n");
        usage.exitCodeList(UsageMessageSpec.keyValuesMap(EXIT_CODES));
        spec.addOption(OptionSpec.builder("-h", "--help").usageHelp(true).description("show this help and exit")
            .build());
        return spec;
    }

    /** Adds options. */
    public static void addAll(CommandSpec spec, List<? extends CommandOption> options) {
        options.forEach(option -> add(spec, option));
    }

    /** Adds an option. */
    static void add(CommandSpec spec, CommandOption option) {
        add(spec, option.text(), option.repeatable());
    }

    /** Adds an option of this text. */
    public static void add(CommandSpec spec, OptionText text, boolean repeatable) {
        spec.addOption(builder(text, repeatable).build());
    }

    static OptionSpec.Builder builder(OptionText text, boolean repeatable) {
        OptionSpec.Builder builder = OptionSpec.builder("--" + text.key()).description(escape(text.description()))
            .userObject(text);
        if (text.form().isFlag()) {
            return builder.type(boolean.class).arity("0");
        }
        if (!text.form().words().isEmpty()) {
            builder.completionCandidates(text.form().words());
        }
        return builder.paramLabel(text.label()).arity("1").type(repeatable ? List.class
            : String.class).auxiliaryTypes(String.class);
    }

    /** picocli formats descriptions. */
    private static String escape(String text) {
        return text.replace("%", "%%").replace("@|", "@@|");
    }
}
