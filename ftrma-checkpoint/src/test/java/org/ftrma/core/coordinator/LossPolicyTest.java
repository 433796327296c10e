package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.LossSnapshot.HalfParity;
import org.ftrma.core.coordinator.LossSnapshot.Recovery;
import org.ftrma.core.coordinator.LossSnapshot.Waiting;
import org.ftrma.options.Protocol;
import org.junit.jupiter.api.Test;

/**
 * What a loss leads to is what docs/internals/failure-matrix.md says in "What a loss leads to": its rows are read from
 * there, and the first one that fits tells what must be decided, whatever the snapshot.
 */
class LossPolicyTest {
    private static final String SECTION = "## What a loss leads to";
    /** The conditions that rows of the table are made of, in the words that it has for them. */
    private static final Map<String, Predicate<LossSnapshot>> CONDITIONS = conditions();

    private static Map<String, Predicate<LossSnapshot>> conditions() {
        Map<String, Predicate<LossSnapshot>> map = new LinkedHashMap<>();
        map.put("the job has no checksum ranks", loss -> loss.protocol() == Protocol.NONE);
        map.put("its group lacks more parts than it can rebuild", loss -> loss.lostOfGroup() > loss.losses());
        map.put("all run", LossSnapshot::isRunning);
        map.put("not all run", loss -> !loss.isRunning());
        map.put("checksum ranks keep no logs", loss -> loss.protocol() != Protocol.ML);
        map.put("nothing is logged, or only at checksum ranks",
            loss -> loss.protocol() == Protocol.COORDINATED || loss.protocol() == Protocol.ML);
        map.put("only puts are logged", loss -> loss.protocol() == Protocol.PUTS);
        map.put("the loss of a mate waits", loss -> loss.waiting() == Waiting.A_MATE);
        map.put("another loss waits", loss -> loss.waiting() != Waiting.NOBODY);
        map.put("a mate that makes its part anew would read too few", LossSnapshot::leavesTooFew);
        map.put("a rank is being recovered that may need its logs", loss -> loss.recovery() == Recovery.OF_ANOTHER);
        map.put("a demand image of a mate is half in the parities", loss -> loss.halfParity() == HalfParity.OF_A_MATE);
        map.put("its own demand image is half in the parities", loss -> loss.halfParity() == HalfParity.OF_THE_LOST);
        map.put("no generation is committed", loss -> !loss.hasGeneration());
        return map;
    }

    private record Row(String number, Predicate<LossSnapshot> fits, LossDecision decision) {
    }

