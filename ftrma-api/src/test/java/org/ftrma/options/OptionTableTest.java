package org.ftrma.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;

class OptionTableTest {
    private enum Fruit implements CommandOption {
        COUNT("count", OptionForm.count(1, 9), "3", "how many"),
        WAIT("wait", OptionForm.duration(1_000, 1_000_000_000).or("never"), "never", "how long"),
        RIPE("ripe", OptionForm.yesNo(), OptionValues.YES, "whether they are ripe"),
        SHARE("share", OptionForm.decimal("FRACTION", 1, "as 0.5"), "0.5", "how much of each"),
        PEELED("peeled", OptionForm.flag(), "", "without their skin");

        private final OptionText text;

        Fruit(String key, OptionForm form, String defaultText, String meaning) {
            text = new OptionText(key, form, defaultText, meaning);
        }

        @Override
        public OptionText text() {
            return text;
        }
    }

    private static final OptionTable<Fruit> TABLE = OptionTable.of(Fruit.class);

    private static String refusal(String... arguments) {
        return assertThrows(MisuseException.class, () -> TABLE.parse(arguments)).getMessage();
    }

    @Test
    void whatIsNotGivenHasItsDefault() {
        OptionValues<Fruit> values = TABLE.parse();
        assertEquals(3, values.count(Fruit.COUNT));
        assertEquals(0, values.number(Fruit.WAIT));
        assertTrue(values.yes(Fruit.RIPE));
        assertEquals(0.5, values.decimal(Fruit.SHARE));
        assertFalse(values.has(Fruit.PEELED));
        assertEquals(7, values.number(Fruit.COUNT, 7));
    }

    @Test
    void bothSpellingsAndSwitchesAreTakenAndCanBeGivenAgain() {
        OptionValues<Fruit> values = TABLE.parse("--count", "4", "--wait=2us", "--peeled", "--ripe", "no");
        assertEquals(4, values.count(Fruit.COUNT));
        assertEquals(2_000, values.number(Fruit.WAIT));
        assertFalse(values.yes(Fruit.RIPE));
        assertTrue(values.has(Fruit.PEELED));
        assertEquals(List.of("--count", "4", "--wait", "2us", "--ripe", "no", "--peeled"), values.arguments());
        assertEquals(values.arguments(), TABLE.parse(values.arguments()).arguments());
    }

    @Test
    void whatIsWrongIsNamedWithWhatIsAllowed() {
        assertEquals("--colour: no such argument; there are --count, --wait, --ripe, --share, --peeled",
            refusal("--colour", "red"));
        assertTrue(refusal("count").startsWith("count: no such argument"));
        assertTrue(refusal("--peeled=yes").startsWith("--peeled=yes: no such argument"));
        assertEquals("--count: its value is missing", refusal("--peeled", "--count"));
        assertEquals("--count=10: must be 1 to 9", refusal("--count", "10"));
        assertEquals("--wait=2s: must be at least 1us and at most 1s", refusal("--wait=2s"));
        assertEquals("--ripe=perhaps: must be yes or no", refusal("--ripe", "perhaps"));
        assertEquals("--share=2: must be 0 to 1, as 0.5", refusal("--share", "2"));
    }

    @Test
    void helpHasALineForEachOption() {
        List<String> lines = TABLE.help().lines().toList();
        assertEquals("  --count N        how many (default: 3)", lines.getFirst());
        assertEquals("  --peeled         without their skin", lines.getLast());
        assertEquals(TABLE.options().size(), lines.size());
        assertNull(TABLE.byKey("colour"));
        assertEquals(Fruit.WAIT, TABLE.byKey("wait"));
    }

    private enum Peel implements OptionWord {
        OFF, WITH_A_KNIFE;

        @Override
        public String meaning() {
            return this == OFF ? "" : "by hand";
        }
    }

    @Test
    void theNamesOfConstantsAreTheWords() {
        OptionForm form = OptionForm.oneOf(Peel.values());
        assertEquals(1, form.number("peel", "with-a-knife"));
        assertEquals("off or with-a-knife (by hand)", form.explained());
        assertEquals("--peel=OFF: must be one of off, with-a-knife", assertThrows(MisuseException.class, () ->
            form.number("peel", "OFF")).getMessage());
        assertEquals("coordinated", Protocol.COORDINATED.toString());
    }
}
