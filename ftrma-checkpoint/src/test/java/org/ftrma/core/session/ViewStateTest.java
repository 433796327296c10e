package org.ftrma.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which state of a view may follow which. */
class ViewStateTest {
    /** What is in no row is refused. */
    private static final Map<ViewState, Set<ViewState>> TABLE = new EnumMap<>(Map.of(
        ViewState.WAITING, EnumSet.of(ViewState.TOLD, ViewState.ENDED),
        ViewState.TOLD, EnumSet.of(ViewState.TOLD, ViewState.ENTERED, ViewState.ENDED),
        ViewState.ENTERED, EnumSet.of(ViewState.READY, ViewState.AWAITING_WORD, ViewState.REFUSED, ViewState.TOLD,
            ViewState.ENDED),
        ViewState.READY, EnumSet.of(ViewState.READY, ViewState.RUNNING, ViewState.AWAITING_WORD, ViewState.REFUSED,
            ViewState.TOLD, ViewState.ENDED),
        ViewState.RUNNING, EnumSet.of(ViewState.READY, ViewState.AWAITING_WORD, ViewState.REFUSED, ViewState.TOLD,
            ViewState.ENDED),
        ViewState.AWAITING_WORD, EnumSet.of(ViewState.ENTERED, ViewState.READY, ViewState.RUNNING, ViewState.REFUSED,
            ViewState.TOLD, ViewState.ENDED),
        ViewState.REFUSED, EnumSet.of(ViewState.TOLD, ViewState.ENDED),
        ViewState.ENDED, EnumSet.noneOf(ViewState.class)));

    /** A way from the first state to each one. */
    private static final Map<ViewState, List<ViewState>> WAYS = new EnumMap<>(Map.of(
        ViewState.WAITING, List.of(),
        ViewState.TOLD, List.of(ViewState.TOLD),
        ViewState.ENTERED, List.of(ViewState.TOLD, ViewState.ENTERED),
        ViewState.READY, List.of(ViewState.TOLD, ViewState.ENTERED, ViewState.READY),
        ViewState.RUNNING, List.of(ViewState.TOLD, ViewState.ENTERED, ViewState.READY, ViewState.RUNNING),
        ViewState.AWAITING_WORD, List.of(ViewState.TOLD, ViewState.ENTERED, ViewState.AWAITING_WORD),
        ViewState.REFUSED, List.of(ViewState.TOLD, ViewState.ENTERED, ViewState.REFUSED),
        ViewState.ENDED, List.of(ViewState.ENDED)));

    private final List<String> heard = new ArrayList<>();

    private StateMachine<ViewState> at(ViewState state) {
        StateMachine<ViewState> machine = ViewState.machine((what, from, to) ->
            heard.add(what + " " + from + " " + to));
        WAYS.get(state).forEach(machine::become);
        heard.clear();
        return machine;
    }

    @Test
    void eachChangeOfTheTableTakesPlaceAndIsTold() {
        for (ViewState from : ViewState.values()) {
            for (ViewState to : TABLE.get(from)) {
                StateMachine<ViewState> machine = at(from);
                assertTrue(machine.mayBecome(to), from + " " + to);
                machine.become(to);
                assertEquals(to, machine.now());
                assertEquals(List.of("view " + from + " " + to), heard);
            }
        }
    }

    @Test
    void anyOtherChangeIsRefusedAndNothingIsTold() {
        int refused = 0;
        for (ViewState from : ViewState.values()) {
            for (ViewState to : EnumSet.complementOf(EnumSet.copyOf(TABLE.get(from)))) {
                StateMachine<ViewState> machine = at(from);
                String message = assertThrows(IllegalStateException.class, () -> machine.become(to)).getMessage();
                assertTrue(message.contains("view cannot become " + to + ": it is " + from), message);
                assertEquals(from, machine.now());
                assertEquals(List.of(), heard);
                refused++;
            }
        }
        assertEquals(64 - TABLE.values().stream().mapToInt(Set::size).sum(), refused);
    }

    @Test
    void whoEnteredTheNewestViewIsInIt() {
        assertEquals(EnumSet.of(ViewState.ENTERED, ViewState.READY, ViewState.RUNNING, ViewState.AWAITING_WORD,
            ViewState.REFUSED), EnumSet.copyOf(List.of(ViewState.values()).stream().filter(ViewState::isInView)
            .toList()));
    }
}
