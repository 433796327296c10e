package org.ftrma.check.restart;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.WindowKind;

/** A copy of a rank's protected state at a step boundary. To be used while no rank makes accesses. Data thread only. */
final class StateCopy {
    private static final byte RUBBISH = 0x5b;

    private final Map<String, MemorySegment> copies = new LinkedHashMap<>();
    private final Map<String, byte[]> held = new LinkedHashMap<>();

    /** What is protected, by the name that messages use. */
    private static Map<String, MemorySegment> state(CheckedJob job) {
        Map<String, MemorySegment> state = new LinkedHashMap<>();
        job.windows().stream().filter(window -> window.kind() == WindowKind.PROTECTED)
            .forEach(window -> state.put("window " + window.name(), window.memory()));
        job.locals().forEach((name, segment) -> state.put("protected segment " + name, segment));
        job.rotating().forEach(segment -> state.put("rotating segment " + segment.name(), segment.current()));
        return state;
    }

    void take(CheckedJob job, Arena arena) {
        state(job).forEach((name, segment) -> copies.computeIfAbsent(name, n -> arena.allocate(segment.byteSize(), 8))
            .copyFrom(segment));
        job.windows().forEach(window -> held.put(window.name(), window.held()));
    }

    void restore(CheckedJob job) {
        state(job).forEach((name, segment) -> segment.copyFrom(copies.get(name)));
        job.windows().stream().filter(window -> window.kind() == WindowKind.SCRATCH)
            .forEach(window -> window.memory().fill(RUBBISH));
        job.rotating().forEach(segment -> segment.next().fill(RUBBISH));
    }

    /** The locks that were held, by the window's name. */
    byte[] held(String window) {
        return held.get(window);
    }

    /** The first difference between the state and this copy, or null. */
    String difference(CheckedJob job) {
        for (Map.Entry<String, MemorySegment> entry : state(job).entrySet()) {
            MemorySegment first = copies.get(entry.getKey());
            long at = first.mismatch(entry.getValue());
            if (at >= 0) {
                long begin = at & -8;
                long end = Math.min(begin + 8, first.byteSize());
                return entry.getKey() + " at bytes " + begin + " to " + (end - 1) + ": first " + hex(first, begin, end)
                    + ", then "
                    + hex(entry.getValue(), begin, end);
            }
        }
        List<CheckedWindow> others = job.windows().stream()
            .filter(w -> !java.util.Arrays.equals(w.held(), held.get(w.name()))).toList();
        return others.isEmpty() ? null : "the locks held of window " + others.getFirst().name()
            + " at the end of the step";
    }

    private static String hex(MemorySegment segment, long begin, long end) {
        StringBuilder text = new StringBuilder();
        for (long i = end - 1; i >= begin; i--) {
            text.append(String.format("%02x", segment.get(ValueLayout.JAVA_BYTE, i)));
        }
        return text.toString();
    }
}
