package org.ftrma.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * A fault for ranks of real jobs, as {@code REVOKE_ONE_WAY} is one for simulated ones: a rank that cuts off a lost one
 * leaves open what that one had opened. It is an agent of the rank's virtual machine, which leaves out a call in the
 * fabric's class when that is loaded, so that no code of the product knows of it.
 */
public final class OneWayRevocation {
    private static final String CHANGED = "org/ftrma/ucx/Entrances";

    private OneWayRevocation() {
    }

    /** Called by the virtual machine before the program. */
    public static void premain(String argument, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                byte[] bytes) {
                return CHANGED.equals(name) ? changed(bytes) : null;
            }
        });
    }

    /** {@code revoke} closes nothing; what else is closed is closed. */
    private static byte[] changed(byte[] bytes) {
        int[] left = {0};
        CodeTransform withoutClose = (code, element) -> {
            if (element instanceof InvokeInstruction call && call.name().equalsString("close")
                && call.owner().asInternalName().equals(CHANGED)) {
                left[0]++;
                code.pop().pop();
            } else {
                code.with(element);
            }
        };
        ClassFile files = ClassFile.of();
        byte[] result = files.transformClass(files.parse(bytes), ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString("revoke"), withoutClose));
        if (left[0] != 1) {
            System.err.println("OneWayRevocation: " + CHANGED + ".revoke closes " + left[0] + " times, not once");
            Runtime.getRuntime().halt(1); // a test that changes nothing shows nothing
        }
        return result;
    }

    /** The argument for a virtual machine; makes the jar that it names. */
    static String argument(Path directory) throws IOException {
        Path jar = directory.resolve("one-way-revocation.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", OneWayRevocation.class.getName());
        String prefix = OneWayRevocation.class.getName().replace('.', '/');
        try (OutputStream file = Files.newOutputStream(jar);
            JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (String name : new String[] {prefix + ".class", prefix + "$1.class"}) {
                out.putNextEntry(new JarEntry(name));
                try (InputStream in = OneWayRevocation.class.getResourceAsStream("/" + name)) {
                    in.transferTo(out);
                }
                out.closeEntry();
            }
        }
        return "-javaagent:" + jar;
    }
}
