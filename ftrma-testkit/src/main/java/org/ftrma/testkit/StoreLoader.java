package org.ftrma.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Set;
import org.ftrma.MisuseException;

/**
 * Loads the simulator and the protocol once more, with a call of {@link SimStores#before} ahead of every plain store of
 * the protocol into memory: the same instructions else. So a simulated process can die between two stores of a log
 * record, and leaves what a real one does: the stores before, in program order, as others see those of a processor that
 * keeps their order (x86), and none of those after. The production classes know nothing of it. Any thread.
 */
final class StoreLoader extends ClassLoader {
    private static final String LIBRARY = "org.ftrma.";
    private static final List<String> PROTOCOL = List.of("org.ftrma.core.", "org.ftrma.rma.", "org.ftrma.runtime.");
    /** No member reads what another one counts: whether a store of it was made changes nothing. */
    private static final String COUNTERS = "org.ftrma.core.counter.";
    private static final Set<String> SEGMENT_STORES = Set.of("set", "setAtIndex", "setString", "copy", "copyFrom",
        "fill");
    private static final ClassDesc STORES = ClassDesc.of(SimStores.class.getName());

    private final ClassFile classes;

    private StoreLoader(ClassLoader parent) {
        super("stores", parent);
        classes =
            ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(parent)
            .orElse(ClassHierarchyResolver.defaultResolver())));
    }

    /** Whether the caller's classes were loaded by such a loader. */
    static boolean isInside() {
        return StoreLoader.class.getClassLoader().getClass().getName().equals(StoreLoader.class.getName());
    }

    /** Runs the simulate command there: returns whether all runs ended as they should. */
    static boolean simulate(List<String> args, PrintStream out, PrintStream err) {
        try {
            return (boolean) new StoreLoader(StoreLoader.class.getClassLoader()).loadClass(SimulateMain.class.getName())
                .getMethod("run", List.class, PrintStream.class, PrintStream.class).invoke(null, args, out, err);
        } catch (InvocationTargetException e) {
            if (e.getCause().getClass().getName().equals(MisuseException.class.getName())) {
                throw new MisuseException(e.getCause().getMessage()); // the same class, of the other loader
            }
            throw new IllegalStateException("a simulation with crashes between stores broke down: " + e.getCause(),
                e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith(LIBRARY)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    private static boolean isProtocol(String name) {
        return PROTOCOL.stream().anyMatch(name::startsWith) && !name.startsWith(COUNTERS);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            byte[] code = isProtocol(name) ? withCalls(bytes) : bytes;
            return defineClass(name, code, 0, code.length, SimulateMain.class.getProtectionDomain());
        } catch (IOException e) {
            throw new UncheckedIOException("class=" + name, e);
        }
    }

    private byte[] withCalls(byte[] bytes) {
        MethodTypeDesc nothing = MethodTypeDesc.of(ConstantDescs.CD_void);
        return classes.transformClass(classes.parse(bytes), ClassTransform.transformingMethodBodies((code, element) -> {
            if (element instanceof InvokeInstruction call && isStore(call)) {
                code.invokestatic(STORES, "before", nothing);
            }
            code.with(element);
        }));
    }

    private static boolean isStore(InvokeInstruction call) {
        String method = call.name().stringValue();
        return switch (call.owner().asInternalName()) {
            case "java/lang/foreign/MemorySegment" -> SEGMENT_STORES.contains(method);
            case "java/lang/invoke/VarHandle" -> method.startsWith("set") || method.startsWith("compareAnd")
                || method.startsWith("getAnd");
            default -> false;
        };
    }
}
