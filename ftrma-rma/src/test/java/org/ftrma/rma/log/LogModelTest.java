package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Random appends, trims, drops, reservations and deaths of writers, against a list. */
class LogModelTest {
    private static final int RANKS = 3;
    private static final int HOME = 1;

    private record Expected(Determinant access, byte[] data, long repeats) {
        Expected again() {
            return new Expected(access, data, repeats + 1);
        }
    }

    private record Cut(long mark, long sequence) {
    }

    /** One log: its writer, and what it must hold. */
    private static final class Modelled {
        final int member;
        final int log;
        final List<Expected> records = new ArrayList<>();
        final List<Cut> cuts = new ArrayList<>();
        FakeRemote remote;
        LogRegion region;
        LogWriter writer;
        long sequence;
        boolean gap;
        long gapSequence;
        long gapEc;
        MemorySegment reserved;
        boolean lastIsValue;

        Modelled(int member, int log) {
            this.member = member;
            this.log = log;
        }

        long firstSequence() {
            return sequence - records.size();
        }
    }

    private final Arena arena = Arena.ofAuto();
    private Random random;
    private boolean mapped;
    private LogDescriptor layout;
    private MemorySegment memory;
    private long ec;
    private final List<Modelled> logs = new ArrayList<>();

    static Stream<Arguments> seeds() {
        return IntStream.range(0, 150).boxed().flatMap(seed ->
            Stream.of(Arguments.of(seed, true), Arguments.of(seed, false)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aLogHoldsWhatWasAppendedAndNotTrimmed(int seed, boolean onMapped) {
        random = new Random(seed);
        mapped = onMapped;
        int chunkBytes = 256 << random.nextInt(3);
        layout = new LogDescriptor(RANKS, (long) chunkBytes * (4 + random.nextInt(60)), chunkBytes);
        memory = arena.allocate(layout.regionBytes(), 4096);
        layout.format(memory, 7);
        logs.add(new Modelled(HOME, layout.putLog(0)));
        logs.add(new Modelled(0, layout.getLog(0)));
        logs.add(new Modelled(0, layout.buddyLog()));
        logs.add(new Modelled(2, layout.getLog(2)));
        IntStream.range(0, RANKS).forEach(this::dieConnecting);
        IntStream.range(0, RANKS).forEach(this::connect);
        int drops = 0;
        for (int step = 0; step < 1500; step++) {
            Modelled one = logs.get(random.nextInt(logs.size()));
            drops += act(one) ? 0 : 1;
            if (step % 7 == 0) {
                compare(logs.get(random.nextInt(logs.size())));
            }
        }
        logs.forEach(this::compare);
        logs.forEach(one -> {
            one.writer.dropAll();
            one.writer.reservation().cancel();
            one.records.clear();
            one.gap = false;
            compare(one);
        });
        assertEquals(logs.size(), logs.stream().map(one -> one.writer.entry()).distinct().count());
        for (int index = 0; index < layout.logs(); index++) {
            boolean isTaken = memory.get(ValueLayout.JAVA_LONG, layout.entryOffset(index) + LogDescriptor.ENTRY_OWNER)
                != 0;
            assertEquals(index < logs.size(), isTaken, "entry " + index + ": each log has one, whoever died");
        }
        logs.forEach(one -> one.region.chunks.freeKept());
        logs.forEach(one -> one.remote.flush());
        assertEquals(0, logs.get(0).region.usedChunks(), "chunks in use at the end, after " + drops + " drops");
    }

    /** On a network path, incarnations die while they make the entries of their first logs. */
    private void dieConnecting(int member) {
        while (!mapped && member != HOME && random.nextBoolean()) {
            FakeRemote remote = new FakeRemote(memory, false, random);
            remote.dieInFlush = 1 + random.nextInt(2);
            LogRegion region = new LogRegion(layout, HOME, member, remote, null, remote::flush, arena);
            region.adopt();
            try {
                logs.stream().filter(one -> one.member == member).forEach(one -> new LogWriter(region, one.log, null));
            } catch (FakeRemote.Death e) {
                continue; // the next one comes
            }
        }
    }

    /**
     * A member's (next) incarnation opens its logs; the logs of one member share a region object, as they do in a rank.
     */
    private void connect(int member) {
        FakeRemote remote = new FakeRemote(memory, mapped, random);
        LogRegion region = new LogRegion(layout, HOME, member, remote, mapped ? memory : null, remote::flush, arena);
        region.adopt();
        for (Modelled one : logs) {
            if (one.member == member) {
                one.remote = remote;
                one.region = region;
                one.writer = new LogWriter(region, one.log, null);
                one.reserved = null;
                one.lastIsValue = false;
            }
        }
    }

    private boolean act(Modelled one) {
        int choice = random.nextInt(100);
        if (choice < 40) {
            return appendData(one);
        } else if (choice < 65) {
            return appendLongs(one);
        } else if (choice < 72) {
            repeat(one);
        } else if (choice < 80) {
            one.cuts.add(new Cut(one.writer.mark(), one.sequence));
            one.lastIsValue = false;
        } else if (choice < 86) {
            trim(one);
        } else if (choice < 91) {
            reserve(one);
        } else if (choice < 96) {
            return commit(one);
        } else if (choice < 98 && one.member != HOME) {
            one.remote.die();
            connect(one.member);
        }
        return true;
    }

    private boolean note(Modelled one, boolean done, Expected expected) {
        one.sequence++;
        one.lastIsValue = false;
        if (done) {
            one.records.add(expected);
        } else {
            one.records.clear();
            one.gap = true;
            one.gapSequence = one.sequence;
            one.gapEc = expected.access().ec();
        }
        return done;
    }

    private Expected record(int kind, byte[] data) {
        Determinant access = new Determinant();
        access.access(kind, random.nextInt(256), LogDescriptor.code(org.ftrma.AtomicOp.SUM, org.ftrma.DataType.INT64),
            random.nextInt(1 << 20) * 4L);
        access.ec(++ec).gc(random.nextLong()).sc(random.nextInt() & 0xffff_ffffL).gnc(random.nextLong());
        return new Expected(access, data, 0);
    }

    private boolean appendData(Modelled one) {
        byte[] data = new byte[random.nextInt(10) == 0 ? random.nextInt(3 * layout.chunkBytes()) : random.nextInt(100)];
        random.nextBytes(data);
        MemorySegment source = arena.allocate(data.length + 16);
        MemorySegment.copy(data, 0, source, ValueLayout.JAVA_BYTE, 5, data.length);
        Expected e = record(LogDescriptor.PUT, data);
        boolean done = one.writer.append(e.access(), source, 5, data.length);
        return note(one, done, e);
    }

    private boolean appendLongs(Modelled one) {
        boolean three = random.nextBoolean();
        byte[] data = new byte[three ? 24 : 8];
        random.nextBytes(data);
        MemorySegment words = MemorySegment.ofArray(data);
        Expected e = record(three ? LogDescriptor.ATOMIC : LogDescriptor.GET_LONG, data);
        long first = words.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        boolean done = three
            ? one.writer.appendLong(e.access(), first,
                words.get(ValueLayout.JAVA_LONG_UNALIGNED, 8), words.get(ValueLayout.JAVA_LONG_UNALIGNED, 16))
            : one.writer.appendLong(e.access(), first);
        note(one, done, e);
        one.lastIsValue = done;
        return done;
    }

    private void repeat(Modelled one) {
        if (one.lastIsValue && !one.records.isEmpty()) {
            Expected last = one.records.removeLast().again();
            one.records.add(last);
            assertTrue(one.writer.repeat(last.access(), last.repeats()));
        } else if (!one.lastIsValue) {
            assertFalse(one.writer.repeat(new Determinant(), 1));
        }
    }

    private void trim(Modelled one) {
        if (one.cuts.isEmpty()) {
            return;
        }
        Cut cut = one.cuts.get(random.nextInt(one.cuts.size()));
        one.writer.trimTo(cut.mark());
        while (!one.records.isEmpty() && one.firstSequence() < cut.sequence()) {
            one.records.removeFirst();
        }
        if (one.gap && cut.sequence() >= one.gapSequence) {
            one.gap = false;
        }
        if (one.records.isEmpty()) {
            one.lastIsValue = false;
        }
        if (random.nextInt(4) == 0) {
            one.cuts.clear();
        }
    }

    private void reserve(Modelled one) {
        int length = random.nextInt(layout.maxReserve() + 20);
        one.reserved = one.writer.reservation().take(length);
        assertFalse(one.reserved != null && (!mapped || length > layout.maxReserve()));
        if (one.reserved != null) {
            assertEquals(length, one.reserved.byteSize());
        }
    }

    private boolean commit(Modelled one) {
        if (one.reserved == null) {
            return true;
        }
        byte[] data = new byte[random.nextInt((int) one.reserved.byteSize() + 1)];
        random.nextBytes(data);
        MemorySegment.copy(data, 0, one.reserved, ValueLayout.JAVA_BYTE, 0, data.length);
        one.reserved = null;
        Expected e = record(LogDescriptor.PUT, data);
        return note(one, one.writer.reservation().commit(e.access(), data.length), e);
    }

    private void compare(Modelled one) {
        boolean direct = mapped && random.nextBoolean();
        FakeRemote remote = new FakeRemote(memory, direct, random);
        LogRegion region = new LogRegion(layout, HOME, 2, remote, direct ? memory : null, remote::flush, arena);
        LogReader reader = new LogReader(region, arena).open(one.log);
        assertEquals(one.gap, reader.hasGap());
        if (one.gap) {
            assertEquals(one.gapEc, reader.gapEc());
        }
        int skip = 0;
        if (!one.cuts.isEmpty() && random.nextBoolean()) {
            Cut cut = one.cuts.get(random.nextInt(one.cuts.size()));
            reader.seek(cut.mark());
            skip = Math.clamp(cut.sequence() - one.firstSequence(), 0, one.records.size());
        }
        for (Expected expected : one.records.subList(skip, one.records.size())) {
            byte[] data = new byte[0];
            do {
                assertTrue(reader.next(), "a record is missing");
                assertEquals(expected.access().kind(), reader.record().kind());
                assertEquals(expected.access().window(), reader.record().window());
                assertEquals(expected.access().code(), reader.record().code());
                assertEquals(expected.access().offset() + data.length, reader.record().offset());
                assertEquals(expected.access().ec(), reader.record().ec());
                assertEquals(expected.access().gc(), reader.record().gc());
                assertEquals(expected.access().gnc(), reader.record().gnc());
                assertEquals(expected.access().sc(), reader.record().sc());
                assertEquals(expected.repeats(), reader.record().repeats());
                assertEquals(7, reader.record().timeline());
                byte[] part = new byte[(int) reader.record().length()];
                LogRecord record = reader.record();
                MemorySegment.copy(record.data(), ValueLayout.JAVA_BYTE, record.dataOffset(), part, 0, part.length);
                data = Arrays.copyOf(data, data.length + part.length);
                System.arraycopy(part, 0, data, data.length - part.length, part.length);
            } while (reader.record().more());
            assertArrayEquals(expected.data(), data);
        }
        assertFalse(reader.next(), "a record too many");
    }
}
