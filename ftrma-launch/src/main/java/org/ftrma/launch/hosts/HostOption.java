package org.ftrma.launch.hosts;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionText;

/** Options of commands that run a job, about the hosts that it runs on. Any thread. */
public enum HostOption implements CommandOption {
    /** The hosts themselves. */
    HOSTS("hosts", OptionForm.text("A:N,B:N"), "",
        "hosts, each with a process count (default: its cores) that fits its memory; if omitted: the Slurm "
        + "allocation, or this host"),
    /** The same from a file. */
    HOSTFILE("hostfile", OptionForm.text("FILE"), "",
        "hosts from a file, one per line: a slots=4 or a:4, optionally rack=NAME or spare"),
    /** Hosts for the case that others are lost. */
    SPARE_HOSTS("spare-hosts", OptionForm.text("C:N,..."), "",
        "standby hosts, for spare and replacement processes only"),
    /** How agents are started. */
    START("start", OptionForm.oneOf(Start.values()), Start.AUTO.word(), "how to start agents: " + OptionText.WORDS),
    /** What starts them. */
    SHELL("shell", OptionForm.text("PROGRAM"), "ssh -o BatchMode=yes",
        "with --start ssh: program that is passed a host and a command line, runs it there, and forwards "
        + "standard input"),
    /** Another thing that starts them. */
    MPIRUN("mpirun", OptionForm.text("PROGRAM"), "mpirun",
        "with --start mpi: program, run with --host NAME -n 1 --bind-to none COMMAND; forwards standard input"),
    /** What they are. */
    REMOTE("remote-ftrma", OptionForm.text("PATH"), "same as here", "path of ftrma on the other hosts"),
    /** How they reach the launcher. */
    ADVERTISE("advertise", OptionForm.text("ADDRESS"), "the one that reaches the first host",
        "address of this host for the other hosts to connect to; the launcher listens only there"),
    /** The same. */
    AGENT_PORT("agent-port", OptionForm.count(0, 65_535), "0", "port that agents connect to; 0: any free port"),
    /** Who may join later. */
    TOKEN_FILE("token-file", OptionForm.text("FILE"), "",
        "write the job's secret to this file (mode 600, deleted with the job), for agents that join later"),
    /** How processes reach each other. */
    DEVICE("device", OptionForm.text("NAME"), "the one that reaches the launcher",
        "network device for traffic between hosts, such as eth0"),
    /** When a host is given up. */
    HOST_TIMEOUT("host-timeout", OptionForm.duration(500_000_000L, 3_600_000_000_000L),
        "15s, or --heartbeat-timeout if longer",
        "declare a host lost if neither its agent nor its processes are heard from for this long; after 5s if "
        + "its peers do not reach it either"),
    /** Where processes go when there is no room for them. */
    DEGRADE("degrade", OptionForm.oneOf(YesNo.values()), YesNo.YES.word(),
        "allow replacements on hosts without a free slot: " + OptionText.WORDS),
    /** Hosts that fail on purpose. */
    CHAOS_HOSTS("chaos-hosts", OptionForm.count(0, 10_000), "0",
        "spread N losses of random hosts over the run, each once every group is fully redundant and the last "
        + "lost host is back"),
    /** More processes than slots. */
    OVERSUBSCRIBE("oversubscribe", OptionForm.flag(), "off", "allow more initial processes than slots");

    private final OptionText text;

    HostOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
