package org.ftrma.testkit;

import java.io.PrintStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.testkit.bugs.BrokenProtocol;
import org.ftrma.testkit.bugs.ProtocolLoader;

/**
 * Loads the simulator and the protocol once more, with a call of {@link SimStores#before} ahead of every plain store of
 * the protocol into memory: the same instructions else. So a simulated process can die between two stores of a log
 * record, and leaves what a real one does: the stores before, in program order, as others see those of a processor that
 * keeps their order (x86), and none of those after. The production classes know nothing of it. Any thread.
 */
final class StoreLoader {
    private static final String NAME = "stores";
    private static final List<String> PROTOCOL = List.of("org.ftrma.core.", "org.ftrma.rma.", "org.ftrma.runtime.");
    /** No member reads what another one counts: whether a store of it was made changes nothing. */
    private static final String COUNTERS = "org.ftrma.core.counter.";
    private static final Set<String> SEGMENT_STORES = Set.of("set", "setAtIndex", "setString", "copy", "copyFrom",
        "fill");
    private static final ClassDesc STORES = ClassDesc.of(SimStores.class.getName());

    private static final ClassFile CLASSES =
        ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(
        StoreLoader.class.getClassLoader()).orElse(ClassHierarchyResolver.defaultResolver())));

    private StoreLoader() {
    }

    /** Whether the caller's classes were loaded by such a loader. */
    static boolean isInside() {
        return NAME.equals(StoreLoader.class.getClassLoader().getName());
    }

    /** Runs the simulate command there: returns whether all runs ended as they should. */
    static boolean simulate(List<String> args, PrintStream out, PrintStream err) {
        try {
            return (boolean) new ProtocolLoader(NAME, Map.of(), StoreLoader::withCalls)
                .loadClass(SimulateMain.class.getName())
                .getMethod("run", List.class, PrintStream.class, PrintStream.class).invoke(null, args, out, err);
        } catch (InvocationTargetException e) {
            throw BrokenProtocol.ofHere(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isProtocol(String name) {
        return PROTOCOL.stream().anyMatch(name::startsWith) && !name.startsWith(COUNTERS);
    }

    private static byte[] withCalls(String name, byte[] bytes) {
        if (!isProtocol(name)) {
            return bytes;
        }
        MethodTypeDesc nothing = MethodTypeDesc.of(ConstantDescs.CD_void);
        return CLASSES.transformClass(CLASSES.parse(bytes), ClassTransform.transformingMethodBodies((code, element) -> {
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
