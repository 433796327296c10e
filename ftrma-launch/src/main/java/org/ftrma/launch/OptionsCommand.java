package org.ftrma.launch;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.launch.options.ConfigNames;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.Secrets;
import org.ftrma.launch.options.Settings;
import org.ftrma.launch.options.SingleOption;
import picocli.CommandLine.ParseResult;

/**
 * {@code ftrma options}: the options of a command that runs a job, their names elsewhere, and with {@code --effective}
 * what holds for a command line and why. One thread.
 */
final class OptionsCommand {
    private final PrintStream out;
    private final Map<String, String> environment;

    OptionsCommand(PrintStream out, Map<String, String> environment) {
        this.out = out;
        this.environment = environment;
    }

    int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        List<String> words = given.words().isEmpty() ? List.of(CommandNames.RUN) : given.words();
        ParseResult typed = CommandTree.innermost(CommandTree.create().parseArgs(words.toArray(String[]::new)));
        if (!ConfigNames.isConfigurable(typed.commandSpec())) {
            throw new MisuseException("options: '" + words.getFirst() + "' runs no job, so its options are on its "
                + "command line only: ./ftrma help " + words.getFirst());
        }
        boolean isEffective = given.has(SingleOption.EFFECTIVE);
        Settings settings = Settings.of(typed, isEffective ? environment : Map.of("FTRMA_CONFIG", "none"),
            Path.of(""));
        List<String> heads = isEffective ? List.of("option", "value", "from") : List.of("option", "key", "variable",
            "default");
        List<List<String>> rows = new ArrayList<>();
        for (Settings.Value value : settings.values()) {
            List<String> names = settings.names(value.option());
            rows.add(isEffective ? List.of("--" + value.option().key(), Secrets.hidden(value.value()),
                settings.origin(value)) : List.of("--" + value.option().key(), names.getFirst(), names.getLast(),
                value.option().defaultText()));
        }
        if (given.has(LauncherOption.JSON)) {
            out.println(json(settings.commandName(), heads, rows));
        } else {
            print(heads, rows);
        }
        return 0;
    }

    private static String json(String command, List<String> heads, List<List<String>> rows) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("app", CommandNames.OPTIONS);
        all.put("exitCode", 0);
        all.put("outcome", "success");
        all.put("message", "");
        all.put("command", command);
        List<Map<String, String>> options = new ArrayList<>();
        for (List<String> row : rows) {
            Map<String, String> one = new LinkedHashMap<>();
            for (int i = 0; i < heads.size(); i++) {
                one.put(heads.get(i), row.get(i));
            }
            options.add(one);
        }
        all.put("options", options);
        try {
            return JSON.std.asString(all);
        } catch (IOException e) {
            throw new IllegalStateException("writing JSON failed", e);
        }
    }

    private void print(List<String> heads, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>(rows);
        all.addFirst(heads);
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                int column = i;
                int width = all.stream().mapToInt(one -> one.get(column).length()).max().orElse(0);
                line.append(i == row.size() - 1 ? row.get(i) : String.format(Locale.ROOT, "%-" + (width + 2) + "s",
                    row.get(i)));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
