package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.FtrmaException;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.launch.agent.AgentLink;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.HostFacts;
import org.ftrma.launch.agent.HostJob;
import org.ftrma.launch.agent.HostRoom;
import org.ftrma.launch.agent.RankJvm;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.launch.hosts.HostSpec;
import org.ftrma.launch.hosts.HostTopology;
import org.ftrma.launch.hosts.JobHosts;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.RankCheck;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.Token;
import org.ftrma.rank.program.ClassPathDigest;
import org.ftrma.xor.Groups;
import org.junit.jupiter.api.Test;

/** Where the processes of a job go. */
class HostChoiceTest {
    private final Map<Integer, Integer> players = new HashMap<>();
    private final List<Link> links = new ArrayList<>();
    private final List<RemoteAgent> agents = new ArrayList<>();
    private JobOptions options;
    private JobHosts hosts;
    private final List<String> notes = new ArrayList<>();
    private int cores = 2;
    private HostChoice choice;

    /** A connection that takes all, and says nothing but that the host is ready. */
    private static final class Link implements AgentLink {
        private static final byte[] OPENED = {0, 0, 0, 33, -1, -1, -1, -1};
        private byte[] answer = OPENED;
        private String over;

        @Override
        public void send(byte[] frame) {
            // nobody is there
        }

        @Override
        public byte[] poll() {
            byte[] next = answer;
            answer = null;
            return next;
        }

        @Override
        public String whyOver() {
            return over;
        }

        @Override
        public long heardNanos() {
            return System.nanoTime();
        }

        @Override
        public void whenHeard(Runnable wakeup) {
            // nothing is heard
        }

        @Override
        public void close() {
            over = "closed";
        }
    }

    /** Hears nothing that matters here. */
    private static final class NoListener implements HostAgent.Listener {
        @Override
        public void started(int process, long pid) {
            throw new AssertionError("nothing is started");
        }

        @Override
        public void notStarted(int process, String why) {
            throw new AssertionError(why);
        }

        @Override
        public void dead(HostAgent.Death death) {
            assertEquals(HostAgent.Death.HOST_LOST, death.status());
        }
    }

    /** Nothing is printed here. */
    private static final class NoOutput implements HostAgent.Output {
        @Override
        public void line(int process, boolean isError, byte[] line) {
            throw new AssertionError(new String(line, StandardCharsets.UTF_8));
        }

        @Override
        public void broken(int process, String why) {
            throw new AssertionError(why);
        }

        @Override
        public void note(String text) {
            throw new AssertionError(text);
        }
    }

    /** Hosts of two slots each. */
    private void hosts(boolean mayDegrade, Map<String, String> given, String... names) throws IOException {
        List<HostSpec> specs = Arrays.stream(names).map(name -> new HostSpec(name, 2, name.startsWith("spare"), ""))
            .toList();
        for (String name : names) {
            Link link = new Link();
            links.add(link);
            agents.add(new RemoteAgent(name, new HostFacts(name, 1, "k", "10.0.0.1", "eth0", List.of(),
                new HostRoom(cores, 1000), "25", ClassPathDigest.NONE, 0, List.of()), link, 1_000_000_000_000L,
                MachineClock.HERE));
        }
        Map<String, String> all = new HashMap<>(given);
        all.put("topology", HostTopology.text(specs));
        all.put("aware", HostTopology.HOST);
        options = JobOptions.of(all);
        hosts = new JobHosts(specs, agents, null, null, MachineClock.HERE).telling(notes::add);
        choice = new HostChoice(options, hosts, member -> players.getOrDefault(member, -1), mayDegrade);
        hosts.placeBy(choice::hostFor, choice.initial(), options);
        hosts.open(new HostJob("10.0.0.9", 4711, Token.random(), 1000, new RankOptions("Main", List.of(), "",
            ClassPathDigest.NONE, RankCheck.NONE, 6, 2, 1, false, false), new RankJvm(4, 2, List.of(), null, null),
            List.of()), new NoListener(), new NoOutput(), () -> { });
        for (int process = 0; process < choice.initial().length; process++) {
            hosts.start(process);
            if (process < options.ranks() + options.checksums()) {
                players.put(process, process);
            }
        }
    }

    @Test
    void hostsWithMoreMembersThanCoresAreToldOfOnce() throws IOException {
        cores = 1;
        hosts(true, JOB, "a", "b", "c", "spare");
        assertEquals(List.of("hosts with more ranks and checksum ranks than cores: a (2, and 1), b (2, and 1), c (2, "
            + "and 1); they share the cores, and all ranks wait for the slowest"), notes);
    }

    @Test
    void aHostWithoutRoomForSoManyProcessesIsNamed() throws IOException {
        hosts(true, JOB, "a", "b", "c", "spare");
        assertEquals(List.of(), notes);
        hosts.requireRoom(6, 500);
        FtrmaException refused = assertThrows(FtrmaException.class, () -> hosts.requireRoom(6, 501));
        assertEquals("host a: 2 processes need at least 1002 B, only 1000 B is available: give it fewer slots, or "
            + "reduce --ranks, --checksums or --spares", refused.getMessage());
    }

