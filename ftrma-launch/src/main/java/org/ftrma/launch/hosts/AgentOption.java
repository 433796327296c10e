package org.ftrma.launch.hosts;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionText;

/** Options of the command that is the agent of a host. Any thread. */
public enum AgentOption implements CommandOption {
    /** Where the launcher waits. */
    JOIN("join", OptionForm.text("ADDRESS:PORT"), "", "where the job's launcher waits for agents"),
    /** Which host this is. */
    HOST("host", OptionForm.count(0, 8191), "by --hosts, or a further one", "the number of this host in the job"),
    /** Which hosts there are. */
    HOSTS("hosts", OptionForm.text("A,B,..."), "", "all hosts of the job in their order, among which this one finds "
        + "its number by its name; where mpirun or srun starts several of these on a host, only the first one stays"),
    /** What it is called. */
    NAME("name", OptionForm.text("NAME"), "what the system says", "what this host is called"),
    /** How much it takes. */
    SLOTS("slots", OptionForm.count(1, HostList.MOST_SLOTS), "as many as it has cores",
        "processes that this host is to run at a time, where the launcher was not told"),
    /** The job's secret. */
    TOKEN_FILE("token-file", OptionForm.text("FILE"), "",
        "a file that only you can read, with the job's secret in it; -: it comes on standard input"),
    /** As for the launcher. */
    DEVICE(HostOption.DEVICE),
    /** Which of several addresses. */
    ADDRESS("address", OptionForm.text("ADDRESS"), "the one that the system chooses",
        "the address of this host from which its agent reaches the launcher"),
    /** As for the launcher. */
    HOST_TIMEOUT("host-timeout", HostOption.HOST_TIMEOUT.form(), "15s",
        "so long the launcher waits for a host that is silent; a little sooner what runs on the host stands still");

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
