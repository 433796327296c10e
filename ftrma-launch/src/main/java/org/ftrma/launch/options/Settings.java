package org.ftrma.launch.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOption;
import org.ftrma.options.OptionText;
import org.ftrma.options.OptionValues;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options of one command that runs a job, each from the first of these that has it: the command line, the
 * environment, a file, the table's default. Immutable; any thread.
 */
public final class Settings {
    /** Only one of each: who chooses one of them has put aside the other one, wherever that comes from. */
    private static final List<Set<String>> INSTEAD = List.of(Set.of(LauncherOption.QUIET.key(),
        LauncherOption.VERBOSE.key()), Set.of("hosts", "hostfile"), Set.of(JobOption.NODES.key(),
        JobOption.TOPOLOGY.key()));
    private static final Map<String, String> FLAGS = Map.of(OptionValues.YES, OptionValues.YES, "true",
        OptionValues.YES, "on", OptionValues.YES, OptionValues.NO, OptionValues.NO, "false", OptionValues.NO, "off",
        OptionValues.NO);

    /** Where a value comes from, the strongest first. */
    public enum Source {
        /** It was typed. */
        COMMAND_LINE,
        /** A variable. */
        ENVIRONMENT,
        /** A file. */
        FILE,
        /** The table. */
        DEFAULT
    }

    /**
     * The value of an option.
     *
     * @param source where it comes from
     * @param name what gives it there: a variable, or a key of a file
     */
    public record Value(OptionText option, String value, Source source, String name) {
    }

    private final CommandSpec command;
    private final ConfigFile file;
    private final List<Value> values = new ArrayList<>();

    private Settings(CommandSpec command, ConfigFile file) {
        this.command = command;
        this.file = file;
    }

    /**
     * What holds for a command line.
     *
     * @param typed the innermost command, as it was typed
     * @param environment all variables
     * @param folder where the command was typed
     * @throws MisuseException if a file or a variable names what is no option, or a value is not allowed
     */
    public static Settings of(ParseResult typed, Map<String, String> environment, Path folder) {
        CommandSpec command = typed.commandSpec();
        String config = typed.matchedOptionValue(LauncherOption.CONFIG.key(),
            environment.get(ConfigNames.variable(LauncherOption.CONFIG.key())));
        Map<String, String> variables = new TreeMap<>(environment);
        variables.keySet().removeIf(name -> !name.startsWith(ConfigNames.PREFIX)
            || name.equals(ConfigNames.variable(LauncherOption.CONFIG.key())));
        ConfigFile file = ConfigFile.NONE.equals(config) ? ConfigFile.ABSENT : config == null || config.isEmpty()
            ? ConfigFile.ofFolder(folder) : ConfigFile.named(folder, config);
        if (ConfigFile.NONE.equals(config)) {
            variables.clear();
        }
        Map<String, Value> fromEnvironment = new LinkedHashMap<>();
        Map<String, Value> fromFile = new LinkedHashMap<>();
        if (!variables.isEmpty() || !file.values().isEmpty()) {
            ConfigNames names = ConfigNames.of(command.root());
            variables.forEach((variable, value) -> {
                String key = names.keyOf(variable);
                fromEnvironment.put(key, checked(names.option(key, variable), value, Source.ENVIRONMENT, variable,
                    variable));
            });
            file.values().forEach((key, value) -> fromFile.put(key, checked(names.option(key, file.name()), value,
                Source.FILE, key, file.name() + ": " + key)));
        }
        Settings settings = new Settings(command, file);
        for (OptionText option : ConfigNames.options(command)) {
            settings.values.add(settings.value(option, typed, fromEnvironment, fromFile));
        }
        settings.putAside();
        return settings;
    }

    private Value value(OptionText option, ParseResult typed, Map<String, Value> fromEnvironment,
        Map<String, Value> fromFile) {
        if (typed.hasMatchedOption(option.key())) {
            Object value = typed.matchedOptionValue(option.key(), null);
            return new Value(option, option.form().isFlag() ? OptionValues.YES : value instanceof List<?> all
                ? String.join(" ", all.stream().map(Object::toString).toList()) : String.valueOf(value),
                Source.COMMAND_LINE, "--" + option.key());
        }
        String own = ConfigNames.path(command, '.') + "." + option.key();
        for (Map<String, Value> source : List.of(fromEnvironment, fromFile)) {
            Value value = source.getOrDefault(own, source.get(option.key()));
            if (value != null && value.option().equals(option)) {
                return value;
            }
        }
        return byDefault(option);
    }

