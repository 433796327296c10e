package org.ftrma.launch.hosts;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionText;

/** Options of commands that run a job, about the hosts that it runs on. Any thread. */
public enum HostOption implements CommandOption {
    /** The hosts themselves. */
    HOSTS("hosts", OptionForm.text("A:N,B:N"), "", "hosts that the job runs on, with how many processes each runs at a "
        + "time (without: as many as it has cores), for which it must have the memory; none: those of the allocation "
        + "of Slurm in which this is, or this one alone"),
    /** The same from a file. */
    HOSTFILE("hostfile", OptionForm.text("FILE"), "",
        "the same from a file, a host a line: a slots=4, or a:4, then rack=NAME or spare if it is so"),
    /** Hosts for the case that others are lost. */
    SPARE_HOSTS("spare-hosts", OptionForm.text("C:N,..."), "",
        "further hosts, which run processes only when another host does not"),
    /** How agents are started. */
    START("start", OptionForm.oneOf(Start.values()), Start.AUTO.word(), "how the agent of each host is started: "
        + OptionText.WORDS),
    /** What starts them. */
    SHELL("shell", OptionForm.text("PROGRAM"), "ssh -o BatchMode=yes",
        "with --start ssh: the program that is given the name of a host and a command line, and runs that there; its "
        + "standard input is passed on"),
    /** Another thing that starts them. */
    MPIRUN("mpirun", OptionForm.text("PROGRAM"), "mpirun",
        "with --start mpi: the program that is given --host NAME -n 1 --bind-to none and a command; its standard input "
        + "is passed on"),
    /** What they are. */
    REMOTE("remote-ftrma", OptionForm.text("PATH"), "the one that runs here", "the ftrma command on the other hosts"),
    /** How they reach the launcher. */
    ADVERTISE("advertise", OptionForm.text("ADDRESS"), "the one by which the first host is reached",
        "the address of this host that the other ones reach; the launcher listens there, and nowhere else"),
    /** The same. */
    AGENT_PORT("agent-port", OptionForm.count(0, 65_535), "0", "the port there that agents join at; 0: any that is "
        + "free"),
    /** Who may join later. */
    TOKEN_FILE("token-file", OptionForm.text("FILE"), "", "a file for the job's secret, which only you can read and "
        + "which goes with the job: for agents that join while it runs"),
    /** How processes reach each other. */
    DEVICE("device", OptionForm.text("NAME"), "the one by which a host reaches the launcher",
        "the network device, such as eth0, by which processes of different hosts reach each other"),
    /** When a host is given up. */
    HOST_TIMEOUT("host-timeout", OptionForm.duration(500_000_000L, 3_600_000_000_000L),
        "15s, or --heartbeat-timeout if longer",
        "a host is lost when neither its agent nor any of its processes was heard for so long; after 5s already where "
        + "its peers do not reach it either"),
    /** Where processes go when there is no room for them. */
    DEGRADE("degrade", OptionForm.oneOf(YesNo.values()), YesNo.YES.word(), "whether a process that replaces another "
        + "may go to a host that has no free slot: " + OptionText.WORDS),
    /** Hosts that fail on purpose. */
    CHAOS_HOSTS("chaos-hosts", OptionForm.count(0, 10_000), "0", "N losses of random hosts spread over the run, as "
        + "--chaos does with kills: each when every group has its redundancy and the host that was lost before is "
        + "back"),
    /** More processes than slots. */
    OVERSUBSCRIBE("oversubscribe", OptionForm.flag(), "off", "begin with more processes than the hosts have slots");

    private final OptionText text;

    HostOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
