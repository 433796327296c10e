package org.ftrma.launch.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.MemberState;
import org.ftrma.launch.agent.Surroundings;
import org.ftrma.launch.journal.JobFacts;
import org.ftrma.launch.journal.JobFolder;
import org.ftrma.launch.journal.JobJournal;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.Launcher;
import org.ftrma.rank.control.MachineClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** What is told of jobs that ended in all the ways, from the events that they left. */
class StoryTest {
    private static final long MILLIS = 1_000_000;
    private static final long NOBODY = 999_999_999L;

    @TempDir
    private Path parent;
    private long now = System.nanoTime();

    private JobJournal journal(long pid) throws IOException {
        Launcher launcher = pid == NOBODY ? new Launcher(Surroundings.hostName(), pid, 1)
            : Launcher.here(Surroundings.hostName());
        return new JobJournal(new JobJournal.Keeping(parent, Duration.ofDays(1)), new JobFacts("fft",
            List.of("fft", "--ranks", "2"), 2, 1, 1, List.of(0, 0, 0), Map.of(), launcher, 0), process -> "h" + process,
            text -> { }, MachineClock.HERE);
    }

    private JobView view() throws IOException {
        return new JobView(JobFolder.all(parent).getFirst());
    }

    private void tell(JobJournal journal, JobEvent event, long afterMillis) {
        now += afterMillis * MILLIS;
        journal.event(event, now);
    }

    private void begin(JobJournal journal) {
        tell(journal, new JobEvent.Assigned(0, 0, 0), 1);
        tell(journal, new JobEvent.Assigned(1, 1, 0), 1);
        tell(journal, new JobEvent.Assigned(2, 2, 0), 1);
        tell(journal, new JobEvent.Running(1, 1), 1);
        tell(journal, new JobEvent.Committed(3, 4, 5 * MILLIS, 6 * MILLIS), 1);
        tell(journal, new JobEvent.StepBegun(1, 5, 20, 1000), 1);
    }

