package org.ftrma.launch.hosts;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionText;

/** Options of the command that is the agent of a host. Any thread. */
public enum AgentOption implements CommandOption {
    /** Where the launcher waits. */
    JOIN("join", OptionForm.text("ADDRESS:PORT"), "", "address where the job's launcher waits for agents"),
    /** Which host this is. */
    HOST("host", OptionForm.count(0, 8191), "its place in --hosts, else the next free number",
        "number of this host in the job"),
    /** Which hosts there are. */
    HOSTS("hosts", OptionForm.text("A,B,..."), "",
        "all hosts of the job in order; this one finds its number by its name; if mpirun or srun starts several "
        + "agents on a host, only the first one stays"),
    /** What it is called. */
    NAME("name", OptionForm.text("NAME"), "the system's host name", "name of this host"),
    /** How much it takes. */
    SLOTS("slots", OptionForm.count(1, HostList.MOST_SLOTS), "its number of cores",
        "number of processes to run on this host at a time, if the launcher was not given one"),
    /** The job's secret. */
    TOKEN_FILE("token-file", OptionForm.text("FILE"), "",
        "file with the job's secret, readable only by you; -: standard input"),
    /** As for the launcher. */
    DEVICE(HostOption.DEVICE),
    /** Which of several addresses. */
    ADDRESS("address", OptionForm.text("ADDRESS"), "chosen by the system",
        "address of this host from which its agent connects to the launcher"),
    /** As for the launcher. */
    HOST_TIMEOUT("host-timeout", HostOption.HOST_TIMEOUT.form(), "15s",
        "how long the launcher waits for a silent host; this host's processes stop a little sooner");

    private final OptionText text;

    AgentOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    AgentOption(CommandOption same) {
        text = same.text();
    }

    @Override
    public OptionText text() {
        return text;
    }
}
