package org.ftrma.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ftrma.options.ShellLine;

/**
 * Finds options of ours among the arguments of a program, where they change nothing: an argument after the class's name
 * is the program's. That is no error, for a program may have an option of the same name. Any thread.
 */
final class MisplacedOptions {
    private MisplacedOptions() {
    }

    /**
     * One sentence for each.
     *
     * @param names the options of the command, as they are typed
     * @param mainClass the program
     * @param arguments what the program is given
     */
    static List<String> of(Set<String> names, String mainClass, List<String> arguments) {
        List<String> notes = new ArrayList<>();
        for (String argument : arguments) {
            int end = argument.indexOf('=');
            String name = end < 0 ? argument : argument.substring(0, end);
            if (name.startsWith("--") && names.contains(name)) {
                notes.add(name + " comes after " + mainClass + ", so it is the program's; an option of ftrma comes"
                    + " before: ./ftrma run " + (end < 0 ? name + " ..." : ShellLine.word(argument)) + " -- "
                    + mainClass);
            }
        }
        return notes.stream().distinct().toList();
    }
}
