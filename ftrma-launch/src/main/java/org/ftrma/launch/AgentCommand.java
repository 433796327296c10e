package org.ftrma.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.launch.agent.AgentLoop;
import org.ftrma.launch.agent.AgentProcess;
import org.ftrma.launch.agent.Surroundings;
import org.ftrma.launch.hosts.AgentOption;
import org.ftrma.launch.hosts.HostList;
import org.ftrma.launch.hosts.HostSpec;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.rank.Signals;
import org.ftrma.rank.control.Token;
import picocli.CommandLine.ParseResult;

/** The command that is the agent of a host, for as long as its job runs. One thread. */
final class AgentCommand {
    /** The status of a process that SIGTERM has ended. */
    private static final int TERMINATED = 143;
    /** In place of a host's number: the job does not know it yet. */
    private static final int FURTHER = -1;
    private static final int JOIN_MILLIS = 30_000;
    private static final int MOST_TOKEN_CHARACTERS = 1024;
    private final PrintStream err;

    AgentCommand(PrintStream err) {
        this.err = err;
    }

    /** Returns the exit code: 0 where the job was over, 1 where it was lost. */
    int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        Map<String, String> environment = System.getenv();
        if (!given.has(AgentOption.HOST) && Surroundings.isOneMore(environment)) {
            return 0;
        }
        List<String> names = Surroundings.names(environment, Surroundings.hostName());
        List<String> listed = !given.has(AgentOption.HOSTS) ? List.of()
            : HostList.parse("--hosts", given.text(AgentOption.HOSTS), false).stream().map(HostSpec::name).toList();
        int host = number(given, listed, names);
        String name = given.text(AgentOption.NAME, host >= 0 && host < listed.size() ? listed.get(host)
            : names.getFirst());
        AgentProcess.Settings settings = new AgentProcess.Settings(launcher(given), address(given), token(given), host,
            name,
            (int) given.number(AgentOption.SLOTS, 0),
            given.text(AgentOption.DEVICE, null), given.number(AgentOption.HOST_TIMEOUT), JOIN_MILLIS);
        AgentLoop.End end = AgentProcess.run(settings, AgentCommand::leaveWhenTold);
        switch (end) {
            case DONE -> {
                return 0;
            }
            case LINK_LOST -> err.println("ftrma: agent " + settings.name()
                + ": connection to the job lost; ending all its processes");
            case REFUSED -> throw new IllegalStateException("it was told why");
            case LEASE_ENDED -> err.println("ftrma: agent " + settings.name() + ": no contact with the job, which now"
                + " counts this host as lost; ending all its processes");
        }
        return 1;
    }

    /** The first signal asks the job to leave this host; the second one ends the agent, and all that it has started. */
    private static void leaveWhenTold(AgentLoop loop) {
        AtomicBoolean isTold = new AtomicBoolean();
        Signals.handle(() -> {
            if (isTold.getAndSet(true)) {
                System.exit(TERMINATED);
            }
            loop.leave("its agent was told to end");
        });
    }

    private static int number(GivenOptions given, List<String> listed, List<String> names) {
        if (given.has(AgentOption.HOST)) {
            return (int) given.number(AgentOption.HOST);
        }
        int found = listed.isEmpty() ? FURTHER : Surroundings.find(listed, names);
        if (found < 0 && !listed.isEmpty()) {
            throw new MisuseException("--hosts=" + given.text(AgentOption.HOSTS) + ": this host, "
                + String.join(" or ", names) + ", is not among them; --host N says which one it is");
        }
        return found;
    }

    private static InetSocketAddress launcher(GivenOptions given) {
        String text = given.text(AgentOption.JOIN);
        if (text.isEmpty()) {
            throw new MisuseException("--join is missing: it says where the job's launcher waits, as that prints it, "
                + "such as 10.0.0.1:4711");
        }
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65_535) {
            throw new MisuseException("--join=" + text + ": must be an address and a port, as the launcher prints it, "
                + "such as 10.0.0.1:4711");
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(text.substring(0, colon)), Integer.parseInt(port));
        } catch (UnknownHostException e) {
            MisuseException unknown = new MisuseException("--join=" + text + ": there is no host "
                + text.substring(0, colon));
            unknown.initCause(e);
            throw unknown;
        }
    }

    /** Null: as the system chooses. */
    private static InetAddress address(GivenOptions given) {
        if (!given.has(AgentOption.ADDRESS)) {
            return null;
        }
        String text = given.text(AgentOption.ADDRESS);
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            MisuseException unknown = new MisuseException("--address=" + text + ": must be an address of this host in "
                + "figures, such as 10.0.0.2");
            unknown.initCause(e);
            throw unknown;
        }
    }

    private static Token token(GivenOptions given) {
        String file = given.text(AgentOption.TOKEN_FILE);
        if (file.isEmpty()) {
            throw new MisuseException("--token-file is missing: it names a file with the job's secret, or is - where"
                + " that comes on standard input");
        }
        try {
            if (file.equals("-")) {
                return parse(System.in);
            }
            Path path = Path.of(file);
            Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(path);
            if (allowed.contains(PosixFilePermission.GROUP_READ) || allowed.contains(PosixFilePermission.OTHERS_READ)) {
                throw new MisuseException("--token-file=" + file + ": others can read it; chmod 600 " + file);
            }
            try (InputStream in = Files.newInputStream(path)) {
                return parse(in);
            }
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "--token-file=" + file + ": cannot be read: "
                + e.getMessage() + " (" + e.getClass().getSimpleName() + ")", e);
        } catch (IllegalArgumentException e) {
            MisuseException wrong = new MisuseException("--token-file=" + file
                + ": there is no secret of a job in it, as its launcher gives it");
            wrong.initCause(e);
            throw wrong;
        }
    }

    private static Token parse(InputStream in) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII),
            MOST_TOKEN_CHARACTERS);
        StringBuilder line = new StringBuilder();
        for (int next = reader.read(); next >= 0 && next != '\n' && line.length() <= MOST_TOKEN_CHARACTERS;
            next = reader.read()) {
            line.append((char) next);
        }
        return Token.parse(line.toString().strip());
    }
}