    private static Path document() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/internals/failure-matrix.md"))) {
            place = place.getParent();
        }
        return place.resolve("docs/internals/failure-matrix.md");
    }

    private static List<Row> rows(Set<String> used) throws IOException {
        String text = Files.readString(document());
        assertTrue(text.contains(SECTION), "there is no section " + SECTION);
        String section = text.substring(text.indexOf(SECTION) + SECTION.length());
        int end = section.indexOf("\n## ");
        List<Row> rows = new ArrayList<>();
        for (String line : section.substring(0, end < 0 ? section.length() : end).lines().toList()) {
            if (line.matches("\\| [0-9]+ \\|.*")) {
                rows.add(row(line, used));
            }
        }
        return rows;
    }

    private static Row row(String line, Set<String> used) {
        String[] cells = Arrays.stream(line.split("\\|")).map(String::trim).toArray(String[]::new);
        assertEquals(6, cells.length, line);
        Predicate<LossSnapshot> fits = switch (cells[2]) {
            case "any member" -> loss -> true;
            case "a checksum rank" -> LossSnapshot::isChecksum;
            case "a computing rank" -> loss -> !loss.isChecksum();
            default -> throw new AssertionError("who is lost? " + line);
        };
        for (String condition : cells[3].split("; ")) {
            if (!condition.isEmpty()) {
                assertNotNull(CONDITIONS.get(condition), "no such condition: " + condition);
                fits = fits.and(CONDITIONS.get(condition));
                used.add(condition);
            }
        }
        return new Row(cells[1], fits, decision(cells[4], cells[5].replace("`", "")));
    }

    private static LossDecision decision(String name, String reason) {
        if (name.equals("all go back")) {
            return new LossDecision.RollBack(reason.isEmpty() ? null : FallbackReason.valueOf(reason));
        }
        assertEquals("", reason, "only who goes back has a reason");
        return switch (name) {
            case "the job ends: no protection" -> new LossDecision.Unprotected();
            case "the job ends: catastrophic" -> new LossDecision.Catastrophic();
            case "its parity is made anew" -> new LossDecision.RebuildParity();
            case "it is recovered alone" -> new LossDecision.RecoverLocally();
            case "it waits" -> new LossDecision.Defer();
            default -> throw new AssertionError("what is done? " + name);
        };
    }

    /** All combinations, those included that never come about. */
    private static void forAll(Consumer<LossSnapshot> test) {
        for (Protocol protocol : Protocol.values()) {
            for (HalfParity half : HalfParity.values()) {
                for (Waiting waiting : Waiting.values()) {
                    for (Recovery recovery : Recovery.values()) {
                        for (int bits = 0; bits < 16; bits++) {
                            for (int lost = 1; lost <= 4; lost++) {
                                for (int losses = 1; losses <= 3; losses++) {
                                    test.accept(new LossSnapshot(protocol, (bits & 1) != 0, lost, losses,
                                        (bits & 2) != 0,
                                        (bits & 4) != 0, half, waiting, recovery, (bits & 8) != 0));
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void everyLossLeadsToWhatTheFirstRowThatFitsSays() throws IOException {
        Set<String> used = new TreeSet<>();
        List<Row> rows = rows(used);
        assertEquals(new TreeSet<>(CONDITIONS.keySet()), used, "conditions that no row has");
        Set<String> needed = new TreeSet<>();
        forAll(loss -> {
            Row row = rows.stream().filter(each -> each.fits.test(loss)).findFirst()
                .orElseThrow(() -> new AssertionError("no row fits " + loss));
            assertEquals(row.decision, LossPolicy.decide(loss), () -> "row " + row.number + ", " + loss);
            needed.add(row.number);
        });
        assertEquals(rows.stream().map(Row::number).collect(TreeSet::new, TreeSet::add, TreeSet::addAll), needed,
            "rows that never come first");
    }

    /** What must hold of any decision, however the table is written. */
    @Test
    void noDecisionAsksForWhatThereIsNot() {
        forAll(loss -> {
            LossDecision decision = LossPolicy.decide(loss);
            assertEquals(decision, LossPolicy.decide(loss));
            assertEquals(loss.protocol() == Protocol.NONE, decision instanceof LossDecision.Unprotected,
                loss::toString);
            boolean tooMany = loss.protocol() != Protocol.NONE && loss.lostOfGroup() > loss.losses();
            assertEquals(tooMany, decision instanceof LossDecision.Catastrophic, loss::toString);
            boolean logs = loss.protocol().recoversLocally() || loss.protocol() == Protocol.PUTS;
            switch (decision) {
                case LossDecision.RebuildParity() -> assertTrue(loss.isBesideTheRun() && !loss.leavesTooFew()
                    && loss.halfParity() != HalfParity.OF_A_MATE, loss::toString);
                case LossDecision.RecoverLocally() -> assertTrue(loss.protocol().recoversLocally() && !loss.isChecksum()
                    && loss.isRunning() && loss.hasGeneration() && loss.halfParity() == HalfParity.NONE
                    && loss.waiting() == Waiting.NOBODY && !loss.leavesTooFew()
                    && loss.recovery() != Recovery.OF_ANOTHER, loss::toString);
                case LossDecision.Defer() -> assertTrue(loss.isRunning() && loss.halfParity() == HalfParity.OF_A_MATE,
                    loss::toString);
                case LossDecision.RollBack(FallbackReason reason) -> assertTrue(reason != null || !logs,
                    loss::toString);
                default -> { }
            }
        });
    }

    private static LossSnapshot withoutHalfParity(LossSnapshot loss) {
        return new LossSnapshot(loss.protocol(), loss.isChecksum(), loss.lostOfGroup(), loss.losses(),
            loss.isRunning(), loss.hasGeneration(), HalfParity.NONE, loss.waiting(), loss.recovery(),
            loss.leavesTooFew());
    }

    /** It is decided again when the demand checkpoint is over, and must be decided then. */
    @Test
    void whatWaitedIsDecidedWhenParitiesAreWhole() {
        forAll(loss -> {
            if (LossPolicy.decide(loss) instanceof LossDecision.Defer) {
                LossDecision later = LossPolicy.decide(withoutHalfParity(loss));
                assertTrue(later instanceof LossDecision.RebuildParity || later instanceof LossDecision.RecoverLocally
                    || later instanceof LossDecision.RollBack, () -> loss + " " + later);
            }
        });
    }
}