    private static final Map<String, String> JOB = Map.of("ranks", "4", "checksums", "2");

    private int hostOf(int member) {
        return hosts.hostOf(players.get(member));
    }

    /** A host is lost; the members that were there have no process then. */
    private List<Integer> lose(int host) {
        List<Integer> lost = players.keySet().stream().filter(member -> hostOf(member) == host).sorted().toList();
        links.get(host).over = "its agent is gone";
        agents.get(host).poll(System.nanoTime());
        lost.forEach(players::remove);
        return lost;
    }

    @Test
    void eachGroupBeginsOnDifferentHosts() throws IOException {
        hosts(true, JOB, "a", "b", "c");
        Groups groups = JobGroups.of(options);
        for (int group = 0; group < groups.groups(); group++) {
            assertEquals(3, Arrays.stream(groups.membersOf(group)).map(this::hostOf).distinct().count());
        }
        hosts.hosts().forEach(host -> assertEquals(0, host.freeSlots()));
    }

    @Test
    void aSpareHostTakesTheProcessesOfALostOne() throws IOException {
        hosts(true, JOB, "a", "spare", "b", "c");
        assertEquals(2, hosts.hosts().get(1).freeSlots(), "it runs nothing yet");
        List<Integer> lost = lose(2);
        assertEquals(2, lost.size());
        for (int i = 0; i < 2; i++) {
            assertNull(choice.whyNoHost());
            hosts.start(100 + i);
            assertEquals(1, hosts.hostOf(100 + i));
        }
        assertEquals(lost.get(1), choice.memberFor(101, lost), "it was started for that one");
        assertEquals(lost.get(0), choice.memberFor(100, lost));
    }

    @Test
    void aSpareProcessIsOnASpareHostAndPlaysWhomItDoesNotEndanger() throws IOException {
        hosts(true, Map.of("ranks", "4", "checksums", "2", "spares", "1"), "a", "b", "c", "spare");
        assertEquals(3, hosts.hostOf(6));
        assertEquals(6, choice.spareFor(0, List.of(6)));
        int mate = Arrays.stream(JobGroups.of(options).membersOf(0)).filter(member -> member != 0).findFirst()
            .orElseThrow();
        players.put(mate, 6);
        hosts.start(7);
        players.remove(0);
        hosts.start(8);
        assertNotEquals(3, hosts.hostOf(8), "a member of its group is there");
    }

    @Test
    void withoutRoomItGoesWhereItMustAndThatIsToldOrItGoesNowhere() throws IOException {
        hosts(true, JOB, "a", "b", "c");
        List<Integer> lost = lose(2);
        hosts.start(100);
        assertNotEquals(2, hosts.hostOf(100));
        players.put(lost.getFirst(), 100);
        List<String> told = new ArrayList<>();
        choice.assigned(new JobEvent.Assigned(100, lost.getFirst(), 1), told::add);
        assertEquals(1, told.size());
        assertTrue(told.getFirst().contains("has now 2 members of group ") && told.getFirst().contains("which survives "
            + "one loss at a time"), told::toString);
        hosts.start(101);
        players.put(lost.getLast(), 101);
        choice.assigned(new JobEvent.Assigned(101, lost.getLast(), 1), told::add);
        assertEquals("if a host fails now, that ends the job in 2 of 2 cases (before: 0 of 3); if two fail at once, in "
            + "1 of 1 (before: 3 of 3)", told.getLast());
    }

    @Test
    void whereItMayGoNowhereTheHostsAreNamed() throws IOException {
        hosts(false, JOB, "a", "b", "c");
        lose(2);
        String why = choice.whyNoHost();
        assertTrue(why.startsWith("no host is left for "), why);
        assertTrue(why.endsWith(": a (2 slots, all taken; --degrade yes would use it), b (2 slots, all taken; "
            + "--degrade yes would use it), c (lost: its agent is gone)"), why);
    }

    /** Its order must not be lost: the job counts on it. */
    @Test
    void aProcessThatWouldOnlyWaitIsStartedSomewhereInAnyCase() throws IOException {
        hosts(false, JOB, "a", "b", "c");
        assertNull(choice.whyNoHost());
        hosts.start(100);
        hosts.start(101);
        assertNotEquals(hosts.hostOf(100), hosts.hostOf(101), "on the hosts with the fewest");
    }

    @Test
    void aHostWhoseStartsFailAgainAndAgainIsSetAside() throws IOException {
        hosts(true, JOB, "a", "spare", "b", "c");
        List<Integer> lost = lose(3);
        for (int process = 100; process < 103; process++) {
            hosts.start(process);
            assertEquals(1, hosts.hostOf(process));
            choice.ended(process, false);
        }
        assertTrue(hosts.hosts().get(1).closed().startsWith("set aside: 3 processes in a row"));
        hosts.start(103);
        assertNotEquals(1, hosts.hostOf(103));
        assertEquals(lost.getFirst(), choice.memberFor(103, lost));
    }
}
