package org.ftrma;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Memory layout of a record of primitives: its components in their order, each at the next multiple of its size.
 * Immutable; any thread.
 *
 * <pre>
 *   record State(int round, boolean done, double residual)
 *   0 round   4 done   8 residual   16
 * </pre>
 *
 * @param type the record
 * @param bytes of memory
 * @param reader (MemorySegment)Record
 * @param writers (MemorySegment, Record)void, one for each component
 */
record RecordShape<R extends Record>(Class<R> type, long bytes, MethodHandle reader, List<MethodHandle> writers) {
    private static final List<ValueLayout> LAYOUTS = List.of(ValueLayout.JAVA_BOOLEAN, ValueLayout.JAVA_BYTE,
        ValueLayout.JAVA_CHAR, ValueLayout.JAVA_SHORT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG,
        ValueLayout.JAVA_FLOAT, ValueLayout.JAVA_DOUBLE);

    /**
     * That of a record.
     *
     * @throws MisuseException if it has a component that is no primitive, or none, or cannot be accessed
     */
    static <R extends Record> RecordShape<R> of(String name, Class<R> type) {
        if (type == null || type.getRecordComponents() == null || type.getRecordComponents().length == 0) {
            throw new MisuseException("protected record " + name + " type=" + (type == null ? null : type.getName())
                + ": must be a record with components");
        }
        RecordComponent[] components = type.getRecordComponents();
        MethodHandle[] readers = new MethodHandle[components.length];
        List<MethodHandle> writers = new ArrayList<>();
        long end = 0;
        try {
            for (int i = 0; i < components.length; i++) {
                ValueLayout layout = layout(name, type, components[i]);
                long offset = (end + layout.byteSize() - 1) / layout.byteSize() * layout.byteSize();
                VarHandle place = MethodHandles.insertCoordinates(layout.varHandle(), 1, offset);
                readers[i] = place.toMethodHandle(VarHandle.AccessMode.GET);
                Method accessor = components[i].getAccessor();
                accessor.setAccessible(true);
                MethodHandle value = MethodHandles.lookup().unreflect(accessor)
                    .asType(MethodType.methodType(layout.carrier(), Record.class));
                writers.add(MethodHandles.filterArguments(place.toMethodHandle(VarHandle.AccessMode.SET), 1, value));
                end = offset + layout.byteSize();
            }
            return new RecordShape<>(type, end, reader(type, components, readers), List.copyOf(writers));
        } catch (InaccessibleObjectException | IllegalAccessException | NoSuchMethodException e) {
            throw new MisuseException("protected record " + name + " type=" + type.getName()
                + ": its components cannot be accessed (" + e.getMessage() + "); open its package, or make it public");
        }
    }

    private static MethodHandle reader(Class<?> type, RecordComponent[] components, MethodHandle[] readers)
        throws NoSuchMethodException, IllegalAccessException {
        Constructor<?> canonical = type.getDeclaredConstructor(Arrays.stream(components).map(RecordComponent::getType)
            .toArray(Class<?>[]::new));
        canonical.setAccessible(true);
        MethodHandle made = MethodHandles.filterArguments(MethodHandles.lookup().unreflectConstructor(canonical), 0,
            readers);
        return MethodHandles.permuteArguments(made.asType(made.type().changeReturnType(Record.class)),
            MethodType.methodType(Record.class, MemorySegment.class), new int[components.length]);
    }

    private static ValueLayout layout(String name, Class<?> type, RecordComponent component) {
        return LAYOUTS.stream().filter(one -> one.carrier() == component.getType()).findFirst()
            .orElseThrow(() -> new MisuseException("protected record " + name + " type=" + type.getName()
                + ": its component " + component.getName() + " is a " + component.getType().getTypeName()
                + ": must be one of " + LAYOUTS.stream().map(one -> one.carrier().getName())
                .collect(Collectors.joining(", "))));
    }
}
