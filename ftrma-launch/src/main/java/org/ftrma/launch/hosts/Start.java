package org.ftrma.launch.hosts;

import org.ftrma.options.OptionWord;

/** The ways to start the agents of hosts. Any thread. */
public enum Start implements OptionWord {
    /** By what the hosts come from. */
    AUTO("slurm for hosts of a Slurm allocation, else ssh"),
    /** By a remote shell. */
    SSH("ssh or --shell"),
    /** By Slurm. */
    SLURM("srun, in an allocation"),
    /** By an implementation of MPI. */
    MPI("one mpirun or --mpirun per host"),
    /** By whoever reads what the launcher prints. */
    MANUAL("print the commands"),
    /** Not at all. */
    LOCAL("this host only, even in an allocation");

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
