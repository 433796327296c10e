package org.ftrma.testkit.bugs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamException;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * Takes objects, as bytes, from the classes of one loader to those of another one. Records need not be Serializable,
 * and memory is copied. Any thread.
 */
final class Crossing {
    private Crossing() {
    }

    /** The bytes of an object. */
    static byte[] write(Object object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new Out(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw new IllegalArgumentException("this cannot be taken to the protocol's other classes: " + e, e);
        }
        return bytes.toByteArray();
    }

    /** The object of these bytes, by the loader of this class. */
    static Object read(byte[] bytes) {
        try (ObjectInputStream in = new In(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalArgumentException("this cannot be taken from the protocol's other classes: " + e, e);
        }
    }

    private static final class Out extends ObjectOutputStream {
        Out(OutputStream out) throws IOException {
            super(out);
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object object) throws IOException {
            if (object instanceof MemorySegment memory) {
                return new Bytes(memory.toArray(ValueLayout.JAVA_BYTE));
            }
            return object instanceof Record record && !(object instanceof Serializable) ? Components.of(record)
                : object;
        }
    }

    private static final class In extends ObjectInputStream {
        In(InputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(described.getName(), false, Crossing.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(described); // of a primitive type
            }
        }
    }

    private record Bytes(byte[] bytes) implements Serializable {
        private Object readResolve() {
            return Arena.ofAuto().allocate(bytes.length, Long.BYTES).copyFrom(MemorySegment.ofArray(bytes));
        }
    }

    private record Components(String type, Object[] values) implements Serializable {
        static Components of(Record record) throws IOException {
            RecordComponent[] components = record.getClass().getRecordComponents();
            Object[] values = new Object[components.length];
            try {
                for (int i = 0; i < values.length; i++) {
                    components[i].getAccessor().setAccessible(true);
                    values[i] = components[i].getAccessor().invoke(record);
                }
            } catch (ReflectiveOperationException e) {
                throw new IOException(record.getClass().getName(), e);
            }
            return new Components(record.getClass().getName(), values);
        }

        private Object readResolve() throws ObjectStreamException {
            try {
                Class<?> record = Class.forName(type, true, Crossing.class.getClassLoader());
                Constructor<?> constructor = record.getDeclaredConstructor(Arrays.stream(record.getRecordComponents())
                    .map(RecordComponent::getType).toArray(Class<?>[]::new));
                constructor.setAccessible(true);
                return constructor.newInstance(values);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("record=" + type, e);
            }
        }
    }
}
