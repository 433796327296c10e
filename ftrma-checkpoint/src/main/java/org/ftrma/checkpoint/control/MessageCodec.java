package org.ftrma.checkpoint.control;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.FtrmaException;
import org.ftrma.spi.ControlPlane;

/**
 * Messages as bytes: one tag byte (the place of the record in {@link Message}), then the components in order.
 *
 * <pre>
 *   int, long     4, 8 bytes, big-endian          String, byte[]   4 bytes length, contents (UTF-8)
 *   boolean       1 byte, 0 or 1                   long[], byte[][] 4 bytes count, elements
 *   Map           4 bytes count, key and value of each as String
 * </pre>
 *
 * <p>A frame that is not exactly one well-formed message is refused; lengths are checked before memory is taken. Immutable; any thread.
 */
public final class MessageCodec {
    private static final List<Class<?>> TYPES = types();
    private static final Map<Class<?>, RecordComponent[]> COMPONENTS = components();

    private MessageCodec() {
    }

    /** A frame that is not a message. */
    public static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    private static List<Class<?>> types() {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> direction : Message.class.getPermittedSubclasses()) {
            types.addAll(Arrays.asList(direction.getPermittedSubclasses()));
        }
        return types.stream().<Class<?>>map(type -> type).distinct().toList(); // some have two roles
    }

    private static Map<Class<?>, RecordComponent[]> components() {
        Map<Class<?>, RecordComponent[]> map = new java.util.HashMap<>();
        TYPES.forEach(type -> map.put(type, type.getRecordComponents()));
        return Map.copyOf(map);
    }

    /** The frame of a message. */
    public static byte[] encode(Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(TYPES.indexOf(message.getClass()));
            for (RecordComponent component : COMPONENTS.get(message.getClass())) {
                write(out, component.getAccessor().invoke(message));
            }
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("cannot encode " + message.getClass().getSimpleName(), e);
        }
        if (bytes.size() > ControlPlane.MAX_FRAME_BYTES) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "message=" + message.getClass().getSimpleName() + " bytes=" + bytes.size()
                + " maximum=" + ControlPlane.MAX_FRAME_BYTES + ": too many ranks for one frame");
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Object value) throws IOException {
        switch (value) {
            case Integer i -> out.writeInt(i);
            case Long l -> out.writeLong(l);
            case Boolean b -> out.writeBoolean(b);
            case String s -> writeBytes(out, s.getBytes(StandardCharsets.UTF_8));
            case byte[] b -> writeBytes(out, b);
            case long[] longs -> {
                out.writeInt(longs.length);
                for (long l : longs) {
                    out.writeLong(l);
                }
            }
            case byte[][] blobs -> {
                out.writeInt(blobs.length);
                for (byte[] blob : blobs) {
                    writeBytes(out, blob);
                }
            }
            case Map<?, ?> map -> {
                out.writeInt(map.size());
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    write(out, entry.getKey());
                    write(out, entry.getValue());
                }
            }
            default -> throw new IllegalStateException("no encoding for " + value.getClass());
        }
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** The message of a frame. */
    public static Message decode(byte[] frame) throws MalformedException {
        if (frame.length == 0 || frame.length > ControlPlane.MAX_FRAME_BYTES) {
            throw new MalformedException("frame of " + frame.length + " bytes");
        }
        int tag = frame[0];
        if (tag < 0 || tag >= TYPES.size()) {
            throw new MalformedException("unknown tag " + tag);
        }
        Class<?> type = TYPES.get(tag);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1))) {
            RecordComponent[] components = COMPONENTS.get(type);
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                values[i] = read(in, components[i].getType());
            }
            if (in.available() > 0) {
                throw new MalformedException(type.getSimpleName() + " with " + in.available() + " bytes too many");
            }
            Constructor<?> constructor = type.getDeclaredConstructors()[0];
            return (Message) constructor.newInstance(values);
        } catch (IOException e) {
            throw new MalformedException(type.getSimpleName() + " cut short: " + e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot decode " + type.getSimpleName(), e);
        }
    }

    private static Object read(DataInputStream in, Class<?> type) throws IOException, MalformedException {
        if (type == int.class) {
            return in.readInt();
        } else if (type == long.class) {
            return in.readLong();
        } else if (type == boolean.class) {
            byte value = in.readByte();
            if (value != 0 && value != 1) {
                throw new MalformedException("truth value " + value);
            }
            return value == 1;
        } else if (type == String.class) {
            return new String(readBytes(in), StandardCharsets.UTF_8);
        } else if (type == byte[].class) {
            return readBytes(in);
        } else if (type == long[].class) {
            long[] longs = new long[count(in, 8)];
            for (int i = 0; i < longs.length; i++) {
                longs[i] = in.readLong();
            }
            return longs;
        } else if (type == byte[][].class) {
            byte[][] blobs = new byte[count(in, 4)][];
            for (int i = 0; i < blobs.length; i++) {
                blobs[i] = readBytes(in);
            }
            return blobs;
        }
        return readMap(in);
    }

    private static Map<String, String> readMap(DataInputStream in) throws IOException, MalformedException {
        Map<String, String> map = new TreeMap<>();
        for (int left = count(in, 8); left > 0; left--) {
            String key = new String(readBytes(in), StandardCharsets.UTF_8);
            map.put(key, new String(readBytes(in), StandardCharsets.UTF_8));
        }
        return map;
    }

    private static byte[] readBytes(DataInputStream in) throws IOException, MalformedException {
        byte[] bytes = new byte[count(in, 1)];
        in.readFully(bytes);
        return bytes;
    }

    private static int count(DataInputStream in, int elementBytes) throws IOException, MalformedException {
        int count = in.readInt();
        if (count < 0 || (long) count * elementBytes > in.available()) {
            throw new MalformedException("count=" + count + " remaining=" + in.available());
        }
        return count;
    }
}
