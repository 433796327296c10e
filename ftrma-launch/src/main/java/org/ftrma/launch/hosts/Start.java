package org.ftrma.launch.hosts;

import org.ftrma.options.OptionWord;

/** How the agents of hosts are started. Any thread. */
public enum Start implements OptionWord {
    /** By what the hosts come from. */
    AUTO("slurm where the hosts are those of an allocation of Slurm, else ssh"),
    /** By a remote shell. */
    SSH("by ssh, or what --shell names"),
    /** By Slurm. */
    SLURM("by srun, inside of an allocation"),
    /** By an implementation of MPI. */
    MPI("by mpirun, or what --mpirun names, for each host one"),
    /** By whoever reads what the launcher prints. */
    MANUAL("by hand: the command lines are printed"),
    /** Not at all. */
    LOCAL("not at all: the job runs on this host alone, in an allocation of Slurm too");

    private final String meaning;

    Start(String meaning) {
        this.meaning = meaning;
    }

    @Override
    public String meaning() {
        return meaning;
    }

    @Override
    public String toString() {
        return word();
    }
}
