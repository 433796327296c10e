package org.ftrma.cli;

import java.util.List;
import org.ftrma.launch.CommandNames;
import org.ftrma.launch.CommandSpecs;
import org.ftrma.launch.Interrupts;
import org.ftrma.launch.MoreCommands;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.options.OptionText;
import org.ftrma.testkit.SimulateOption;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The commands demo and simulate, and {@code kv --compare}. Immutable. */
public final class TrialCommands implements MoreCommands {
    /** The commands. */
    public TrialCommands() {
    }

    @Override
    public List<CommandSpec> specs() {
        return List.of(demo(), simulate());
    }

    private static CommandSpec demo() {
        CommandSpec spec = CommandSpecs.command(CommandNames.DEMO,
            "Shows runs in which a rank is killed: NAS FT class W, 4 computing ranks, 1 checksum rank, 1 spare.");
        CommandSpecs.add(spec, new OptionText(LauncherOption.SEED.key(), LauncherOption.SEED.form(),
            LauncherOption.SEED.defaultText(),
            "seed for the choice of rank and moment; printed"), false);
        CommandSpecs.addAll(spec, List.of(LauncherOption.JSON, LauncherOption.VERBOSE, SingleOption.DEMO_HOSTS));
        return spec;
    }

    private static CommandSpec simulate() {
        CommandSpec spec = CommandSpecs.command(CommandNames.SIMULATE,
            "Runs the protocol in simulation with a crash at every point; a failing case prints how to replay it.");
        CommandSpecs.addAll(spec, SimulateOption.TABLE.options());
        CommandSpecs.addAll(spec, List.of(SingleOption.SCALE, SingleOption.OUT));
        return spec;
    }

    @Override
    public int execute(ParseResult command, Streams streams, Interrupts interrupts) {
        if (command.commandSpec().name().equals(CommandNames.SIMULATE)) {
            return SimulateCommand.execute(command, streams.out(), streams.err());
        }
        return new GivenOptions(command).has(SingleOption.DEMO_HOSTS)
            ? new HostsDemo(streams.out(), streams.err(), System.getProperty("ftrma.command", "ftrma"))
                .execute(command)
            : new DemoCommand(streams.out(), streams.err(), interrupts).execute(command);
    }

    @Override
    public int compare(ParseResult kv, Jobs jobs, Streams streams) {
        return new KvComparison(jobs, streams.out(), streams.err()).execute(kv);
    }
}
