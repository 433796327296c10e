package org.ftrma.bench.hosts;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.ftrma.MisuseException;
import org.ftrma.bench.command.CommandEnd;
import org.ftrma.launch.hosts.HostList;
import org.ftrma.launch.hosts.HostSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ./ftrma bench hosts [--quick] [--json] [name...]}: what a network between hosts costs. Makes hosts of
 * namespaces where this process may, else of agents of this machine; with {@code --hosts} it takes the user's. Prints
 * tables, or one JSON object.
 */
@Command(name = "hosts", description =
    "Measures the cost of a network between hosts: accesses beside ucx_perftest, protection, the time from a host's "
    + "death until all ranks run again, and recoveries from many losses. Creates three hosts of namespaces (as "
    + "root) or of agents of this machine; with --hosts it uses yours. Takes about half an hour.")
public final class HostsBench implements Callable<Integer> {
    private static final int MOST = 1000;
    private static final int ROUNDS = 5;
    private static final int PAIRS = 7;
    private static final int TRIALS = 10;
    private static final int QUICK = 2;
    private static final List<String> USUAL = List.of("access", "overhead", "death");

    @Parameters(paramLabel = "NAME", arity = "0..*", description =
        "access: puts, gets, fetch-and-add and gsync between two hosts beside ucx_perftest; overhead: NAS FFT and the "
        + "key-value store with --protocol full and without; death: from a host's death until all ranks run again "
        + "(default: these three); kills: the key-value store loses 50 ranks, and how they are recovered; losses: NAS "
        + "FFT loses 100 ranks and 100 hosts")
    private List<String> names = List.of();

    @Option(names = "--hosts", paramLabel = "A,B,C", description =
        "three of your hosts (two for access alone), with this project built at the same path; a host dies in that "
        + "the job ends its agent (--chaos-hosts). Slots may be given (A:2), as for jobs; one or two are used")
    private String named;

    @Option(names = "--hostfile", paramLabel = "FILE", description =
        "hosts from a file, as for jobs; its first hosts except spare ones are used")
    private Path file;

    @Option(names = "--shell", paramLabel = "PROGRAM", description =
        "with --hosts: program that starts a command on a host, as for jobs")
    private String shell;

    @Option(names = "--remote-ftrma", paramLabel = "PATH", description =
        "with --hosts: path of ftrma there, as for jobs (default: same as here)")
    private String remoteCommand;

    @Option(names = "--advertise", paramLabel = "ADDRESS", description =
        "with --hosts: address of this host for them to connect to, as for jobs")
    private String advertised;

    @Option(names = "--device", paramLabel = "NAME", description =
        "with --hosts: network device for traffic between them, as for jobs")
    private String device;

    @Option(names = "--rounds", paramLabel = "N", description =
        "measurements of each access, 1 to 1000 (default: 5; with --quick 2)")
    private Integer rounds;

    @Option(names = "--only", paramLabel = "TEXT", description =
        "of access: only those whose name in the table contains this (\"1 MiB\", \"gsync\")")
    private String only = "";

    @Option(names = "--pairs", paramLabel = "N", description =
        "pairs of jobs for each program of overhead, 1 to 1000 (default: 7; with --quick 2)")
    private Integer pairs;

    @Option(names = "--trials", paramLabel = "N", description =
        "losses of a host for each protocol of death, 1 to 1000 (default: 10; with --quick 2)")
    private Integer trials;

    @Option(names = "--quick", description = "few and short: a test, not a measurement")
    private boolean quick;

    @Option(names = CommandEnd.ASKED, description = "print one JSON object instead of tables")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help and exit")
    private boolean help;

    private List<HostSpec> hosts = List.of();

    /** Returns an exit code: 0 whatever the figures are. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, Part> parts = Part.all();
        for (String name : names) {
            Part.named(parts, name);
        }
        parts.keySet().retainAll(names.isEmpty() ? USUAL : names);
        hosts = listed();
        Part.Effort effort = new Part.Effort(quick, number("rounds", rounds, ROUNDS), number("pairs", pairs, PAIRS),
            number("trials", trials, TRIALS), Access.named(only));
        int needed = parts.values().stream().mapToInt(part -> part.slots().size()).max().orElseThrow();
        checkHosts(parts, needed);
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        try (BenchHosts all = hosts.isEmpty() ? BenchHosts.made(needed) : BenchHosts.named(hosts.stream()
            .map(HostSpec::name).toList(), options(), advertised, device)) {
            System.err.printf(Locale.ROOT, "bench hosts: %s; load %.1f%n", all.text(), load);
            for (Part part : parts.values()) {
                part.measure(all, effort);
            }
            tell(parts, all, load);
        }
        return 0;
    }

    private void tell(Map<String, Part> parts, BenchHosts all, double load) {
        if (json) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("hosts", all.text());
            figures.put("load", load);
            figures.put("quick", quick);
            parts.forEach((name, part) -> figures.put(name, part.figures()));
            System.out.println(CommandEnd.success(figures));
        } else {
            for (Part part : parts.values()) {
                System.out.println();
                part.table().forEach(System.out::println);
            }
        }
    }

    private int number(String option, Integer given, int usual) {
        if (given != null && (given < 1 || given > MOST)) {
            throw new MisuseException("--" + option + " " + given + ": from 1 to " + MOST);
        }
        return given != null ? given : quick ? QUICK : usual;
    }

    private List<HostSpec> listed() {
        if (named != null && file != null) {
            throw new MisuseException("--hosts=" + named + ": not together with --hostfile");
        }
        return named != null ? HostList.parse("--hosts", named, false)
            : file != null ? HostList.read(file).stream().filter(host -> !host.isSpare()).toList() : List.of();
    }

    private void checkHosts(Map<String, Part> parts, int needed) {
        if (named == null && file == null) {
            if (shell != null || remoteCommand != null || advertised != null || device != null) {
                throw new MisuseException("--shell, --remote-ftrma, --advertise and --device are for hosts of yours: "
                    + "add --hosts or --hostfile");
            }
            return;
        }
        String given = named != null ? "--hosts=" + named : "--hostfile=" + file;
        if (hosts.size() < needed) {
            throw new MisuseException(given + ": " + String.join(", ", parts.keySet())
                + (parts.size() == 1 ? " needs " : " need ") + needed + " hosts"
                + (hosts.size() == 2 ? ", and access alone two: ./ftrma bench hosts access --hosts …" : ""));
        }
        parts.forEach((name, part) -> {
            for (int i = 0; i < part.slots().size(); i++) {
                HostSpec host = hosts.get(i);
                if (host.slots() > 0 && host.slots() < part.slots().get(i)) {
                    throw new MisuseException(given + ": host " + host.name() + " has one slot, and " + name
                        + " needs " + part.slots().get(i) + " there; name another host in its place, or more slots");
                }
            }
        });
    }

    private List<String> options() {
        List<String> options = new ArrayList<>();
        if (shell != null) {
            options.addAll(List.of("--shell", shell));
        }
        options.addAll(List.of("--remote-ftrma", remoteCommand != null ? remoteCommand : BenchHosts.command()));
        if (advertised != null) {
            options.addAll(List.of("--advertise", advertised));
        }
        return options;
    }
}
