package org.ftrma;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.Base64;

/**
 * The main class of processes that run a {@link LocalProgram}, which is their only argument. Started by jobs of
 * {@link Ftrma#local(int, LocalOptions, LocalProgram)} only.
 */
public final class LocalMain implements Program {
    /** As the job's file and the messages to other hosts have room for. */
    private static final int MOST_BYTES = 512 << 10;

    private final LocalProgram program;

    /** The program that is the only argument. */
    public LocalMain(String[] args) {
        program = read(args[0]);
    }

    /** Runs the program. */
    public static void main(String[] args) {
        Ftrma.run(args, new LocalMain(args));
    }

    @Override
    public void run(Job job) throws Exception {
        program.run(job);
    }

    @Override
    public void warmUp() {
        program.warmUp();
    }

    @Override
    public Program rehearsal() {
        return program.rehearsal();
    }

    /** The argument that a program is. */
    static String write(LocalProgram program) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(program);
        } catch (NotSerializableException e) {
            throw new MisuseException("program=" + program.getClass().getName() + ": captures an object of "
                + e.getMessage() + ", which is not Serializable, so it cannot get into other processes; capture what "
                + "it needs of that, or hand in a class with a main method");
        } catch (IOException e) {
            throw new MisuseException("program=" + program.getClass().getName() + ": cannot be written into bytes for "
                + "other processes: " + e);
        }
        if (bytes.size() > MOST_BYTES) {
            throw new MisuseException("program=" + program.getClass().getName() + ": captures " + bytes.size()
                + " bytes, and at most " + MOST_BYTES + " get into other processes; have it read a file");
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static LocalProgram read(String argument) {
        try (ObjectInputStream in = new OfProgram(new ByteArrayInputStream(Base64.getDecoder().decode(argument)))) {
            return (LocalProgram) in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new FtrmaException(FtrmaException.Category.MISUSE, "the program cannot be read from the job's "
                + "argument: " + e, e);
        }
    }

    /** Finds the program's classes, which the library does not know. */
    private static final class OfProgram extends ObjectInputStream {
        OfProgram(InputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(described.getName(), false, Thread.currentThread().getContextClassLoader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(described); // of a primitive type
            }
        }
    }
}
