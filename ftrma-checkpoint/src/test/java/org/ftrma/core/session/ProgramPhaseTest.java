package org.ftrma.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;

/** The way of a program from its entry to its end. */
class ProgramPhaseTest {
    private final List<String> heard = new ArrayList<>();
    private final ProgramPhase phase = new ProgramPhase((what, from, to) -> heard.add(what + " " + from + " " + to));

    @Test
    void eachPhaseIsTold() {
        phase.enter();
        phase.initializing(true);
        phase.initializing(false);
        phase.loop("steps");
        phase.running();
        phase.ended();
        assertEquals(List.of("program NOT_BEGUN ALLOCATING", "program ALLOCATING INITIALIZING",
            "program INITIALIZING ALLOCATING", "program ALLOCATING RUNNING", "program RUNNING ENDED"), heard);
    }

    @Test
    void programThatWasThrownOutIsEnteredAnewWhereverItWas() {
        phase.enter();
        phase.enter();
        phase.loop("steps");
        assertTrue(phase.hasLoop());
        phase.running();
        phase.enter();
        assertFalse(phase.hasLoop());
        phase.running();
        phase.ended();
        phase.enter();
        assertTrue(heard.contains("program ALLOCATING ALLOCATING") && heard.contains("program RUNNING ALLOCATING"),
            heard.toString());
    }

    @Test
    void whatCannotFollowIsRefused() {
        assertThrows(IllegalStateException.class, phase::running);
        assertThrows(IllegalStateException.class, () -> phase.initializing(true));
        phase.enter();
        assertThrows(IllegalStateException.class, phase::ended);
        phase.initializing(true);
        assertThrows(IllegalStateException.class, phase::running);
        assertThrows(IllegalStateException.class, phase::ended);
        phase.initializing(false);
        phase.running();
        assertThrows(IllegalStateException.class, phase::running);
        assertThrows(IllegalStateException.class, () -> phase.initializing(true));
        assertEquals(4, heard.size());
    }

    @Test
    void whatIsHandedToOnCommitIsBetweenSteps() {
        phase.enter();
        phase.requirePreparation("onCommit");
        assertThrows(IllegalStateException.class, () -> phase.telling(true));
        phase.running();
        assertEquals("onCommit after the first step has begun: call it before steps(), outside of initialize",
            assertThrows(MisuseException.class, () -> phase.requirePreparation("onCommit")).getMessage());
        phase.requireNotTelling("steps");
        phase.telling(true);
        assertFalse(phase.allowsAccess());
        assertTrue(assertThrows(MisuseException.class, () -> phase.requireAccess("barrier")).getMessage()
            .startsWith("barrier inside of onCommit: when that is called depends on the moment"));
        assertThrows(MisuseException.class, () -> phase.requireNotTelling("steps"));
        assertThrows(IllegalStateException.class, phase::ended);
        phase.telling(false);
        assertTrue(phase.allowsAccess());
        phase.ended();
    }

    @Test
    void misuseIsToldInTheWordsOfTheProgram() {
        phase.enter();
        phase.loop("steps");
        assertEquals("steps: a program has one resilient loop, and steps() was called before",
            assertThrows(MisuseException.class, () -> phase.loop("steps")).getMessage());
        assertEquals("initialize: call it before steps()",
            assertThrows(MisuseException.class, phase::requireInitialization).getMessage());
        assertEquals("window a is allocated after steps(): allocate before steps(), outside of initialize",
            assertThrows(MisuseException.class, () -> phase.requireAllocation("window", "a")).getMessage());
        phase.running();
        phase.ended();
        assertEquals("barrier after the program has returned: its windows are closed",
            assertThrows(MisuseException.class, () -> phase.requireAccess("barrier")).getMessage());
    }
}
