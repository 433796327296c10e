package org.ftrma.launch.options;

import org.ftrma.MisuseException;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionText;

/** Options that only one command has, beside those of its program and of its job. Any thread. */
public enum SingleOption implements CommandOption {
    /** Of the command without a name. */
    VERSION("version", OptionForm.flag(), "", "show the versions of ftrma, the JDK and UCX, and exit"),
    /** Of run. */
    CLASS_PATH("class-path", OptionForm.text("PATH"), "",
        "the program's class path: directories and jars, separated by colons"),
    /** Of kv. */
    COMPARE("compare", OptionForm.flag(), "",
        "insert the same keys at full speed in batches, one by one, and into a Chronicle Map shared by as many "
        + "processes, and print the three side by side"),
    /** Of simulate. */
    SCALE("scale", OptionForm.flag(), "",
        "instead: the stencil and the key-value store on 16, 64, ... up to --ranks ranks (default and maximum: "
        + "1024), without failures and with one: how messages, logs and the work of a recovery grow"),
    /** Of simulate: where {@link #SCALE} writes. */
    OUT("out", OptionForm.text("DIR"), "figures", "with --scale: directory for CSV and table; "
        + "./ftrma bench scaling-kv scaling-stencil --redraw --out DIR draws them"),
    /** Of drain. */
    JOB("job", OptionForm.of("JOB", SingleOption::launcher), "",
        "job name or launcher PID; needed only if several jobs run here"),
    /** Of stat. */
    ONCE("once", OptionForm.flag(), "", "print once, and do not refresh until the job ends"),
    /** Of events. */
    FOLLOW("follow", OptionForm.flag(), "", "also print new events until the job ends"),
    /** Of report. */
    REPORT("out", OptionForm.text("FILE"), "JOB.html", "write the report to this file"),
    /** Of web. */
    PORT("port", OptionForm.count(0, 65_535).as("PORT"), "0", "port of 127.0.0.1 to listen on (0: any free port)"),
    /** Of demo. */
    DEMO_HOSTS("hosts", OptionForm.count(2, 8), "",
        "run on this many hosts, made of namespaces (root; otherwise agents of this machine), and lose one of "
        + "them"),
    /** Of options. */
    EFFECTIVE("effective", OptionForm.flag(), "", "print the value of each option, and its source"),
    /** Of test. */
    QUICK("quick", OptionForm.flag(), "",
        "run only unit tests and short simulations: none that starts processes of jobs"),
    /** Of test. */
    MODULES("modules", OptionForm.text("NAME,..."), "", "run only tests of these modules and of those that they need"),
    /** Of test. */
    TESTS("tests", OptionForm.text("NAME,..."), "",
        "run only these classes or methods, such as XorCodeTest or CliTest#helpOfHelp; * matches anything"),
    /** Of test. */
    SLURM("slurm", OptionForm.flag(), "",
        "instead, run tests of jobs that a real Slurm or mpirun starts, on several hosts (needs root)"),
    /** Of package. */
    PACKAGES("out", OptionForm.text("DIR"), ".", "write the distribution to this directory"),
    /** Of package. */
    DEB("deb", OptionForm.flag(), "", "also make a Debian package (needs dpkg-deb)");

    private final OptionText text;

    SingleOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    /** The process of a job's launcher, which may be given by the name of the job, whose part it is. */
    public static long launcher(String key, String value) {
        if (!value.matches("([0-9]{8}-[0-9]{6}-)?[0-9]{1,9}(-[0-9]{1,3})?")) {
            throw new MisuseException("--" + key + "=" + value + ": must be a job's name, as ftrma jobs tells it, or "
                + "the number of the process of its launcher");
        }
        String[] parts = value.split("-");
        return Long.parseLong(parts[parts.length > 2 ? 2 : 0]);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