    private static Map<String, Object> result(String outcome, String message, int status) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("outcome", outcome);
        map.put("message", message);
        map.put("exitCode", status);
        return map;
    }

    private String story() throws IOException {
        List<String> lines = new FailureSummary(view()).lines();
        assertTrue(lines.size() <= FailureSummary.MOST_LINES, lines::toString);
        assertTrue(lines.stream().noneMatch(line -> line.contains("\n")), lines::toString);
        return String.join("\n", lines);
    }

    private static void assertTold(String story, String... parts) {
        for (String part : parts) {
            assertTrue(story.contains(part), () -> "not told: " + part + "\n" + story);
        }
    }

    @Test
    void aLossThatWasRecoveredAloneIsToldWithItsPhases() throws IOException {
        try (JobJournal journal = journal(NOBODY)) {
            begin(journal);
            tell(journal, new JobEvent.Note("[rank 1] at its end: incarnation 0, view 1, step 5"), 9);
            tell(journal, new JobEvent.MemberLost(1, 1, 0, 5, "killed by SIGKILL"), 1);
            tell(journal, new JobEvent.RecoveryBegun(1, false, 3, 4), 1);
            tell(journal, new JobEvent.Replayed(1, 1, 5, new long[] {2, 3, 4, 5, 6 * MILLIS, 7 * MILLIS, 8 * MILLIS,
                9 * MILLIS}), 40);
            tell(journal, new JobEvent.Recovered(1, 1, "replay"), 0);
            journal.ended(result("success", "", 0));
        }
        assertTold(story(), "fft on 2 ranks and 1 checksum rank, begun ", ": success, ",
            "rank 1 was lost in step 5 (incarnation 0, process 1 on h1): killed by SIGKILL",
            "it was at: incarnation 0, view 1, step 5",
            "the last checkpoint was generation 3, of step 4, 0.011 s before",
            "it alone went back to generation 3, and the others went on",
            "rank 1 had joined in 6.0 ms and its image was rebuilt in 7.0 ms; logs agreed in 8.0 ms, 2 steps replayed "
            + "in 9.0 ms", "rank 1 was back, 41.0 ms after the loss (replay)", "the job ended: success");
        assertEquals(List.of(1L, 1L, 1L, 3L, 4L, "ended"), List.of(status().get("losses"), status().get("recoveries"),
            status().get("checkpoints"), status().get("generation"), status().get("generationStep"),
            status().get("state")));
    }

    private Map<String, Object> status() throws IOException {
        return new JobStatus(view()).map();
    }

    @Test
    void aFallbackIsToldWithItsReason() throws IOException {
        try (JobJournal journal = journal(NOBODY)) {
            tell(journal, new JobEvent.MemberLost(1, 0, 0, 1, "exited with status 3"), 1);
            tell(journal, new JobEvent.FellBack(0, FallbackReason.BEFORE_FIRST_CHECKPOINT,
                "no checkpoint was committed yet"), 1);
            tell(journal, new JobEvent.RecoveryBegun(2, true, 0, 0), 1);
            tell(journal, new JobEvent.Recovered(0, 1, "rollback"), 1);
            journal.ended(result("success", "", 0));
        }
        assertTold(story(), "no checkpoint had been committed yet",
            "all ranks had to go back: BEFORE_FIRST_CHECKPOINT: no checkpoint was committed yet",
            "all ranks went back to generation 0, of step 0", "rank 0 was back, 3.0 ms after the loss (rollback)");
    }

    @Test
    void aCatastropheIsToldWithAllThatWasLostTogetherAndItsMessage() throws IOException {
        try (JobJournal journal = journal(NOBODY)) {
            begin(journal);
            tell(journal, new JobEvent.HostLost("h1", "it does not answer"), 1);
            tell(journal, new JobEvent.MemberLost(1, 0, 0, 5, "its host is lost"), 1);
            tell(journal, new JobEvent.MemberLost(1, 1, 0, 5, "its host is lost too"), 1);
            journal.ended(result("catastrophic", "catastrophic failure: group 0 lost 2 members", 3));
        }
        assertTold(story(), ": catastrophic, ", "rank 0 was lost in step 5", "with it were lost: rank 1 (its host is "
            + "lost too)", "the host was lost: h1: it does not answer", "rank 1 did not come back",
            "the job ended: catastrophic: catastrophic failure: group 0 lost 2 members");
    }

    /** As in a job over hosts: the host first, and all that are back. */
    @Test
    void aHostThatIsLostIsToldInTheOrderOfWhatHappened() throws IOException {
        try (JobJournal journal = journal(NOBODY)) {
            begin(journal);
            tell(journal, new JobEvent.HostLost("h1", "silent for more than 5s"), 1);
            tell(journal, new JobEvent.MemberLost(1, 0, 0, 5, "its host h1 is lost"), 1);
            tell(journal, new JobEvent.MemberLost(1, 1, 0, 5, "its host h1 is lost"), 1);
            tell(journal, new JobEvent.RecoveryBegun(2, true, 1, 4), 1);
            tell(journal, new JobEvent.Recovered(0, 1, "rollback"), 1);
            tell(journal, new JobEvent.Recovered(1, 1, "rollback"), 1);
            journal.ended(result("success", "", 0));
        }
        String story = story();
        assertTold(story, "the host was lost: h1: silent for more than 5s", "rank 0 was lost in step 5",
            "with it were lost: rank 1 (its host h1 is lost)", "rank 0, rank 1 were back, 4.0 ms after the loss "
            + "(rollback)");
        assertTrue(story.indexOf("the host was lost") < story.indexOf("rank 0 was lost"), story);
    }

    @Test
    void aJobWhoseLauncherIsGoneIsToldWithItsLastSignAndSteps() throws IOException {
        try (JobJournal journal = journal(NOBODY)) {
            begin(journal);
            tell(journal, new JobEvent.StepBegun(0, 7, 20, 1000), 1);
            tell(journal, new JobEvent.MemberChanged(1, 0, 0, MemberState.READY, MemberState.RUNNING), 1);
            journal.alive(now + 500 * MILLIS);
        }
        JobView view = view();
        assertEquals(JobView.State.ABANDONED, view.state());
        assertEquals(List.of(7L, 5L, 0L), view.members().stream().map(JobView.Member::step).toList());
        assertEquals(List.of("RUNNING", "h0"), List.of(view.members().getFirst().state(),
            view.members().getFirst().host()));
        assertTold(story(), ": launcher gone, ", "the launcher, process 999999999 on " + Surroundings.hostName()
            + ", is gone and has told no result", "with ranks in steps 5 to 7");
        assertTrue(new JobStatus(view).text().contains("(its counters are not here)"), new JobStatus(view).text());
    }

    @Test
    void aJobThatRunsIsToldAsOne() throws IOException {
        try (JobJournal journal = journal(ProcessHandle.current().pid())) {
            begin(journal);
            assertEquals(JobView.State.RUNNING, view().state());
            assertTold(story(), ": running, ", "no member was lost", "the job runs");
        }
    }

    /** Its marks are those of the events, and nothing that a program says gets into it as anything but text. */
    @Test
    void thePageHasAMarkForEachEventAndAsksForNothingElse() throws Exception {
        try (JobJournal journal = journal(NOBODY)) {
            begin(journal);
            tell(journal, new JobEvent.StepBegun(0, 9, 20, 2 * MILLIS), 1000);
            tell(journal, new JobEvent.MemberLost(1, 1, 0, 5, "<script>alert(1)</script> & \"more\""), 1);
            tell(journal, new JobEvent.Abandoned(4, "rank 1 was lost", 1, 0), 1);
            tell(journal, new JobEvent.RecoveryBegun(2, true, 3, 4), 1);
            tell(journal, new JobEvent.Assigned(3, 1, 1), 1);
            tell(journal, new JobEvent.Replayed(1, 1, 5, new long[] {2, 0, 0, 0, MILLIS, MILLIS, MILLIS, MILLIS}), 40);
            tell(journal, new JobEvent.Recovered(1, 1, "rollback"), 0);
            journal.ended(result("success", "", 0));
        }
        Waste waste = new Waste(view());
        assertEquals(List.of(1, 1, 7L), List.of(waste.checkpoints, waste.losses, waste.stepsRepeated));
        assertEquals(0.005, waste.blockedSeconds, 1e-9);
        assertEquals(0.043, waste.recoverySeconds, 1e-4);
        String html = new ReportPage(view()).html();
        Document page = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(
            new StringReader(html)));
        List<String> titles = texts(page, "title");
        for (String title : List.of("rank 1 lost at ", "generation 3 committed at ", "generation 4 abandoned at ",
            "rank 1, process 1, incarnation 0 on h1", "rank 1, process 3, incarnation 1 on h3", "rank 1: join, 1.0 ms",
            "rank 1: rebuild, 1.0 ms", "rank 1: agree, 1.0 ms", "rank 1: replay, 1.0 ms")) {
            assertTrue(titles.stream().anyMatch(one -> one.contains(title)), () -> title + " is not in " + titles);
        }
        assertEquals(List.of(), texts(page, "script"));
        assertTrue(texts(page, "td").contains("<script>alert(1)</script> & \"more\""), html);
        assertTrue(html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "").indexOf("http") < 0, html);
        for (String tag : List.of("link", "img", "iframe", "object")) {
            assertEquals(0, page.getElementsByTagName(tag).getLength(), tag);
        }
    }

    private static List<String> texts(Document page, String tag) {
        NodeList nodes = page.getElementsByTagName(tag);
        return IntStream.range(0, nodes.getLength()).mapToObj(i -> nodes.item(i).getTextContent()).toList();
    }

    @Test
    void ofAJobThatIsNotToBeKeptNothingStays() throws IOException {
        try (JobJournal journal = new JobJournal(new JobJournal.Keeping(parent, Duration.ZERO), new JobFacts("fft",
            List.of(), 1, 0, 0, List.of(), Map.of(), Launcher.here("h"), 0), process -> "", text -> { },
            MachineClock.HERE)) {
            assertEquals(1, JobFolder.all(parent).size());
            journal.ended(result("success", "", 0));
        }
        assertEquals(List.of(), JobFolder.all(parent));
    }
}
