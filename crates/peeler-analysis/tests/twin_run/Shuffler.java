import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.tools.ToolProvider;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * Writes classes for `--patch-module java.base=FOLDER/SEED` in which the order of these depends on a seed: hash maps
 * and sets, Set.of and Map.of, members that reflection returns, and File.list. Usage: Shuffler FOLDER SEEDS.
 *
 * Within one run the order of a collection stays the same, as in a real JVM.
 */
public class Shuffler {
    private static final int API = Opcodes.ASM8;

    /** The classes to patch, each with the methods whose results are changed. */
    private static final Map<String, Map<String, Change>> PATCHES = Map.of(
            "java/util/HashMap", Map.of("hash", Change.MIX),
            "java/util/concurrent/ConcurrentHashMap", Map.of("spread", Change.MIX),
            "java/util/ImmutableCollections", Map.of("<clinit>", Change.FIX_SALT),
            "java/lang/Class", Map.of("copyFields", Change.SHUFFLE, "copyMethods", Change.SHUFFLE,
                    "copyConstructors", Change.SHUFFLE),
            "java/io/File", Map.of("normalizedList", Change.SHUFFLE));

    private enum Change { MIX, SHUFFLE, FIX_SALT }

    /** The code that patched methods call. The seed is a constant: hashes are needed before properties can be read. */
    private static final String HELPER = """
            package java.lang;

            public final class TwinShuffle {
                private static final int SEED = %d;

                public static int mix(int hash) {
                    int mixed = hash ^ SEED * 0x9e3779b9;
                    mixed = (mixed ^ mixed >>> 16) * 0x7feb352d;
                    mixed = (mixed ^ mixed >>> 15) * 0x846ca68b;
                    return (mixed ^ mixed >>> 16) & 0x7fffffff;
                }

                public static void shuffle(Object[] values) {
                    if (values == null) {
                        return;
                    }
                    int state = mix(values.length);
                    for (int last = values.length - 1; last > 0; last--) {
                        state = mix(state + last);
                        int other = (state >>> 8) %% (last + 1);
                        Object value = values[last];
                        values[last] = values[other];
                        values[other] = value;
                    }
                }
            }
            """;

    public static void main(String[] arguments) throws IOException {
        int seeds = Integer.parseInt(arguments[1]);
        for (int seed = 1; seed <= seeds; seed++) {
            Path folder = Path.of(arguments[0], Integer.toString(seed));
            Path helper = folder.resolve("java/lang/TwinShuffle.java");
            Files.createDirectories(helper.getParent());
            Files.writeString(helper, HELPER.formatted(seed));
            int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null,
                    "--patch-module", "java.base=" + folder, "-d", folder.toString(), helper.toString());
            if (failed != 0) {
                throw new IOException("javac does not compile the helper");
            }
            for (String name : PATCHES.keySet()) {
                Path file = folder.resolve(name + ".class");
                Files.createDirectories(file.getParent());
                Files.write(file, patched(name, PATCHES.get(name), seed));
            }
        }
    }

    private static byte[] patched(String name, Map<String, Change> changes, int seed) throws IOException {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            ClassReader reader = new ClassReader(in.readAllBytes());
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new Patch(writer, name, changes, seed), 0);
            return writer.toByteArray();
        }
    }

    /** Keeps a changed method under another name and adds a method that calls the kept one and changes its result. */
    private static final class Patch extends ClassVisitor {
        private final String owner;
        private final Map<String, Change> changes;
        private final int seed;

        Patch(ClassVisitor next, String owner, Map<String, Change> changes, int seed) {
            super(API, next);
            this.owner = owner;
            this.changes = changes;
            this.seed = seed;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
            Change change = changes.get(name);
            if (change == null) {
                return super.visitMethod(access, name, type, signature, thrown);
            }
            if (change == Change.FIX_SALT) {
                return new FixedSalt(super.visitMethod(access, name, type, signature, thrown), seed);
            }
            boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
            String kept = name + "$kept";
            MethodVisitor code = super.visitMethod(access, name, type, signature, thrown);
            code.visitCode();
            if (!isStatic || type.startsWith("([") || type.startsWith("(L")) {
                code.visitVarInsn(Opcodes.ALOAD, 0);
            } else {
                code.visitVarInsn(Opcodes.ILOAD, 0);
            }
            code.visitMethodInsn(isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL, owner, kept, type, false);
            if (change == Change.MIX) {
                code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/TwinShuffle", "mix", "(I)I", false);
                code.visitInsn(Opcodes.IRETURN);
            } else {
                code.visitInsn(Opcodes.DUP);
                String shuffled = "([Ljava/lang/Object;)V";
                code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/TwinShuffle", "shuffle", shuffled, false);
                code.visitInsn(Opcodes.ARETURN);
            }
            code.visitMaxs(0, 0);
            code.visitEnd();
            return super.visitMethod(access, kept, type, signature, thrown);
        }
    }

    /** Replaces the reading of the clock from which Set.of and Map.of get their order. */
    private static final class FixedSalt extends MethodVisitor {
        private final int seed;

        FixedSalt(MethodVisitor next, int seed) {
            super(API, next);
            this.seed = seed;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
            if (owner.equals("java/lang/System") && name.equals("nanoTime")) {
                super.visitLdcInsn(seed * 0x2545f4914f6cdd1dL);
            } else {
                super.visitMethodInsn(opcode, owner, name, type, isInterface);
            }
        }
    }
}
