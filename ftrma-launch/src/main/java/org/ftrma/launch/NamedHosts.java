package org.ftrma.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.launch.hosts.HostList;
import org.ftrma.launch.hosts.HostOption;
import org.ftrma.launch.hosts.HostSpec;
import org.ftrma.launch.hosts.SlurmAllocation;
import org.ftrma.launch.hosts.SlurmClient;
import org.ftrma.launch.hosts.Start;
import org.ftrma.launch.options.GivenOptions;

/**
 * The hosts of a job, and how their agents start: as the command line says, or else as the allocation of Slurm does in
 * which this process is. Immutable; any thread.
 *
 * @param specs none: the job runs on this host alone
 * @param how never {@link Start#AUTO}
 */
record NamedHosts(List<HostSpec> specs, Start how) {
    private static final NamedHosts NONE = new NamedHosts(List.of(), Start.LOCAL);

    /**
     * Those of a command.
     *
     * @param environment of this process
     * @param hostName what the system calls this host
     * @param client is asked about an allocation, and tells people what they should know
     */
    static NamedHosts of(GivenOptions given, Map<String, String> environment, String hostName, SlurmClient client) {
        Start how = given.word(HostOption.START, Start.class);
        List<HostSpec> hosts = listed(given);
        boolean isAllocated = SlurmAllocation.isIn(environment);
        if (how == Start.SLURM && !isAllocated) {
            throw new MisuseException("--start=slurm: this is not a Slurm allocation (SLURM_JOB_ID is not set); make "
                + "one with sbatch or salloc");
        }
        if (how == Start.LOCAL && !hosts.isEmpty()) {
            throw new MisuseException("--start=local: not together with --hosts or --hostfile");
        }
        if (!hosts.isEmpty()) {
            List<HostSpec> all = HostList.together(hosts, spares(given));
            if (how == Start.SLURM) {
                SlurmAllocation.of(environment, hostName).require(all);
            }
            return checked(all, how == Start.AUTO ? Start.SSH : how);
        }
        if (!isAllocated || how == Start.LOCAL) {
            return alone(given);
        }
        SlurmAllocation allocation = SlurmAllocation.of(environment, hostName);
        if (allocation.isThisHost() && how == Start.AUTO) {
            return alone(given);
        }
        return allocated(given, allocation, how == Start.AUTO ? Start.SLURM : how, client);
    }

    private static List<HostSpec> listed(GivenOptions given) {
        boolean listed = given.has(HostOption.HOSTS);
        if (listed && given.has(HostOption.HOSTFILE)) {
            throw new MisuseException("--hosts=" + given.text(HostOption.HOSTS) + ": not together with --hostfile");
        }
        return listed ? HostList.parse("--hosts", given.text(HostOption.HOSTS), false)
            : given.has(HostOption.HOSTFILE) ? HostList.read(Path.of(given.text(HostOption.HOSTFILE))) : List.of();
    }

    private static List<HostSpec> spares(GivenOptions given) {
        return given.has(HostOption.SPARE_HOSTS)
            ? HostList.parse("--spare-hosts", given.text(HostOption.SPARE_HOSTS), true) : List.of();
    }

    private static NamedHosts checked(List<HostSpec> hosts, Start how) {
        if (hosts.stream().allMatch(HostSpec::isSpare)) {
            throw new MisuseException("all hosts are spare ones: at least one must run processes from the beginning");
        }
        return new NamedHosts(hosts, how);
    }

    private static NamedHosts alone(GivenOptions given) {
        for (HostOption option : HostOption.values()) {
            if (given.has(option) && option != HostOption.START) {
                throw new MisuseException("--" + option.key() + ": the job has no other hosts; add --hosts or "
                    + "--hostfile");
            }
        }
        Start how = given.word(HostOption.START, Start.class);
        if (how != Start.AUTO && how != Start.LOCAL) {
            throw new MisuseException("--start=" + how + ": the job has no other hosts; add --hosts or --hostfile");
        }
        return NONE;
    }

    /** Spare hosts are nodes of the allocation, too, and their slots are told there. */
    private static NamedHosts allocated(GivenOptions given, SlurmAllocation allocation, Start how,
        SlurmClient client) {
        SlurmAllocation now = client.withoutLostNodes(allocation);
        client.noteWhatEndsIt(now);
        List<HostSpec> spares = spares(given);
        List<HostSpec> hosts = new ArrayList<>();
        for (HostSpec node : now.hosts()) {
            HostSpec spare = spares.stream().filter(one -> one.name().equals(node.name())).findFirst().orElse(null);
            hosts.add(spare == null ? node : new HostSpec(node.name(), spare.slots() > 0 ? spare.slots() : node.slots(),
                true, ""));
        }
        for (HostSpec spare : spares) {
            if (hosts.stream().noneMatch(node -> node.name().equals(spare.name()))) {
                if (how == Start.SLURM) {
                    now.require(List.of(spare));
                }
                hosts.add(spare);
            }
        }
        return checked(hosts, how);
    }

    /** Whether the job runs on this host alone. */
    boolean isThisHost() {
        return specs.isEmpty();
    }
}
