package org.ftrma.launch.options;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;
import org.ftrma.options.OptionText;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Names that a file or the environment may give to options of commands that run a job: {@code ranks} and
 * {@code FTRMA_RANKS} for all of these commands, {@code npb.cg.class} and {@code FTRMA_NPB_CG_CLASS} for one. They come
 * from the commands, and so from the tables of options. Immutable; any thread.
 */
public final class ConfigNames {
    /** What names of variables begin with. */
    public static final String PREFIX = "FTRMA_";
    /** What is done once, or is told by the command line alone, has no place in a setting that stays. */
    private static final Set<String> TYPED_ONLY = Set.of(LauncherOption.JSON.key(), LauncherOption.CONFIG.key(),
        LauncherOption.RESTART.key(), LauncherOption.RESTART_STEP.key(), LauncherOption.KILL.key(),
        LauncherOption.STOP.key(), SingleOption.COMPARE.key());

    private final Map<String, OptionText> byKey = new LinkedHashMap<>();
    private final Map<String, String> keyOfVariable = new LinkedHashMap<>();
    /** By an option's name the keys that are meant by it. */
    private final Map<String, List<String>> ofOneCommand = new LinkedHashMap<>();

    private ConfigNames() {
    }

    /** Those of the commands below a root that know {@link LauncherOption#CONFIG}. */
    public static ConfigNames of(CommandSpec root) {
        List<CommandSpec> commands = new ArrayList<>();
        collect(root, commands);
        ConfigNames names = new ConfigNames();
        for (OptionText option : options(commands.getFirst())) {
            if (commands.stream().allMatch(command -> options(command).contains(option))) {
                names.add(option.key(), option);
            }
        }
        for (CommandSpec command : commands) {
            for (OptionText option : options(command)) {
                String key = path(command, '.') + "." + option.key();
                names.add(key, option);
                if (!names.byKey.containsKey(option.key())) {
                    names.ofOneCommand.computeIfAbsent(option.key(), name -> new ArrayList<>()).add(key);
                }
            }
        }
        return names;
    }

    private static void collect(CommandSpec command, List<CommandSpec> found) {
        if (isConfigurable(command)) {
            found.add(command);
        }
        command.subcommands().values().forEach(sub -> collect(sub.getCommandSpec(), found));
    }

    private void add(String key, OptionText option) {
        String other = keyOfVariable.putIfAbsent(variable(key), key);
        if (other != null) {
            throw new IllegalStateException(other + " and " + key + " would be one variable");
        }
        byKey.put(key, option);
    }

    /** Whether a command's options may come from elsewhere. */
    public static boolean isConfigurable(CommandSpec command) {
        return command.optionsMap().containsKey("--" + LauncherOption.CONFIG.key());
    }

    /** The options of a command that may. */
    public static List<OptionText> options(CommandSpec command) {
        return command.options().stream().map(OptionSpec::userObject).filter(OptionText.class::isInstance)
            .map(OptionText.class::cast).filter(option -> !TYPED_ONLY.contains(option.key())).toList();
    }

    /** Whether a name without a command's is for this option. */
    boolean isOfAll(OptionText option) {
        return option.equals(byKey.get(option.key()));
    }

    /** A command's names after that of the root. */
    static String path(CommandSpec command, char separator) {
        CommandSpec parent = command.parent();
        return parent == null || parent.parent() == null ? command.name()
            : path(parent, separator) + separator + command.name();
    }

    /** The variable of a key. */
    public static String variable(String key) {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /**
     * The option of a key.
     *
     * @param where what names it, for people
     * @throws MisuseException with the nearest key, if there is none
     */
    OptionText option(String key, String where) {
        OptionText option = byKey.get(key);
        if (option != null) {
            return option;
        }
        String name = key.substring(key.lastIndexOf('.') + 1);
        if (TYPED_ONLY.contains(name)) {
            throw new MisuseException(where + ": " + key + ": only on the command line: --" + name);
        }
        if (ofOneCommand.containsKey(key)) {
            throw new MisuseException(where + ": " + key + ": is not an option of all commands; write "
                + String.join(" or ", ofOneCommand.get(key)));
        }
        throw new MisuseException(where + ": " + key + ": no such option; the nearest is "
            + nearest(key, byKey.keySet()));
    }

    /**
     * The key of a variable.
     *
     * @throws MisuseException with the nearest variable, if there is none
     */
    String keyOf(String variable) {
        String key = keyOfVariable.get(variable);
        if (key == null) {
            for (String name : TYPED_ONLY) {
                if (variable.endsWith(variable(name).substring(PREFIX.length() - 1))) {
                    throw new MisuseException(variable + ": only on the command line: --" + name);
                }
            }
            for (Map.Entry<String, List<String>> one : ofOneCommand.entrySet()) {
                if (variable(one.getKey()).equals(variable)) {
                    throw new MisuseException(variable + ": is not an option of all commands; set "
                        + String.join(" or ", one.getValue().stream().map(ConfigNames::variable).toList()));
                }
            }
            throw new MisuseException(variable + ": no option has this name; the nearest is "
                + nearest(variable, keyOfVariable.keySet()) + " (unset it, if it is for something else)");
        }
        return key;
    }

    /** Of several, the one with the fewest changes of a character; the shortest of these. */
    private static String nearest(String word, Set<String> known) {
        return known.stream().min(Comparator.<String>comparingInt(one -> changes(word, one))
            .thenComparingInt(String::length).thenComparing(Comparator.naturalOrder())).orElseThrow();
    }

    /** How many characters must be changed, added or left out (Levenshtein). */
    private static int changes(String from, String to) {
        int[] before = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] now = new int[to.length() + 1];
            now[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int same = before[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(same, 1 + Math.min(before[j], now[j - 1]));
            }
            before = now;
        }
        return before[to.length()];
    }
}
