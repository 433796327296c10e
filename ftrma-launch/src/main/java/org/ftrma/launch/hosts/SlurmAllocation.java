package org.ftrma.launch.hosts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;

/**
 * An allocation of Slurm, as its environment tells of it: the nodes, and how many processes each runs at a time. That
 * is as many as the user asked tasks for, or else as its processors allow. Immutable; any thread.
 */
public final class SlurmAllocation {
    private static final String JOB = "SLURM_JOB_ID";
    private static final String NODES = "SLURM_JOB_NODELIST";
    private static final String PROCESSORS = "SLURM_JOB_CPUS_PER_NODE";
    private static final String PER_TASK = "SLURM_CPUS_PER_TASK";
    private static final String TASKS = "SLURM_TASKS_PER_NODE";
    /** Only there where the user has said how many tasks there are to be. */
    private static final String ALL_TASKS = "SLURM_NTASKS";
    /** In a step of the allocation, whose tasks are told in place of those of the allocation. */
    private static final String STEP = "SLURM_STEP_ID";
    private static final String STEP_TASKS = "SLURM_STEP_NUM_TASKS";
    private static final String PROCESS = "SLURM_PROCID";
    private static final String THIS_NODE = "SLURMD_NODENAME";

    private final String job;
    private final List<HostSpec> hosts;
    private final String thisNode;

    private SlurmAllocation(String job, List<HostSpec> hosts, String thisNode) {
        this.job = job;
        this.hosts = List.copyOf(hosts);
        this.thisNode = thisNode;
    }

    /** Whether an environment is that of an allocation. */
    public static boolean isIn(Map<String, String> environment) {
        return environment.containsKey(JOB) && environment.containsKey(NODES);
    }

    /** The number of the allocation in which a process with this environment is; null: it is in none. */
    public static String number(Map<String, String> environment) {
        if (!isIn(environment)) {
            return null;
        }
        String job = environment.get(JOB);
        if (!job.matches("[0-9]{1,18}")) {
            throw new MisuseException(JOB + "=" + job + ": is not an allocation number");
        }
        return job;
    }

    /**
     * The allocation of an environment that {@linkplain #isIn is in} one.
     *
     * @param hostName what the system calls this host
     */
    public static SlurmAllocation of(Map<String, String> environment, String hostName) {
        refuseOneOfMany(environment);
        String job = number(environment);
        List<String> names = SlurmNodes.names(NODES, environment.get(NODES));
        int[] slots = slots(environment, names.size());
        List<HostSpec> hosts = new ArrayList<>();
        for (int node = 0; node < names.size(); node++) {
            hosts.add(new HostSpec(names.get(node), slots[node], false, ""));
        }
        String here = environment.getOrDefault(THIS_NODE, hostName);
        return new SlurmAllocation(job, hosts, names.stream().filter(name -> isSame(name, here)).findFirst()
            .orElse(null));
    }

    /** A launcher that is started on each node, by srun, would be as many jobs. */
    private static void refuseOneOfMany(Map<String, String> environment) {
        String tasks = environment.getOrDefault(STEP_TASKS, "1");
        if (environment.containsKey(STEP) && !tasks.equals("1")) {
            throw new MisuseException("task " + environment.get(PROCESS) + " of " + tasks + " of a Slurm step: each "
                + "would start its own job; run ftrma once, without srun (or --start local)");
        }
    }

    private static int[] slots(Map<String, String> environment, int nodes) {
        if (environment.containsKey(ALL_TASKS) && environment.containsKey(TASKS) && !environment.containsKey(STEP)) {
            return SlurmNodes.counts(TASKS, environment.get(TASKS), nodes);
        }
        int[] slots = new int[nodes];
        if (environment.containsKey(PROCESSORS)) {
            slots = SlurmNodes.counts(PROCESSORS, environment.get(PROCESSORS), nodes);
            int perTask = environment.containsKey(PER_TASK)
                ? SlurmNodes.counts(PER_TASK, environment.get(PER_TASK), 1)[0] : 1;
            for (int node = 0; node < nodes; node++) {
                slots[node] = Math.max(1, slots[node] / perTask);
            }
        }
        return slots;
    }

    /** Names of hosts are written with or without their domain. */
    static boolean isSame(String name, String other) {
        return name.equals(other) || name.startsWith(other + ".") || other.startsWith(name + ".");
    }

    /** Its number. */
    public String job() {
        return job;
    }

    /** Its nodes, with slots. */
    public List<HostSpec> hosts() {
        return hosts;
    }

    /** Whether it has one node only, which is this host. */
    public boolean isThisHost() {
        return hosts.size() == 1 && thisNode != null;
    }

    /** The same without nodes that Slurm does not count among them any more. */
    SlurmAllocation only(List<String> names) {
        Set<String> left = new HashSet<>(names);
        return new SlurmAllocation(job, hosts.stream().filter(host -> left.contains(host.name())).toList(), thisNode);
    }

    /** Refuses hosts that are no nodes of the allocation, where Slurm is to start their agents. */
    public void require(List<HostSpec> wanted) {
        for (HostSpec host : wanted) {
            if (hosts.stream().noneMatch(node -> node.name().equals(host.name()))) {
                throw new MisuseException("--start=slurm: host " + host.name() + " is not a node of allocation " + job
                    + " (" + hosts.getFirst().name() + (hosts.size() > 1 ? " and " + (hosts.size() - 1) + " more"
                    : "") + "); --start ssh reaches it otherwise");
            }
        }
    }
}