    private static Value byDefault(OptionText option) {
        return new Value(option, option.defaultText(), Source.DEFAULT, "");
    }

    /** Words of an option that may be repeated; else the one that it is. */
    private static List<String> words(OptionText option, String value, CommandSpec command) {
        OptionSpec spec = command.findOption("--" + option.key());
        return spec != null && spec.isMultiValue() ? List.of(value.trim().split("\\s+")) : List.of(value);
    }

    private static Value checked(OptionText option, String given, Source source, String name, String where) {
        String value = option.form().isFlag() ? FLAGS.get(given.trim()) : given.trim();
        if (value == null || value.isEmpty()) {
            throw new MisuseException(where + "=" + given + ": must be " + (option.form().isFlag() ? "yes or no"
                : "a value; it is empty"));
        }
        if (!option.form().isFlag() && !option.key().equals(LauncherOption.JVM_ARG.key())) {
            try {
                option.form().number(option.key(), value);
            } catch (MisuseException e) {
                throw ConfigFile.caused(where + ": " + Secrets.hidden(e.getMessage()), e);
            }
        }
        return new Value(option, value, source, name);
    }

    private void putAside() {
        for (Set<String> rivals : INSTEAD) {
            Source strongest = values.stream().filter(value -> rivals.contains(value.option().key()) && isOn(value))
                .map(Value::source).min(Source::compareTo).orElse(Source.DEFAULT);
            values.replaceAll(value -> rivals.contains(value.option().key()) && value.source() != strongest
                ? byDefault(value.option()) : value);
        }
    }

    private static boolean isOn(Value value) {
        return !value.option().form().isFlag() || value.value().equals(OptionValues.YES);
    }

    /** All options of the command, in the order of its help text. */
    public List<Value> values() {
        return List.copyOf(values);
    }

    /** The names of the command. */
    public String commandName() {
        return ConfigNames.path(command, ' ');
    }

    /** Whether the command line says all there is. */
    public boolean isTyped() {
        return values.stream().noneMatch(Settings::isSet);
    }

    private static boolean isSet(Value value) {
        return value.source() == Source.ENVIRONMENT || value.source() == Source.FILE;
    }

    /** Whether nothing but errors and the result is to be told. */
    public boolean isQuiet() {
        return values.stream().anyMatch(value -> value.option().key().equals(LauncherOption.QUIET.key())
            && value.source() != Source.DEFAULT && isOn(value));
    }

    /** Words of a command line, with what comes from elsewhere behind the names of the command. */
    public String[] applied(String... typed) {
        List<String> all = new ArrayList<>(List.of(typed));
        List<String> more = new ArrayList<>();
        for (Value value : values) {
            if (isSet(value) && isOn(value)) {
                String name = "--" + value.option().key();
                if (value.option().form().isFlag()) {
                    more.add(name);
                } else {
                    words(value.option(), value.value(), command).forEach(word -> more.add(name + "=" + word));
                }
            }
        }
        all.addAll(commandName().split(" ").length, more);
        return all.toArray(String[]::new);
    }

    /** Which options come from where, in a line; no values, which may be secret. */
    public String told() {
        List<String> parts = new ArrayList<>();
        for (Source source : List.of(Source.FILE, Source.ENVIRONMENT)) {
            List<String> names = values.stream().filter(value -> value.source() == source).map(Value::name).toList();
            if (!names.isEmpty()) {
                parts.add((source == Source.FILE ? "from " + file.name() : "from the environment") + ": "
                    + String.join(", ", names));
            }
        }
        return "options " + String.join("; ", parts);
    }

    /** Where a value comes from, for people. */
    public String origin(Value value) {
        return switch (value.source()) {
            case COMMAND_LINE -> "command line";
            case ENVIRONMENT -> value.name();
            case FILE -> file.name() + (value.name().equals(value.option().key()) ? "" : ": " + value.name());
            case DEFAULT -> "default";
        };
    }

    /** The names that a file and the environment have for an option of the command. */
    public List<String> names(OptionText option) {
        ConfigNames names = ConfigNames.of(command.root());
        String key = names.isOfAll(option) ? option.key() : ConfigNames.path(command, '.') + "." + option.key();
        return List.of(key, ConfigNames.variable(key));
    }
}
