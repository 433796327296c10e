package org.ftrma.launch;

import java.util.List;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.options.CommandOption;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The commands that look into a job from outside, as picocli sees them. Any thread. */
final class WatchTree {
    private WatchTree() {
    }

    /** The commands, in the order of the help. */
    static List<CommandSpec> commands() {
        CommandSpec jobs = CommandSpecs.command(CommandNames.JOBS, "Lists running and recorded jobs (--keep-jobs).");
        CommandSpecs.addAll(jobs, List.of(LauncherOption.JOB_DIR, LauncherOption.JSON));
        return List.of(jobs,
            command(CommandNames.STAT, "Shows the members of a job, live while it runs, or in their last state: ftrma "
                + "stat [JOB].", List.of(SingleOption.ONCE, LauncherOption.JOB_DIR, LauncherOption.JSON)),
            command(CommandNames.EVENTS, "Prints the events of a job, one per line: ftrma events [JOB].",
                List.of(SingleOption.FOLLOW, LauncherOption.JOB_DIR, LauncherOption.JSON)),
            command(CommandNames.WHY, "Explains the last failure of a job, in at most ten lines: ftrma why [JOB].",
                List.of(LauncherOption.JOB_DIR, LauncherOption.JSON)),
            command(CommandNames.REPORT, "Writes a page about a job, one HTML file that needs no network: ftrma report "
                + "[JOB].", List.of(SingleOption.REPORT, LauncherOption.JOB_DIR)),
            command(CommandNames.WEB, "Serves a page that shows a job while it runs, as --web of run does, and prints "
                + "its link: ftrma web [JOB].", List.of(SingleOption.PORT, LauncherOption.JOB_DIR)));
    }

    private static CommandSpec command(String name, String description, List<CommandOption> options) {
        CommandSpec spec = CommandSpecs.command(name, description);
        CommandSpecs.addAll(spec, options);
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").paramLabel("JOB")
            .type(List.class).auxiliaryTypes(String.class).description("job name or launcher PID, as ftrma jobs "
                + "prints them; default: the running job, or else the newest one").build());
        return spec;
    }
}
