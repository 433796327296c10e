package org.ftrma.core.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MessageCodecTest {
    private static final List<ControlMessage> SAMPLES = List.of(
        new ControlMessage.Assign(3, 1, new ControlMessage.Start(7, 7, 12, 40), 9,
            Map.of("ranks", "4", "interval", "daly"), new long[] {0, 5}, new long[] {0, 1L << 62 | 7}, new long[] {2}),
        new ControlMessage.Rollback(2, 2, 1, 10), new ControlMessage.CutGo(1, 10, 2),
        new ControlMessage.CutAbandon(1, 10, true, 2, "därum"),
        new ControlMessage.Resume(1, 2, 3), new ControlMessage.Encode(1, 2, 3),
        new ControlMessage.Committed(1, 2, 3, 7),
        new ControlMessage.Go(1),
        new ControlMessage.Watch(3),
        new ControlMessage.Release(3), new ControlMessage.End(""), new ControlMessage.CutArrived(1, 10, ""),
        new ControlMessage.ImageReady(1, 2, 3),
        new ControlMessage.CutCost(1, 2, 1234), new ControlMessage.ParityReady(1, 2, 3, 7),
        new ControlMessage.Restored(1, ""),
        new ControlMessage.StepBegun(1, 2, 6, 10),
        new ControlMessage.Held(1, 2), new ControlMessage.Finished(1, 3, ""), new ControlMessage.Failed(1, true, "x"),
        new ControlMessage.Report("k", "D", "1.5"),
        new ControlMessage.MemoryTable("t"), new ControlMessage.Exchanged(1, 1, 0),
        new ControlMessage.Ask(1, 1, 0, 3, 2),
        new ControlMessage.Where(1, "in steps()"), new ControlMessage.AskWhere(1), new ControlMessage.Note("n"),
        new ControlMessage.Redistributed("window \"u\" is distributed anew"));

    @Test
    void everyMessageSurvivesTheTrip() throws Exception {
        for (ControlMessage message : SAMPLES) {
            ControlMessage back = MessageCodec.decode(MessageCodec.encode(message));
            if (message instanceof ControlMessage.Assign assign) {
                ControlMessage.Assign other = assertInstanceOf(ControlMessage.Assign.class, back);
                assertEquals(assign.start(), other.start());
                assertArrayEquals(assign.watched(), other.watched());
                assertEquals(assign.options(), other.options());
            } else {
                assertEquals(message, back);
            }
        }
        byte[][] blobs = {{1, 2}, {}, {3}};
        ControlMessage.Answer answer =
            (ControlMessage.Answer) MessageCodec.decode(MessageCodec.encode(new ControlMessage.Answer(1, 1, 0, 3,
            blobs)));
        assertEquals(3, answer.member());
        assertArrayEquals(blobs, answer.blobs());
        ControlMessage.Exchange exchange =
            (ControlMessage.Exchange) MessageCodec.decode(MessageCodec.encode(new ControlMessage.Exchange(1,
            1, 0, new long[0], blobs[0], "w")));
        assertArrayEquals(blobs[0], exchange.blob());
    }

    /**
     * Each component of each record comes back as itself: the table of kinds names all of them, once and in their
     * order.
     */
    @Test
    void everyKindIsWrittenAndReadWhole() throws Exception {
        Set<Class<?>> kinds = new LinkedHashSet<>();
        for (Class<?> direction : ControlMessage.class.getPermittedSubclasses()) {
            kinds.addAll(Arrays.asList(direction.getPermittedSubclasses()));
        }
        assertEquals(kinds.size(), MessageKinds.count());
        for (Class<?> kind : kinds) {
            RecordComponent[] components = kind.getRecordComponents();
            Object[] values = values(components, 1);
            ControlMessage message = (ControlMessage) kind.getDeclaredConstructors()[0].newInstance(values);
            byte[] frame = MessageCodec.encode(message);
            ControlMessage back = MessageCodec.decode(frame);
            assertEquals(kind, back.getClass());
            for (int i = 0; i < values.length; i++) {
                Object component = components[i].getAccessor().invoke(back);
                assertTrue(Objects.deepEquals(values[i], component),
                    kind.getSimpleName() + "." + components[i].getName() + " is " + component);
            }
            assertArrayEquals(frame, MessageCodec.encode(back));
            for (int length = 0; length < frame.length; length++) {
                byte[] cut = Arrays.copyOf(frame, length);
                assertThrows(MessageCodec.MalformedException.class, () -> MessageCodec.decode(cut),
                    message + " cut to " + cut.length);
            }
        }
    }

    /** A value for each component, all of them different. */
    private static Object[] values(RecordComponent[] components, int first) throws ReflectiveOperationException {
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(components[i].getType(), first + i);
        }
        return values;
    }

    private static Object value(Class<?> type, int number) throws ReflectiveOperationException {
        if (type.isRecord()) {
            // a record in a record: numbers that no other component has
            return type.getDeclaredConstructors()[0].newInstance(values(type.getRecordComponents(), number << 4));
        } else if (type == int.class) {
            return -0x01020300 - number;
        } else if (type == long.class) {
            return -0x0102030405060700L - number;
        } else if (type == boolean.class) {
            return true;
        } else if (type == String.class) {
            return "größer als " + number;
        } else if (type == byte[].class) {
            return new byte[] {(byte) number, 0, -1};
        } else if (type == long[].class) {
            return new long[] {number, Long.MIN_VALUE};
        } else if (type == byte[][].class) {
            return new byte[][] {{(byte) number}, {}};
        }
        assertEquals(Map.class, type);
        return new TreeMap<>(Map.of("key", "value " + number, "k", "")); // in one order, so that the frames compare
    }

    @Test
    void everyTruncationAndExtensionIsRefused() {
        for (ControlMessage message : SAMPLES) {
            byte[] frame = MessageCodec.encode(message);
            for (int length = 0; length < frame.length; length++) {
                byte[] cut = Arrays.copyOf(frame, length);
                assertThrows(MessageCodec.MalformedException.class, () -> MessageCodec.decode(cut),
                    message + " cut to " + cut.length);
            }
            byte[] longer = Arrays.copyOf(frame, frame.length + 1);
            assertThrows(MessageCodec.MalformedException.class, () -> MessageCodec.decode(longer));
        }
    }

    @Test
    void garbageIsRefusedOrAMessageButNeverAnotherError() {
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < 50_000; i++) {
            byte[] frame = new byte[random.nextInt(1, 64)];
            random.nextBytes(frame);
            if (i % 2 == 0) {
                byte[] sample = MessageCodec.encode(SAMPLES.get(random.nextInt(SAMPLES.size())));
                sample[random.nextInt(sample.length)] ^= (byte) (1 << random.nextInt(8));
                frame = sample;
            }
            try {
                MessageCodec.decode(frame);
            } catch (MessageCodec.MalformedException e) {
                // refused, as it should be
            }
        }
    }
}
