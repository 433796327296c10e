package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.util.stream.Stream;
import org.ftrma.Program;
import org.ftrma.apps.fft3d.Fft3d;
import org.ftrma.apps.kvstore.KvStore;
import org.ftrma.apps.npb.Cg;
import org.ftrma.apps.npb.Is;
import org.ftrma.apps.npb.Mg;
import org.ftrma.options.Protocol;
import org.ftrma.rank.SystemClock;
import org.ftrma.rank.rehearsal.Rehearsal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the benchmarks have their spares rehearse has a loss in it, and ends well. */
@Tag("long")
class RehearsalsTest {
    private static final long LIMIT_NANOS = 60_000_000_000L;

    static Stream<Arguments> programs() {
        return Stream.of(Arguments.of(Fft3d.class, Protocol.FULL, new String[]{"--class", "A"}),
            Arguments.of(KvStore.class, Protocol.FULL, new String[0]),
            Arguments.of(Cg.class, Protocol.PESSIMISTIC_V, new String[]{"--class", "A"}),
            Arguments.of(Is.class, Protocol.PESSIMISTIC_V, new String[]{"--class", "A"}),
            Arguments.of(Mg.class, Protocol.PESSIMISTIC_V, new String[]{"--class", "A", "--any-source"}));
    }

    private static Program rehearsalOf(Class<? extends Program> main, String[] args) {
        try {
            Constructor<? extends Program> constructor = main.getDeclaredConstructor(String[].class);
            constructor.setAccessible(true);
            return constructor.newInstance((Object) args).rehearsal();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void aRankIsLostAndComesBack(Class<? extends Program> main, Protocol protocol, String[] args) {
        assertTrue(new Rehearsal(protocol, new SystemClock(true, true), () -> rehearsalOf(main, args), () -> false)
            .run(System.nanoTime() + LIMIT_NANOS));
    }
}
