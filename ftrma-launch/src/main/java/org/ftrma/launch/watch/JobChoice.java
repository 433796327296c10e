package org.ftrma.launch.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.launch.journal.JobFolder;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;

/**
 * Chooses a job: JOB is its name, or the process of its launcher; without, it is the one that runs, or, if none does,
 * the newest one. One thread.
 */
public final class JobChoice {
    private JobChoice() {
    }

    /** The folder that jobs are kept in. */
    static Path parent(GivenOptions given) {
        return given.has(LauncherOption.JOB_DIR) ? Path.of(given.text(LauncherOption.JOB_DIR)) : JobFolder.base();
    }

    /**
     * The job that a command line means.
     *
     * @throws FtrmaException there is none, or it cannot be read
     */
    public static JobView of(String command, GivenOptions given) {
        List<String> words = given.words();
        if (words.size() > 1) {
            throw new MisuseException(command + " " + String.join(" ", words) + ": one job can be looked at: ftrma "
                + command + " [JOB]");
        }
        Path parent = parent(given);
        List<JobFolder> all = JobFolder.all(parent);
        if (words.isEmpty()) {
            return any(command, all, parent);
        }
        String word = words.getFirst();
        long launcher = SingleOption.launcher(SingleOption.JOB.key(), word);
        List<JobFolder> meant = all.stream().filter(folder -> JobFolder.isName(word) ? folder.name().equals(word)
            : folder.launcher() == launcher).toList();
        if (meant.isEmpty()) {
            throw none("there is no job " + word + " in " + parent + "; ftrma jobs lists them");
        }
        return view(meant.getFirst());
    }

    private static JobView any(String command, List<JobFolder> all, Path parent) {
        if (all.isEmpty()) {
            throw none("there are no jobs in " + parent);
        }
        List<JobView> running = all.stream().filter(folder -> folder.equals(all.getFirst()) || folder.mayRun())
            .map(JobChoice::view).filter(view -> view.state() == JobView.State.RUNNING).toList();
        if (running.size() > 1) {
            throw none("there are several jobs; ftrma " + command + " JOB says which one: "
                + running.stream().map(view -> view.folder().name()).collect(Collectors.joining(", ")));
        }
        return running.isEmpty() ? view(all.getFirst()) : running.getFirst();
    }

    private static FtrmaException none(String text) {
        return new FtrmaException(FtrmaException.Category.FATAL, text);
    }

    private static JobView view(JobFolder folder) {
        try {
            return new JobView(folder);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "job " + folder.name() + " cannot be read: "
                + e.getMessage(), e);
        }
    }
}
