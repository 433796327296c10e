package org.ftrma.launch.hosts;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.ftrma.options.ShellLine;
import org.ftrma.options.Units;

/**
 * The command lines of agents, and of what starts them. The job's secret is in none of them. Pure functions; any
 * thread.
 */
final class AgentLines {
    /** What would set what srun gives a step, and all that a node has is right. */
    private static final List<String> LIMITS_OF_STEPS = List.of("SLURM_CPUS_PER_TASK", "SRUN_CPUS_PER_TASK",
        "SLURM_TRES_PER_TASK", "SLURM_MEM_PER_CPU", "SLURM_MEM_PER_GPU", "SLURM_MEM_PER_NODE", "SLURM_NTASKS_PER_CORE",
        "SLURM_NTASKS_PER_NODE", "SLURM_THREADS_PER_CORE", "SLURM_EXACT", "SLURM_EXCLUSIVE", "SLURM_HINT",
        "SLURM_DISTRIBUTION");

    /**
     * What all agents of a job are told.
     *
     * @param ftrma the command on each host
     * @param launcher where they join
     * @param hostTimeoutNanos so long a host may be silent
     * @param device the network device of its processes; null: that of its connection to the launcher
     */
    record Job(String ftrma, InetSocketAddress launcher, long hostTimeoutNanos, String device) {
    }

    private AgentLines() {
    }

    /**
     * The agent of one host.
     *
     * @param tokenFile a file with the job's secret; -: it comes on standard input
     */
    static List<String> one(Job job, int host, HostSpec spec, String tokenFile) {
        return agent(job, List.of("--host", Integer.toString(host), "--name", spec.name()), tokenFile);
    }

    /** The agent of a host whose number the job gives it when it joins. */
    static List<String> further(Job job, HostSpec spec, String tokenFile) {
        return agent(job, List.of("--name", spec.name()), tokenFile);
    }

    /** The agent of any of these hosts, which finds out itself which it is. */
    static List<String> any(Job job, List<HostSpec> hosts, String tokenFile) {
        return agent(job, List.of("--hosts", hosts.stream().map(HostSpec::name).collect(Collectors.joining(","))),
            tokenFile);
    }

    private static List<String> agent(Job job, List<String> which, String tokenFile) {
        List<String> words = new ArrayList<>(List.of(job.ftrma(), "agent", "--join",
            job.launcher().getAddress().getHostAddress() + ":" + job.launcher().getPort()));
        words.addAll(which);
        words.addAll(List.of("--host-timeout", Units.time(job.hostTimeoutNanos())));
        if (job.device() != null) {
            words.addAll(List.of("--device", job.device()));
        }
        words.addAll(List.of("--token-file", tokenFile));
        return words;
    }

    /** The words of a program and its first arguments, separated by spaces. */
    static List<String> program(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    /** A remote shell, which takes a host and a line. */
    static List<String> shell(String shell, HostSpec host, List<String> agent) {
        List<String> words = new ArrayList<>(program(shell));
        words.addAll(List.of(host.name(), ShellLine.of(agent)));
        return words;
    }

    /**
     * One step of Slurm with a task on each node, which share everything with the tasks of the allocation, and of which
     * none goes with another one. It passes its standard input to all of them.
     */
    static List<String> step(List<HostSpec> hosts, List<String> agent) {
        String count = Integer.toString(hosts.size());
        List<String> words = new ArrayList<>(List.of("env"));
        LIMITS_OF_STEPS.forEach(name -> words.addAll(List.of("-u", name)));
        words.addAll(List.of("srun", "--overlap", "--no-kill", "--kill-on-bad-exit=0",
            "--wait=0", "--nodes=" + count, "--ntasks=" + count, "--ntasks-per-node=1", "--nodelist="
            + hosts.stream().map(HostSpec::name).collect(Collectors.joining(",")), "--mem=0", "--cpu-bind=none",
            "--mpi=none", "--input=all", "--export=ALL", "--job-name=ftrma-agents"));
        words.addAll(agent);
        return words;
    }

    /**
     * An mpirun of one process, for each host one: mpirun ends all of its processes when it loses one, or waits for
     * ever for a host that is lost. It passes its standard input to the first process. Open MPI and MPICH have these
     * options.
     */
    static List<String> mpirun(String mpirun, HostSpec host, List<String> agent) {
        List<String> words = new ArrayList<>(program(mpirun));
        words.addAll(List.of("--host", host.name(), "-n", "1", "--bind-to", "none"));
        words.addAll(agent);
        return words;
    }
}
