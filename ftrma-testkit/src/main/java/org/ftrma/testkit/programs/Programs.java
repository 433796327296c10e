package org.ftrma.testkit.programs;

import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.testkit.SimProgram;

/** The programs by name. */
public final class Programs {
    private Programs() {
    }

    /** All of them, with so many steps. */
    public static List<SimProgram> all(long steps) {
        return List.of(new HaloProgram(steps), new LockProgram(steps), new AtomicsProgram(steps), new CollectivesProgram(steps),
            new RotatingProgram(steps), new EagerProgram(steps), new SkewedProgram(steps),
            new SparseProgram(steps));
    }

    /** The program of that name: one of {@link #all}, or a {@link RandomProgram}. */
    public static SimProgram byName(String name, long steps) {
        RandomProgram random = RandomProgram.parse(name, steps);
        if (random != null) {
            return random;
        }
        List<String> names = all(steps).stream().map(SimProgram::name).toList();
        return all(steps).stream().filter(program -> program.name().equals(name)).findFirst()
            .orElseThrow(() -> new MisuseException("program=" + name + ": must be one of " + String.join(", ", names)
                + ", random-FLAVOUR-NUMBER"));
    }
}
