package org.ftrma.launch.hosts;

import org.ftrma.options.OptionWord;

/** How the agents of hosts are started. Any thread. */
public enum Start implements OptionWord {
    /** By what the hosts come from. */
    AUTO("auto", "slurm where the hosts are those of an allocation of Slurm, else ssh"),
    /** By a remote shell. */
    SSH("ssh", "by ssh, or what --shell names"),
    /** By Slurm. */
    SLURM("slurm", "by srun, inside of an allocation"),
    /** By an implementation of MPI. */
    MPI("mpi", "by mpirun, or what --mpirun names, for each host one"),
    /** By whoever reads what the launcher prints. */
    MANUAL("manual", "by hand: the command lines are printed"),
    /** Not at all. */
    LOCAL("local", "not at all: the job runs on this host alone, in an allocation of Slurm too");

    private final String word;
    private final String meaning;

    Start(String word, String meaning) {
        this.word = word;
        this.meaning = meaning;
    }

    @Override
    public String word() {
        return word;
    }

    @Override
    public String meaning() {
        return meaning;
    }

    @Override
    public String toString() {
        return word;
    }
}
