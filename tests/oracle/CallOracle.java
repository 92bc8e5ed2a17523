/*
 * CallOracle: which declaration does every call in the tests of a Java
 * repository refer to, according to javac?
 *
 * Run it with a JDK 17 in source-launcher mode:
 *
 *   java -Xmx6g -XX:+UseSerialGC \
 *     --add-exports jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED \
 *     --add-exports jdk.compiler/com.sun.tools.javac.code=ALL-UNNAMED \
 *     --add-exports jdk.compiler/com.sun.tools.javac.comp=ALL-UNNAMED \
 *     --add-exports jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED \
 *     --add-exports jdk.compiler/com.sun.tools.javac.main=ALL-UNNAMED \
 *     --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED \
 *     --add-exports jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED \
 *     --add-opens jdk.compiler/com.sun.tools.javac.comp=ALL-UNNAMED \
 *     CallOracle.java SOURCE_ROOT OUT.tsv [CLASSPATH]
 *
 * SOURCE_ROOT is a checkout laid out as plain folders; nothing has to be built
 * and third-party dependencies may be missing. CLASSPATH (jars separated by the
 * platform's path separator) is optional and only adds third-party types; it is
 * never reported on.
 *
 * Output: one line per attributed call, tab separated, sorted as plain strings:
 *
 *   1 file of the call, relative to SOURCE_ROOT, '/' separators
 *   2 line of the call's name, counted from 1
 *   3 offset in bytes, from 0, of the identifier naming the method; of the
 *     keyword for `new X(...)`, `this(...)` and `super(...)`
 *   4 simple name of the method, `<init>` for constructors
 *   5 binary name of the class that declares it
 *   6 file of the declaration, relative to SOURCE_ROOT
 *   7 line of the name in the declaration, 0 when it is implicit (default
 *     constructor, `values()` and `valueOf()` of enums, record members)
 *   8 erased parameter types, joined by commas, binary names for classes; a
 *     type that could not be found is given as it was written
 *
 * Only calls in files that look like tests are listed, and only those whose
 * target is declared below SOURCE_ROOT. `new X(...) { ... }` is listed as a call
 * of the superclass constructor. Method references, enum constants and implicit
 * `super()` calls are not calls here.
 *
 * How it works. Every file is parsed once, which gives its package, its
 * top-level types and thereby its source root (the folder minus the package).
 * Then each source root that holds tests is compiled on its own: its tests are
 * given to javac, everything else in the repository is found on demand through
 * a source path that is specific to this source root. When several files declare
 * a class of the same name, the source path prefers the own source root, then
 * the own module, then modules by their distance in the declared dependencies
 * (pom.xml, build.gradle), then neighbours in the folder tree.
 *
 * A missing dependency makes javac work with erroneous types, which fit every
 * parameter and which every argument fits. A call that involves one is listed
 * only if the choice among the overloads does not depend on it. Three parts of
 * javac are replaced by slightly different ones (see LENIENT below), as it would
 * otherwise forget methods and result types over a missing type, or take another
 * class of the same simple name for it.
 *
 * A summary goes to the standard error stream; -Doracle.verbose=true adds a line
 * for each call that was left out or decided otherwise than by javac.
 */

import com.sun.source.tree.CompilationUnitTree;
import com.sun.tools.javac.api.ClientCodeWrapper;
import com.sun.tools.javac.api.JavacTaskImpl;
import com.sun.tools.javac.api.JavacTool;
import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.code.Kinds;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Symbol.ClassSymbol;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import com.sun.tools.javac.code.Type;
import com.sun.tools.javac.code.TypeTag;
import com.sun.tools.javac.code.Types;
import com.sun.tools.javac.comp.Attr;
import com.sun.tools.javac.comp.AttrContext;
import com.sun.tools.javac.comp.Enter;
import com.sun.tools.javac.comp.Env;
import com.sun.tools.javac.comp.Todo;
import com.sun.tools.javac.file.JavacFileManager;
import com.sun.tools.javac.main.JavaCompiler;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.JCTree.*;
import com.sun.tools.javac.tree.TreeInfo;
import com.sun.tools.javac.tree.TreeScanner;
import com.sun.tools.javac.util.Context;
import com.sun.tools.javac.util.Name;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.FileObject;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.Writer;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

public final class CallOracle {

    // ------------------------------------------------------------------ files

    /** One source file. */
    static final class Src {
        final Path path;
        final String rel;
        final String dir;
        final String text;
        final boolean latin1;
        final int prefix;
        String pkg = "";
        List<String> types = List.of();
        String module = "";
        String root = "";
        boolean test;
        int errors8;
        int errors17;
        private int[] lineStarts;
        private int[] byteMarks;

        Src(Path path, String rel) throws IOException {
            this.path = path;
            this.rel = rel;
            int slash = rel.lastIndexOf('/');
            this.dir = slash < 0 ? "" : rel.substring(0, slash);
            byte[] bytes = Files.readAllBytes(path);
            boolean bom = bytes.length >= 3 && (bytes[0] & 255) == 0xEF
                    && (bytes[1] & 255) == 0xBB && (bytes[2] & 255) == 0xBF;
            this.prefix = bom ? 3 : 0;
            String s;
            boolean single = false;
            try {
                s = StandardCharsets.UTF_8.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)
                        .decode(ByteBuffer.wrap(bytes, prefix, bytes.length - prefix)).toString();
            } catch (CharacterCodingException e) {
                // One character per byte keeps the offsets exact.
                s = new String(bytes, prefix, bytes.length - prefix, StandardCharsets.ISO_8859_1);
                single = true;
            }
            this.text = s;
            this.latin1 = single;
        }

        String fileName() {
            return rel.substring(rel.lastIndexOf('/') + 1);
        }

        int line(int pos) {
            if (lineStarts == null) {
                int[] starts = new int[16];
                int n = 1;
                for (int i = 0; i < text.length(); i++) {
                    char c = text.charAt(i);
                    if (c == '\n' || c == '\r' && !(i + 1 < text.length() && text.charAt(i + 1) == '\n')) {
                        if (n == starts.length) {
                            starts = Arrays.copyOf(starts, 2 * n);
                        }
                        starts[n++] = i + 1;
                    }
                }
                lineStarts = Arrays.copyOf(starts, n);
            }
            int at = Arrays.binarySearch(lineStarts, pos);
            return at >= 0 ? at + 1 : -at - 1;
        }

        int byteOffset(int pos) {
            if (latin1) {
                return prefix + pos;
            }
            int step = 1024;
            if (byteMarks == null) {
                int[] marks = new int[text.length() / step + 1];
                int bytes = 0;
                for (int i = 0; i < text.length(); i++) {
                    if (i % step == 0) {
                        marks[i / step] = bytes;
                    }
                    bytes += width(i);
                }
                byteMarks = marks;
            }
            if (text.isEmpty()) {
                return prefix;
            }
            int mark = Math.min(pos / step, byteMarks.length - 1);
            int bytes = byteMarks[mark];
            for (int i = mark * step; i < pos; i++) {
                bytes += width(i);
            }
            return prefix + bytes;
        }

        private int width(int i) {
            char c = text.charAt(i);
            if (c < 0x80) {
                return 1;
            }
            if (c < 0x800) {
                return 2;
            }
            return Character.isSurrogate(c) ? 2 : 3; // a pair takes four bytes
        }
    }

    /** A source file as javac sees it, under the name of one of its types. */
    @ClientCodeWrapper.Trusted
    static final class Fo extends SimpleJavaFileObject {
        final Src src;
        final String binaryName;

        Fo(Src src, String binaryName) {
            super(src.path.toUri(), Kind.SOURCE);
            this.src = src;
            this.binaryName = binaryName;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return src.text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            // Lenient about public types in files of another name.
            return !simpleName.equals("package-info") && !simpleName.equals("module-info");
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Fo && ((Fo) o).src == src;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(src);
        }
    }

    @ClientCodeWrapper.Trusted
    static final class Fm extends JavacFileManager {
        private final View view;

        Fm(View view) {
            super(new Context(), false, StandardCharsets.UTF_8);
            this.view = view;
        }

        @Override
        public boolean hasLocation(Location location) {
            return location == StandardLocation.SOURCE_PATH || super.hasLocation(location);
        }

        @Override
        public Iterable<JavaFileObject> list(Location location, String pkg, Set<JavaFileObject.Kind> kinds,
                boolean recurse) throws IOException {
            if (location == StandardLocation.SOURCE_PATH) {
                return kinds.contains(JavaFileObject.Kind.SOURCE) && view != null ? view.list(pkg) : List.of();
            }
            if (location == StandardLocation.CLASS_PATH && classpath == null) {
                return List.of();
            }
            return super.list(location, pkg, kinds, recurse);
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            return file instanceof Fo ? ((Fo) file).binaryName : super.inferBinaryName(location, file);
        }

        @Override
        public boolean isSameFile(FileObject a, FileObject b) {
            if (a instanceof Fo || b instanceof Fo) {
                return a.equals(b);
            }
            return super.isSameFile(a, b);
        }

        @Override
        public boolean contains(Location location, FileObject fo) throws IOException {
            if (fo instanceof Fo) {
                return location == StandardLocation.SOURCE_PATH;
            }
            return super.contains(location, fo);
        }
    }

    // ------------------------------------------------------------- repository

    static Path base;
    static String classpath;
    static final List<Src> sources = new ArrayList<>();
    /** Package, then simple name of a top-level type, then the files declaring it. */
    static final Map<String, Map<String, List<Src>>> byPackage = new HashMap<>();
    static final Set<String> declaredNames = new HashSet<>();
    static final Map<String, Set<String>> moduleEdges = new TreeMap<>();

    private static final Set<String> SKIPPED_DIRS = Set.of(".git", ".svn", ".hg");
    private static final Set<String> BUILD_FILES = Set.of("pom.xml", "build.gradle", "build.gradle.kts", "build.xml");
    private static final Set<String> TEST_WORDS = Set.of("test", "tests", "testsuite", "testsuites", "testing",
            "testcase", "testcases", "testlib", "testutil", "testutils", "it", "its", "itest", "itests", "inttest",
            "ittest", "androidtest", "unittest", "unittests");

    static void collect() throws IOException {
        TreeMap<String, Path> files = new TreeMap<>();
        TreeMap<String, Path> builds = new TreeMap<>();
        Files.walkFileTree(base, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs) {
                return dir.getFileName() != null && SKIPPED_DIRS.contains(dir.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attrs) {
                String name = file.getFileName().toString();
                if (attrs.isRegularFile()) {
                    String rel = base.relativize(file).toString().replace('\\', '/');
                    if (name.endsWith(".java") && !name.equals("package-info.java")
                            && !name.equals("module-info.java")) {
                        files.put(rel, file);
                    } else if (BUILD_FILES.contains(name)) {
                        builds.put(rel, file);
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
        for (Map.Entry<String, Path> e : files.entrySet()) {
            try {
                sources.add(new Src(e.getValue(), e.getKey()));
            } catch (IOException | RuntimeException x) {
                log("cannot read " + e.getKey());
            }
        }
        Set<String> moduleDirs = new HashSet<>();
        for (String b : builds.keySet()) {
            moduleDirs.add(b.contains("/") ? b.substring(0, b.lastIndexOf('/')) : "");
        }
        for (Src s : sources) {
            s.module = moduleOf(s.dir, moduleDirs);
            s.test = looksLikeTest(s);
        }
        readBuildFiles(builds);
    }

    /** The nearest folder with a build file, or else the folder that holds src. */
    static String moduleOf(String dir, Set<String> moduleDirs) {
        for (String d = dir; ; d = d.contains("/") ? d.substring(0, d.lastIndexOf('/')) : "") {
            if (moduleDirs.contains(d) && !d.isEmpty()) {
                return d;
            }
            if (d.equals("src")) {
                return "";
            }
            if (d.endsWith("/src") && !moduleDirs.contains(d)) {
                String parent = d.substring(0, d.length() - 4);
                boolean covered = false;
                for (String p = parent; !p.isEmpty(); p = p.contains("/") ? p.substring(0, p.lastIndexOf('/')) : "") {
                    covered |= moduleDirs.contains(p);
                }
                if (!covered) {
                    return parent;
                }
            }
            if (d.isEmpty()) {
                return "";
            }
        }
    }

    static boolean looksLikeTest(Src s) {
        for (String segment : s.dir.split("/")) {
            for (String word : segment.split("[-_. ]|(?<=[a-z0-9])(?=[A-Z])")) {
                if (TEST_WORDS.contains(word.toLowerCase(Locale.ROOT))) {
                    return true;
                }
            }
        }
        return s.text.contains("@Test") || s.text.contains("TestCase");
    }

    private static final Pattern GRADLE_PROJECT = Pattern.compile(
            "project\\s*\\(\\s*(?:path\\s*[:=]\\s*)?['\"]:?([^'\"]+)['\"]");

    /** Which module depends on which, as far as the build files say so plainly. */
    static void readBuildFiles(TreeMap<String, Path> builds) {
        Map<String, Set<String>> wanted = new TreeMap<>();
        Map<String, String> byName = new HashMap<>();
        for (Map.Entry<String, Path> e : builds.entrySet()) {
            String rel = e.getKey();
            String dir = rel.contains("/") ? rel.substring(0, rel.lastIndexOf('/')) : "";
            Set<String> names = wanted.computeIfAbsent(dir, k -> new TreeSet<>());
            byName.putIfAbsent(dir.substring(dir.lastIndexOf('/') + 1), dir);
            String text;
            try {
                text = Files.readString(e.getValue(), StandardCharsets.ISO_8859_1);
            } catch (IOException x) {
                continue;
            }
            if (rel.endsWith("pom.xml")) {
                try {
                    DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
                    f.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
                    DocumentBuilder b = f.newDocumentBuilder();
                    b.setErrorHandler(null);
                    b.setEntityResolver((p, i) -> new InputSource(new StringReader("")));
                    Element project = b.parse(new InputSource(new StringReader(text))).getDocumentElement();
                    for (Element c : children(project)) {
                        if (c.getNodeName().equals("artifactId")) {
                            byName.put(c.getTextContent().trim(), dir);
                        } else if (c.getNodeName().equals("parent")) {
                            addArtifact(c, names);
                        } else if (c.getNodeName().equals("dependencies")) {
                            children(c).forEach(d -> addArtifact(d, names));
                        }
                    }
                } catch (Exception x) {
                    log("cannot parse " + rel);
                }
            } else {
                Matcher m = GRADLE_PROJECT.matcher(text);
                while (m.find()) {
                    names.add(m.group(1).substring(m.group(1).lastIndexOf(':') + 1));
                }
            }
        }
        wanted.forEach((dir, names) -> {
            Set<String> edges = moduleEdges.computeIfAbsent(dir, k -> new TreeSet<>());
            for (String n : names) {
                String target = byName.get(n);
                if (target != null && !target.equals(dir)) {
                    edges.add(target);
                }
            }
        });
    }

    private static List<Element> children(Element e) {
        List<Element> out = new ArrayList<>();
        for (Node n = e.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element) {
                out.add((Element) n);
            }
        }
        return out;
    }

    private static void addArtifact(Element e, Set<String> names) {
        for (Element c : children(e)) {
            if (c.getNodeName().equals("artifactId")) {
                names.add(c.getTextContent().trim());
            }
        }
    }

    static Map<String, Integer> distances(String module) {
        Map<String, Integer> out = new HashMap<>();
        out.put(module, 0);
        ArrayDeque<String> queue = new ArrayDeque<>(List.of(module));
        while (!queue.isEmpty()) {
            String m = queue.poll();
            for (String t : moduleEdges.getOrDefault(m, Set.of())) {
                if (out.putIfAbsent(t, out.get(m) + 1) == null) {
                    queue.add(t);
                }
            }
        }
        return out;
    }

    // ---------------------------------------------------------------- parsing

    static List<String> options(boolean modern) {
        List<String> o = new ArrayList<>(List.of("-proc:none", "-implicit:none", "-nowarn", "-Xlint:none",
                "-XDshould-stop.ifError=FLOW", "-XDshould-stop.ifNoError=FLOW", "-Xprefer:source",
                "-Xmaxerrs", "1000000", "-Xmaxwarns", "1"));
        if (!modern) {
            // Java 8 brings the javax.* packages that later platforms dropped.
            o.addAll(List.of("--release", "8"));
        }
        if (classpath != null) {
            o.addAll(List.of("-classpath", classpath));
        }
        return o;
    }

    static JavacTaskImpl task(List<Src> files, View view, boolean modern,
            DiagnosticListener<? super JavaFileObject> diagnostics) {
        List<Fo> units = new ArrayList<>();
        for (Src s : files) {
            String name = s.fileName();
            name = name.substring(0, name.length() - 5);
            units.add(new Fo(s, s.pkg.isEmpty() ? name : s.pkg + "." + name));
        }
        Context context = new Context();
        if (view != null) {
            for (java.lang.reflect.Method m : lenient) {
                try {
                    m.invoke(null, context);
                } catch (ReflectiveOperationException x) {
                    throw new IllegalStateException(x);
                }
            }
        }
        return (JavacTaskImpl) JavacTool.create().getTask(new PrintWriter(Writer.nullWriter()), new Fm(view),
                diagnostics, options(modern), null, units, context);
    }

    static void parseAll(List<Src> files, boolean modern) {
        for (int i = 0; i < files.size(); i += 100) {
            List<Src> chunk = files.subList(i, Math.min(files.size(), i + 100));
            if (!parseChunk(chunk, modern)) {
                for (Src s : chunk) {
                    if (!parseChunk(List.of(s), modern)) {
                        log("cannot parse " + s.rel);
                    }
                }
            }
        }
    }

    static boolean parseChunk(List<Src> chunk, boolean modern) {
        for (Src s : chunk) {
            if (modern) {
                s.errors17 = 0;
            } else {
                s.errors8 = 0;
            }
        }
        try {
            JavacTaskImpl t = task(chunk, null, modern, d -> {
                if (d.getKind() == Diagnostic.Kind.ERROR && d.getSource() instanceof Fo) {
                    Src s = ((Fo) d.getSource()).src;
                    if (modern) {
                        s.errors17++;
                    } else {
                        s.errors8++;
                    }
                }
            });
            for (CompilationUnitTree u : t.parse()) {
                JCCompilationUnit unit = (JCCompilationUnit) u;
                Src s = ((Fo) unit.getSourceFile()).src;
                if (modern && s.errors17 >= s.errors8) {
                    continue;
                }
                s.pkg = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
                Set<String> types = new LinkedHashSet<>();
                for (JCTree d : unit.defs) {
                    if (d instanceof JCClassDecl) {
                        types.add(((JCClassDecl) d).name.toString());
                    }
                }
                types.remove("");
                s.types = List.copyOf(types);
                new TreeScanner() {
                    @Override
                    public void visitMethodDef(JCMethodDecl tree) {
                        declaredNames.add(tree.name.toString());
                        super.visitMethodDef(tree);
                    }

                    @Override
                    public void visitClassDef(JCClassDecl tree) {
                        declaredNames.add("new " + tree.name);
                        super.visitClassDef(tree);
                    }
                }.scan(unit);
            }
            return true;
        } catch (Throwable x) {
            return false;
        }
    }

    static void index() {
        parseAll(sources, false);
        List<Src> again = new ArrayList<>();
        for (Src s : sources) {
            s.errors17 = s.errors8;
            if (s.errors8 > 0) {
                again.add(s);
            }
        }
        parseAll(again, true);
        for (Src s : sources) {
            String tail = s.pkg.replace('.', '/');
            if (s.pkg.isEmpty()) {
                s.root = s.dir;
            } else if (s.dir.equals(tail)) {
                s.root = "";
            } else if (s.dir.endsWith("/" + tail)) {
                s.root = s.dir.substring(0, s.dir.length() - tail.length() - 1);
            } else {
                s.root = s.module + "//misplaced";
            }
            if (s.pkg.equals("java") || s.pkg.startsWith("java.")) {
                continue;
            }
            Map<String, List<Src>> types = byPackage.computeIfAbsent(s.pkg, k -> new TreeMap<>());
            for (String t : s.types) {
                types.computeIfAbsent(t, k -> new ArrayList<>()).add(s);
            }
        }
    }

    /** More than zero if these files are written for a platform after Java 8. */
    static int modernity(Collection<Src> files) {
        int n = 0;
        for (Src s : files) {
            n += Integer.compare(s.errors8, s.errors17);
        }
        return n;
    }

    /** The repository as seen from one source root: one file for each class name. */
    static final class View {
        private final String root;
        private final String module;
        private final Set<Src> own;
        private final Map<String, Integer> distances;
        private final Map<String, List<JavaFileObject>> cache = new HashMap<>();

        View(String root, String module, Collection<Src> own) {
            this.root = root;
            this.module = module;
            this.own = new HashSet<>(own);
            this.distances = distances(module);
        }

        List<JavaFileObject> list(String pkg) {
            return cache.computeIfAbsent(pkg, p -> {
                List<JavaFileObject> out = new ArrayList<>();
                byPackage.getOrDefault(p, Map.of()).forEach((type, files) -> {
                    Src s = files.size() == 1 ? files.get(0) : Collections.min(files, this::compare);
                    out.add(new Fo(s, p.isEmpty() ? type : p + "." + type));
                });
                return out;
            });
        }

        private int compare(Src a, Src b) {
            int c = Boolean.compare(own.contains(b), own.contains(a));
            if (c == 0) {
                c = Boolean.compare(b.root.equals(root), a.root.equals(root));
            }
            if (c == 0) {
                c = Boolean.compare(b.module.equals(module), a.module.equals(module));
            }
            if (c == 0) {
                c = Integer.compare(distances.getOrDefault(a.module, Integer.MAX_VALUE),
                        distances.getOrDefault(b.module, Integer.MAX_VALUE));
            }
            if (c == 0) {
                c = Integer.compare(shared(b.root), shared(a.root));
            }
            if (c == 0) {
                c = Boolean.compare(a.test, b.test);
            }
            return c != 0 ? c : a.rel.compareTo(b.rel);
        }

        private int shared(String other) {
            String[] a = root.split("/");
            String[] b = other.split("/");
            int n = 0;
            while (n < a.length && n < b.length && a[n].equals(b[n])) {
                n++;
            }
            return n;
        }
    }

    // ------------------------------------------------------------ attribution

    /** Replacements for parts of javac; they must live in its package. */
    private static final Map<String, String> LENIENT = Map.of("LenientAttr", """
            package com.sun.tools.javac.comp;

            import com.sun.tools.javac.code.*;
            import com.sun.tools.javac.tree.JCTree;
            import com.sun.tools.javac.util.Context;

            /** Gives `a.b(missing)` the declared result type of `b`, not an erroneous one. */
            public class LenientAttr extends Attr {
                private final Symtab symtab;

                protected LenientAttr(Context context) {
                    super(context);
                    symtab = Symtab.instance(context);
                }

                public static void register(Context context) {
                    context.put(attrKey, (Context.Factory<Attr>) LenientAttr::new);
                }

                @Override
                Type checkIdInternal(JCTree tree, Type site, Symbol sym, Type pt, Env<AttrContext> env,
                        ResultInfo resultInfo) {
                    boolean call = pt.hasTag(TypeTag.METHOD) || pt.hasTag(TypeTag.FORALL);
                    // The prototype matters only for the test that would give up here.
                    Type shown = call && sym.kind == Kinds.Kind.MTH && pt.isErroneous() ? symtab.objectType : pt;
                    return super.checkIdInternal(tree, site, sym, shown, env, resultInfo);
                }
            }
            """, "LenientCheck", """
            package com.sun.tools.javac.comp;

            import com.sun.tools.javac.code.*;
            import com.sun.tools.javac.tree.JCTree.*;
            import com.sun.tools.javac.util.Context;
            import com.sun.tools.javac.util.JCDiagnostic.DiagnosticPosition;
            import java.util.*;

            /** Keeps `f(MissingA)` and `f(MissingB)` apart, or the second would not be a member. */
            public class LenientCheck extends Check {
                private final Types lenientTypes;
                private final Map<Symbol, String> shapes = new IdentityHashMap<>();

                protected LenientCheck(Context context) {
                    super(context);
                    lenientTypes = Types.instance(context);
                }

                public static void register(Context context) {
                    context.put(checkKey, (Context.Factory<Check>) LenientCheck::new);
                }

                @Override
                boolean checkUnique(DiagnosticPosition pos, Symbol sym, Scope s) {
                    if (sym.kind != Kinds.Kind.MTH || sym.type == null) {
                        return super.checkUnique(pos, sym, s);
                    }
                    boolean erroneous = sym.type.isErroneous();
                    if (erroneous && pos.getTree() instanceof JCMethodDecl) {
                        shapes.put(sym, shape((JCMethodDecl) pos.getTree(), sym));
                    }
                    for (Symbol other : s.getSymbolsByName(sym.name)) {
                        if (other != sym && other.kind == Kinds.Kind.MTH) {
                            erroneous |= other.type.isErroneous();
                            if (shape(other).equals(shape(sym))) {
                                return super.checkUnique(pos, sym, s);
                            }
                        }
                    }
                    return erroneous || super.checkUnique(pos, sym, s);
                }

                private String shape(Symbol m) {
                    String known = shapes.get(m);
                    return known != null ? known : lenientTypes.erasure(m.type.getParameterTypes()).toString();
                }

                private String shape(JCMethodDecl tree, Symbol m) {
                    StringJoiner out = new StringJoiner(",");
                    com.sun.tools.javac.util.List<JCVariableDecl> params = tree.params;
                    for (Type t : m.type.getParameterTypes()) {
                        Type erased = lenientTypes.erasure(t);
                        out.add(erased.isErroneous() && params.nonEmpty()
                                ? params.head.vartype.toString().replaceAll("<.*>", "") : erased.toString());
                        params = params.tail;
                    }
                    return out.toString();
                }
            }
            """, "LenientResolve", """
            package com.sun.tools.javac.comp;

            import com.sun.tools.javac.code.*;
            import com.sun.tools.javac.tree.JCTree.*;
            import com.sun.tools.javac.tree.TreeInfo;
            import com.sun.tools.javac.util.Context;
            import com.sun.tools.javac.util.Name;
            import java.util.*;

            /** Lets `import missing.Name` shadow other types called `Name` all the same. */
            public class LenientResolve extends Resolve {
                private final Map<JCCompilationUnit, Set<Name>> imported = new IdentityHashMap<>();

                protected LenientResolve(Context context) {
                    super(context);
                }

                public static void register(Context context) {
                    context.put(resolveKey, (Context.Factory<Resolve>) LenientResolve::new);
                }

                @Override
                Symbol findGlobalType(Env<AttrContext> env, Scope scope, Name name,
                        RecoveryLoadClass recoveryLoadClass) {
                    JCCompilationUnit unit = env.toplevel;
                    if (scope != unit.namedImportScope && scope != unit.toplevelScope && imports(unit).contains(name)) {
                        return super.findGlobalType(env, unit.namedImportScope, name, recoveryLoadClass);
                    }
                    return super.findGlobalType(env, scope, name, recoveryLoadClass);
                }

                private Set<Name> imports(JCCompilationUnit unit) {
                    Set<Name> names = imported.get(unit);
                    if (names == null) {
                        names = new HashSet<>();
                        for (JCImport i : unit.getImports()) {
                            if (!i.staticImport) {
                                names.add(TreeInfo.name(i.qualid));
                            }
                        }
                        imported.put(unit, names);
                    }
                    return names;
                }
            }
            """);

    static final List<java.lang.reflect.Method> lenient = new ArrayList<>();

    static void prepareLenient() {
        Path dir = null;
        try {
            dir = Files.createTempDirectory("oracle");
            Path pkg = dir.resolve("com/sun/tools/javac/comp");
            Files.createDirectories(pkg);
            List<String> arguments = new ArrayList<>(List.of("-proc:none", "--patch-module", "jdk.compiler=" + dir,
                    "-d", dir.toString()));
            for (Map.Entry<String, String> e : LENIENT.entrySet()) {
                Path source = pkg.resolve(e.getKey() + ".java");
                Files.writeString(source, e.getValue());
                arguments.add(source.toString());
            }
            if (JavacTool.create().run(null, OutputStream.nullOutputStream(), System.err,
                    arguments.toArray(new String[0])) != 0) {
                throw new IOException("compilation failed");
            }
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Attr.class, MethodHandles.lookup());
            for (String name : LENIENT.keySet()) {
                Class<?> c = lookup.defineClass(Files.readAllBytes(pkg.resolve(name + ".class")));
                lenient.add(c.getMethod("register", Context.class));
            }
        } catch (Throwable x) {
            log("javac stays as strict as it is, some targets will be missing or wrong: " + x);
        } finally {
            if (dir != null) {
                try (Stream<Path> all = Files.walk(dir)) {
                    all.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
                } catch (IOException x) {
                    log("cannot delete " + dir);
                }
            }
        }
    }

    static final TreeSet<String> rows = new TreeSet<>();
    static final TreeMap<String, Integer> stats = new TreeMap<>();

    static void count(String what) {
        stats.merge(what, 1, Integer::sum);
    }

    static void attributeAll() {
        boolean repoModern = modernity(sources) > 0;
        TreeMap<String, List<Src>> roots = new TreeMap<>();
        for (Src s : sources) {
            if (s.test) {
                roots.computeIfAbsent(s.root, k -> new ArrayList<>()).add(s);
            }
        }
        for (Map.Entry<String, List<Src>> e : roots.entrySet()) {
            int m = modernity(e.getValue());
            boolean modern = m == 0 ? repoModern : m > 0;
            // Files of one source root never clash, unless they are misplaced.
            List<Src> rest = e.getValue();
            while (!rest.isEmpty()) {
                List<Src> round = new ArrayList<>();
                List<Src> later = new ArrayList<>();
                Set<String> taken = new HashSet<>();
                String module = rest.get(0).module;
                for (Src s : rest) {
                    boolean clash = !s.module.equals(module);
                    for (String t : s.types) {
                        clash |= taken.contains(s.pkg + "." + t);
                    }
                    if (clash) {
                        later.add(s);
                    } else {
                        round.add(s);
                        s.types.forEach(t -> taken.add(s.pkg + "." + t));
                    }
                }
                attributeRound(e.getKey(), module, round, modern);
                rest = later;
            }
        }
    }

    static void attributeRound(String root, String module, List<Src> round, boolean modern) {
        long start = System.nanoTime();
        int before = rows.size();
        ArrayDeque<List<Src>> work = new ArrayDeque<>();
        work.add(round);
        while (!work.isEmpty()) {
            List<Src> batch = work.poll();
            List<Src> left = new ArrayList<>();
            try {
                left = new Attempt(root, module, batch, modern).run();
            } catch (Throwable x) {
                if (batch.size() == 1) {
                    log("gave up on " + batch.get(0).rel + ": " + x);
                    count("files given up");
                } else {
                    log("splitting " + batch.size() + " files of " + root + ": " + x);
                    work.add(batch.subList(0, batch.size() / 2));
                    work.add(batch.subList(batch.size() / 2, batch.size()));
                }
            }
            if (!left.isEmpty()) {
                work.add(left);
            }
        }
        log(String.format(Locale.ROOT, "%6.1f s %6d files %7d calls  %s", (System.nanoTime() - start) / 1e9,
                round.size(), rows.size() - before, root.isEmpty() ? "." : root));
    }

    /** One run of javac. */
    static final class Attempt {
        private final List<Src> batch;
        private final JavacTaskImpl task;
        private final Map<Src, Set<Integer>> doubtful = new HashMap<>();
        private final Map<JCCompilationUnit, Map<Symbol, JCMethodDecl>> declarations = new IdentityHashMap<>();
        private Types types;
        private Enter enter;

        private static final Set<String> DOUBT = Set.of("compiler.err.ref.ambiguous", "compiler.err.report.access",
                "compiler.err.not.def.public.cant.access", "compiler.err.not.def.public",
                "compiler.err.not.def.access.class.intf.cant.access",
                "compiler.err.not.def.access.class.intf.cant.access.reason",
                "compiler.err.non-static.cant.be.ref");

        Attempt(String root, String module, List<Src> batch, boolean modern) {
            this.batch = batch;
            this.task = task(batch, new View(root, module, batch), modern, d -> {
                if (d.getSource() instanceof Fo && DOUBT.contains(d.getCode())) {
                    doubtful.computeIfAbsent(((Fo) d.getSource()).src, k -> new HashSet<>())
                            .add((int) d.getPosition());
                }
            });
        }

        /** Returns the files that a crash kept from being looked at. */
        List<Src> run() throws IOException {
            List<JCCompilationUnit> units = new ArrayList<>();
            for (CompilationUnitTree u : task.parse()) {
                units.add((JCCompilationUnit) u);
            }
            task.enter();
            Context context = task.getContext();
            types = Types.instance(context);
            enter = Enter.instance(context);
            JavaCompiler compiler = JavaCompiler.instance(context);
            Map<JCCompilationUnit, List<Env<AttrContext>>> todo = new IdentityHashMap<>();
            for (Env<AttrContext> env : Todo.instance(context)) {
                todo.computeIfAbsent(env.toplevel, k -> new ArrayList<>()).add(env);
            }
            List<JCCompilationUnit> done = new ArrayList<>();
            boolean crashed = false;
            for (JCCompilationUnit unit : units) {
                done.add(unit);
                for (Env<AttrContext> env : todo.getOrDefault(unit, List.of())) {
                    try {
                        compiler.attribute(env);
                    } catch (Throwable x) {
                        log("javac crashed on " + src(unit).rel + ": " + x);
                        count("files with a crash of javac");
                        crashed = true;
                    }
                }
                if (crashed) {
                    break; // what follows is left to a fresh compiler
                }
            }
            for (JCCompilationUnit unit : done) {
                try {
                    new Calls(unit).scan(unit);
                } catch (Throwable x) {
                    log("partly listed " + src(unit).rel + ": " + x);
                    count("files partly listed");
                }
            }
            Set<Src> seen = new HashSet<>();
            done.forEach(u -> seen.add(src(u)));
            List<Src> left = new ArrayList<>();
            if (crashed) {
                for (Src s : batch) {
                    if (!seen.contains(s)) {
                        left.add(s);
                    }
                }
            }
            return left;
        }

        private Src src(JCCompilationUnit unit) {
            return ((Fo) unit.getSourceFile()).src;
        }

        /** Lists the calls of one file. */
        private final class Calls extends TreeScanner {
            private final JCCompilationUnit unit;
            private final Src src;
            private final ArrayDeque<JCClassDecl> classes = new ArrayDeque<>();

            Calls(JCCompilationUnit unit) {
                this.unit = unit;
                this.src = src(unit);
            }

            @Override
            public void visitClassDef(JCClassDecl tree) {
                classes.push(tree);
                super.visitClassDef(tree);
                classes.pop();
            }

            @Override
            public void visitMethodDef(JCMethodDecl tree) {
                if ((tree.mods.flags & Flags.GENERATEDCONSTR) == 0) {
                    super.visitMethodDef(tree);
                }
            }

            @Override
            public void visitApply(JCMethodInvocation tree) {
                super.visitApply(tree);
                JCExpression meth = TreeInfo.skipParens(tree.meth);
                Name name;
                Symbol sym;
                int pos;
                Type site = null;
                if (meth instanceof JCIdent) {
                    name = ((JCIdent) meth).name;
                    sym = ((JCIdent) meth).sym;
                    pos = meth.pos;
                } else if (meth instanceof JCFieldAccess) {
                    JCFieldAccess select = (JCFieldAccess) meth;
                    name = select.name;
                    sym = select.sym;
                    pos = TreeInfo.getEndPos(meth, unit.endPositions) - name.length();
                    site = select.selected.type;
                } else {
                    return;
                }
                if (!startsWith(pos, name.toString())) {
                    return; // made by the compiler
                }
                call(tree, meth, name.toString(), pos, sym, site, tree.args);
            }

            @Override
            public void visitNewClass(JCNewClass tree) {
                super.visitNewClass(tree);
                if (!startsWith(tree.pos, "new")) {
                    return; // an enum constant
                }
                Symbol sym = tree.constructor;
                com.sun.tools.javac.util.List<JCExpression> args = tree.args;
                if (tree.def != null) {
                    sym = superConstructor(tree.def);
                    if (args.nonEmpty() && args.head.hasTag(JCTree.Tag.NULLCHK)) {
                        args = args.tail; // the outer instance
                    }
                }
                JCTree clazz = TreeInfo.typeIn(tree.clazz);
                Name name = TreeInfo.name(clazz instanceof JCTypeApply ? ((JCTypeApply) clazz).clazz : clazz);
                call(tree, tree, "new " + name, tree.pos, sym, null, args);
            }

            private boolean startsWith(int pos, String word) {
                return pos >= 0 && src.text.startsWith(word, pos)
                        && (pos + word.length() >= src.text.length()
                        || !Character.isJavaIdentifierPart(src.text.charAt(pos + word.length())));
            }

            /** The constructor of the superclass that an anonymous class calls. */
            private Symbol superConstructor(JCClassDecl body) {
                for (JCTree d : body.defs) {
                    if (TreeInfo.isConstructor(d) && ((JCMethodDecl) d).body != null) {
                        for (JCStatement s : ((JCMethodDecl) d).body.stats) {
                            if (TreeInfo.isSelfCall(s)) {
                                return TreeInfo.symbol(TreeInfo.skipParens(TreeInfo.firstConstructorCall(d).meth));
                            }
                        }
                    }
                }
                return null;
            }

            private void call(JCTree tree, JCTree named, String written, int pos, Symbol sym, Type site,
                    com.sun.tools.javac.util.List<JCExpression> args) {
                count("calls seen in tests");
                if (sym == null || sym.kind != Kinds.Kind.MTH || !(sym.baseSymbol() instanceof MethodSymbol)
                        || !(sym.baseSymbol().owner instanceof ClassSymbol)) {
                    count("not attributed");
                    if (declaredNames.contains(written)) {
                        count("not attributed, but the sources declare something of that name");
                        if (verbose) {
                            log("not attributed: " + src.rel + ":" + src.line(pos) + " " + written + " " + sym);
                        }
                    }
                    return;
                }
                Set<Integer> doubts = doubtful.getOrDefault(src, Set.of());
                boolean doubt = doubts.contains(tree.getPreferredPosition())
                        || doubts.contains(named.getPreferredPosition());
                MethodSymbol found = (MethodSymbol) sym.baseSymbol();
                MethodSymbol m = decide(tree, found, site, args, doubt);
                if (site != null && guesses.contains(receiver(named))) {
                    guesses.add(tree);
                    m = null;
                }
                if (m != null && named instanceof JCIdent && shadowed(m)) {
                    m = null;
                }
                ClassSymbol owner = (ClassSymbol) (m == null ? found : m).owner;
                JavaFileObject file = owner.owner.kind == Kinds.Kind.NIL ? null : owner.outermostClass().sourcefile;
                if (!(file instanceof Fo)) {
                    count("target outside of the sources");
                    return;
                }
                if (m == null) {
                    count("dropped: missing types decide between overloads");
                    note("left out (guess)", pos, found);
                    return;
                }
                if (m != found) {
                    count("listed with another target than the one that javac fell back to");
                    note("decided against " + found, pos, m);
                }
                int line = declarationLine(m, owner, ((Fo) file).src);
                if (line < 0) {
                    count("dropped: declaration not found");
                    note("left out (no declaration)", pos, m);
                    return;
                }
                count("listed");
                rows.add(src.rel + "\t" + src.line(pos) + "\t" + src.byteOffset(pos) + "\t" + m.name + "\t"
                        + owner.flatname + "\t" + ((Fo) file).src.rel + "\t" + line + "\t" + parameters(m));
            }

            private void note(String what, int pos, MethodSymbol m) {
                if (verbose) {
                    log(what + ": " + src.rel + ":" + src.line(pos) + " " + m.owner + "." + m);
                }
            }

            /** Calls whose result type depends on a choice that could not be made. */
            private final Set<JCTree> guesses = Collections.newSetFromMap(new IdentityHashMap<>());

            private JCTree receiver(JCTree named) {
                return named instanceof JCFieldAccess ? spine(((JCFieldAccess) named).selected) : null;
            }

            /** The call, if any, that an expression takes its type from. */
            private JCTree spine(JCExpression e) {
                JCExpression x = TreeInfo.skipParens(e);
                while (true) {
                    if (x instanceof JCArrayAccess) {
                        x = TreeInfo.skipParens(((JCArrayAccess) x).indexed);
                    } else if (x instanceof JCFieldAccess) {
                        x = TreeInfo.skipParens(((JCFieldAccess) x).selected);
                    } else {
                        return x;
                    }
                }
            }

            /** The target of a call, or null if missing types leave it open. */
            private MethodSymbol decide(JCTree tree, MethodSymbol m, Type site,
                    com.sun.tools.javac.util.List<JCExpression> args, boolean doubt) {
                boolean[] open = new boolean[args.length()];
                boolean any = false;
                int i = 0;
                for (JCExpression a : args) {
                    open[i] = open(a);
                    any |= open[i++];
                }
                Type in = site != null ? site : home(m);
                boolean fits = applicable(m, in, args, open);
                if (fits && !any && !doubt) {
                    return m;
                }
                List<MethodSymbol> rivals = new ArrayList<>();
                for (Symbol s : candidates(m, in)) {
                    if (s instanceof MethodSymbol && accessible(s) && applicable((MethodSymbol) s, in, args, open)) {
                        rivals.add((MethodSymbol) s);
                    }
                }
                rivals.removeIf(c -> rivals.stream().anyMatch(o -> o != c && hides(o, c, m)));
                MethodSymbol best = null;
                if (fits && !doubt && rivals.stream().allMatch(c -> c == m || hides(m, c, m)
                        || sameWhereOpen(m, c, in, open) || beats(m, c, in, args, open))) {
                    best = m;
                }
                for (MethodSymbol x : rivals) {
                    boolean sure = certain(x, in, args);
                    if (best == null && rivals.stream().allMatch(c -> c == x || beats(x, c, in, args, open)
                            || sure && !mayBeat(c, x, in, args.length()))) {
                        best = x;
                    }
                }
                if (best == null) {
                    Set<String> results = new HashSet<>();
                    rivals.forEach(c -> results.add(name(types.erasure(c.type.getReturnType()))));
                    if (results.size() != 1) {
                        guesses.add(tree);
                    }
                }
                return best;
            }

            /** The enclosing class that an unqualified name is found in. */
            private Type home(MethodSymbol m) {
                if (!m.isConstructor()) {
                    for (JCClassDecl c : classes) {
                        if (c.sym != null && c.sym.isSubClass(m.owner, types)) {
                            return c.sym.type;
                        }
                    }
                }
                return m.owner.type;
            }

            private boolean accessible(Symbol s) {
                long flags = s.flags();
                if ((flags & Flags.SYNTHETIC) != 0) {
                    return false;
                }
                if ((flags & Flags.PRIVATE) != 0) {
                    JCClassDecl outermost = classes.peekLast();
                    return outermost != null && s.outermostClass() == outermost.sym;
                }
                return (flags & (Flags.PUBLIC | Flags.PROTECTED)) != 0 || (s.owner.flags() & Flags.INTERFACE) != 0
                        || s.packge() == unit.packge;
            }

            /** Whether one candidate overrides or hides another; of equal ones the preferred stays. */
            private boolean hides(MethodSymbol a, MethodSymbol b, MethodSymbol preferred) {
                if (a.owner == b.owner) {
                    return false;
                }
                if (parameters(a).equals(parameters(b))) {
                    if (a.owner.isSubClass(b.owner, types)) {
                        return true;
                    }
                    return !b.owner.isSubClass(a.owner, types) && (a == preferred || b != preferred
                            && a.owner.flatName().compareTo(b.owner.flatName()) < 0);
                }
                if (!a.owner.isSubClass(b.owner, types) || a.type.getParameterTypes().length()
                        != b.type.getParameterTypes().length()) {
                    return false;
                }
                List<Formal> fa = formals(a, a.owner.type);
                List<Formal> fb = formals(b, a.owner.type);
                for (int k = 0; k < fa.size(); k++) {
                    boolean missing = unknown(fa.get(k).type);
                    boolean other = unknown(fb.get(k).type);
                    if (missing && other ? !fa.get(k).name.equals(fb.get(k).name)
                            : missing != other && !b.type.getParameterTypes().get(k).hasTag(TypeTag.TYPEVAR)) {
                        return false; // javac would take one missing type for the other
                    }
                }
                return a.overrides(b, (ClassSymbol) a.owner, types, false);
            }

            private boolean sameWhereOpen(MethodSymbol a, MethodSymbol b, Type in, boolean[] open) {
                List<Formal> fa = spread(a, in, open.length);
                List<Formal> fb = spread(b, in, open.length);
                for (int k = 0; k < open.length; k++) {
                    if (open[k] && !fa.get(k).name.equals(fb.get(k).name)) {
                        return false;
                    }
                }
                return true;
            }

            /** Whether one candidate is more specific whatever the missing types may be. */
            private boolean beats(MethodSymbol a, MethodSymbol b, Type in,
                    com.sun.tools.javac.util.List<JCExpression> args, boolean[] open) {
                if (a.isVarArgs() && !b.isVarArgs()) {
                    return false;
                }
                List<Formal> fa = spread(a, in, open.length);
                List<Formal> fb = spread(b, in, open.length);
                for (int k = 0; k < open.length; k++) {
                    Formal x = fa.get(k);
                    Formal y = fb.get(k);
                    if (x.name.equals(y.name)) {
                        continue;
                    }
                    JCExpression arg = TreeInfo.skipParens(args.get(k));
                    boolean better;
                    if (open[k]) {
                        better = !(arg instanceof JCFunctionalExpression) && !(arg instanceof JCConditional)
                                && !guesses.contains(spine(arg)) && x.name.equals(typeName(arg));
                    } else {
                        better = !unknown(x.type) && !unknown(y.type) && types.isSubtype(x.type, y.type);
                    }
                    if (!better) {
                        return false;
                    }
                }
                return true;
            }

            /** Whether the arguments fit without conversion, whatever the missing types may be. */
            private boolean certain(MethodSymbol m, Type in, com.sun.tools.javac.util.List<JCExpression> args) {
                List<Formal> formals = formals(m, in);
                if (formals.size() != args.length()) {
                    return false;
                }
                int i = 0;
                for (JCExpression arg : args) {
                    JCExpression a = TreeInfo.skipParens(arg);
                    Formal f = formals.get(i++);
                    Type t = typeOf(a);
                    if (t == null || a instanceof JCFunctionalExpression || a instanceof JCConditional
                            || guesses.contains(spine(a))) {
                        return false;
                    }
                    if (t.hasTag(TypeTag.BOT)) {
                        if (f.type.isPrimitive()) {
                            return false;
                        }
                    } else if (!f.name.equals(typeName(a))
                            && (unknown(t) || unknown(f.type) || !types.isSubtype(types.erasure(t), f.type))) {
                        return false;
                    }
                }
                return true;
            }

            /** Whether one candidate might turn out more specific than another, certain one. */
            private boolean mayBeat(MethodSymbol a, MethodSymbol b, Type in, int n) {
                List<Formal> fa = formals(a, in);
                List<Formal> fb = formals(b, in);
                if (fa.size() != n) {
                    return false; // a variable number of arguments, tried only if nothing else fits
                }
                for (int k = 0; k < n; k++) {
                    Type x = fa.get(k).type;
                    Type y = fb.get(k).type;
                    boolean may;
                    if (fa.get(k).name.equals(fb.get(k).name)) {
                        may = true;
                    } else if (x.isPrimitive() || y.isPrimitive()) {
                        may = x.isPrimitive() && y.isPrimitive() && types.isSubtype(x, y);
                    } else if (unknown(x) || incomplete(x, new HashSet<>())) {
                        // What is missing comes from elsewhere and extends nothing of the sources.
                        may = unknown(y) || (y.tsym.flags() & Flags.FINAL) == 0
                                && (!fromSources(y) || !unknown(x) && types.isSubtype(x, y));
                    } else {
                        may = !unknown(y) && types.isSubtype(x, y);
                    }
                    if (!may) {
                        return false;
                    }
                }
                return true;
            }

            private boolean fromSources(Type t) {
                return t.tsym instanceof ClassSymbol && t.tsym.owner.kind != Kinds.Kind.NIL
                        && t.tsym.outermostClass().sourcefile instanceof Fo;
            }

            /** Whether a missing static import of the same name goes before the one that was found. */
            private boolean shadowed(MethodSymbol m) {
                if (m.isConstructor() || !m.isStatic()
                        || classes.stream().anyMatch(c -> c.sym != null && c.sym.isSubClass(m.owner, types))) {
                    return false;
                }
                for (JCImport i : unit.getImports()) {
                    if (i.staticImport && TreeInfo.name(i.qualid) == m.name && i.qualid instanceof JCFieldAccess) {
                        Type t = ((JCFieldAccess) i.qualid).selected.type;
                        if (t == null || unknown(t)) {
                            return true;
                        }
                    }
                }
                return false;
            }

            /** Whether the type of an expression is stated somewhere, be it missing or not. */
            private boolean stated(JCExpression e) {
                JCExpression x = TreeInfo.skipParens(e);
                if (x instanceof JCNewClass || x instanceof JCTypeCast) {
                    return true;
                }
                Symbol s = TreeInfo.symbol(x instanceof JCMethodInvocation ? ((JCMethodInvocation) x).meth : x);
                if (s instanceof MethodSymbol && x instanceof JCMethodInvocation) {
                    return !guesses.contains(x) && unknown(types.erasure(s.type.getReturnType()));
                }
                return s != null && s.kind == Kinds.Kind.VAR && s.type != null && unknown(types.erasure(s.type))
                        && s.owner.kind != Kinds.Kind.NIL && !s.type.hasTag(TypeTag.NONE) && !lambdaParameter(s);
            }

            private boolean lambdaParameter(Symbol s) {
                return (s.flags() & Flags.PARAMETER) != 0 && implicitParameters.contains(s);
            }

            private final Set<Symbol> implicitParameters = new HashSet<>();

            @Override
            public void visitLambda(JCLambda tree) {
                if (tree.paramKind == JCLambda.ParameterKind.IMPLICIT) {
                    tree.params.forEach(p -> implicitParameters.add(p.sym));
                }
                super.visitLambda(tree);
            }

            /**
             * The type of an expression, as far as it can be told without the parameter that it is
             * passed to: a call that is passed to a parameter of a missing type is given that type.
             */
            private Type typeOf(JCExpression e) {
                JCExpression x = TreeInfo.skipParens(e);
                if (x.type != null && !unknown(x.type)) {
                    return x.type;
                }
                if (x instanceof JCNewClass && ((JCNewClass) x).def == null) {
                    return ((JCNewClass) x).clazz.type;
                }
                if (x instanceof JCTypeCast) {
                    return ((JCTypeCast) x).clazz.type;
                }
                if (x instanceof JCConditional) {
                    Type left = typeOf(((JCConditional) x).truepart);
                    Type right = typeOf(((JCConditional) x).falsepart);
                    return left != null && right != null
                            && name(types.erasure(left)).equals(name(types.erasure(right))) ? left : null;
                }
                if (x.hasTag(JCTree.Tag.PLUS)) {
                    // A string with something missing appended is still a string.
                    for (JCExpression operand : List.of(((JCBinary) x).lhs, ((JCBinary) x).rhs)) {
                        Type t = typeOf(operand);
                        if (t != null && t.tsym != null && t.tsym.flatName().contentEquals("java.lang.String")) {
                            return t;
                        }
                    }
                }
                if (x instanceof JCMethodInvocation) {
                    JCExpression meth = ((JCMethodInvocation) x).meth;
                    Symbol s = TreeInfo.symbol(meth);
                    if (!(s instanceof MethodSymbol) || meth.type == null) {
                        return null;
                    }
                    Type result = meth.type.getReturnType();
                    Type declared = types.erasure(s.type.getReturnType());
                    return result != null && !unknown(result) ? result : unknown(declared) ? declared : null;
                }
                return x.type;
            }

            /** The name of the type of an expression, or null. */
            private String typeName(JCExpression e) {
                JCExpression x = TreeInfo.skipParens(e);
                Type t = typeOf(x);
                String n = t == null ? null : name(types.erasure(t));
                if (n == null || !n.startsWith(NAMELESS)) {
                    return n;
                }
                JCTree written = null;
                if (x instanceof JCNewClass) {
                    written = ((JCNewClass) x).clazz;
                } else if (x instanceof JCTypeCast) {
                    written = ((JCTypeCast) x).clazz;
                } else if (x instanceof JCMethodInvocation) {
                    Symbol s = TreeInfo.symbol(((JCMethodInvocation) x).meth);
                    JCMethodDecl d = s instanceof MethodSymbol ? declaration((MethodSymbol) s) : null;
                    written = d == null ? null : d.restype;
                } else {
                    written = variables().get(TreeInfo.symbol(x));
                }
                return written == null ? null : written(written);
            }

            private Map<Symbol, JCTree> variables;

            /** The types of the variables of this file as they are written. */
            private Map<Symbol, JCTree> variables() {
                if (variables == null) {
                    variables = new IdentityHashMap<>();
                    new TreeScanner() {
                        @Override
                        public void visitVarDef(JCVariableDecl tree) {
                            if (tree.sym != null && tree.vartype != null) {
                                variables.put(tree.sym, tree.vartype);
                            }
                            super.visitVarDef(tree);
                        }
                    }.scan(unit);
                }
                return variables;
            }

            private List<Formal> formals(MethodSymbol m, Type in) {
                Type seen = m.type;
                try {
                    if (!m.isConstructor() && !m.isStatic() && in.hasTag(TypeTag.CLASS)) {
                        seen = types.memberType(in, m);
                    }
                } catch (RuntimeException x) {
                    seen = m.type;
                }
                List<Formal> out = new ArrayList<>();
                com.sun.tools.javac.util.List<Type> declared = m.type.getParameterTypes();
                for (Type t : seen.getParameterTypes()) {
                    // A missing type argument says nothing about the argument of the call.
                    Type x = types.erasure(t);
                    Type y = unknown(x) ? types.erasure(declared.head) : x;
                    out.add(new Formal(y, unknown(y) ? parameterNames(m).get(out.size()) : name(y)));
                    declared = declared.tail;
                }
                return out;
            }

            /** One formal type for each argument. */
            private List<Formal> spread(MethodSymbol m, Type in, int n) {
                List<Formal> out = formals(m, in);
                if (m.isVarArgs()) {
                    Formal last = out.remove(out.size() - 1);
                    Type element = types.elemtype(last.type);
                    while (out.size() < n) {
                        out.add(element == null ? last : new Formal(element, last.name.replaceFirst("\\[\\]$", "")));
                    }
                }
                return out;
            }

            private List<Symbol> candidates(MethodSymbol m, Type in) {
                List<Symbol> out = new ArrayList<>();
                if (m.isConstructor()) {
                    m.owner.members().getSymbolsByName(m.name).forEach(out::add);
                    return out;
                }
                Set<Symbol> seen = new LinkedHashSet<>();
                for (Type t : types.closure(upper(in))) {
                    t.tsym.members().getSymbolsByName(m.name).forEach(seen::add);
                }
                m.owner.members().getSymbolsByName(m.name).forEach(seen::add);
                out.addAll(seen);
                return out;
            }

            private Type upper(Type t) {
                return t.hasTag(TypeTag.TYPEVAR) ? upper(t.getUpperBound()) : types.erasure(t);
            }

            private boolean applicable(MethodSymbol m, Type in, com.sun.tools.javac.util.List<JCExpression> args,
                    boolean[] open) {
                List<Formal> formals = formals(m, in);
                int n = args.length();
                return n == formals.size() && fits(args, open, formals, n)
                        || m.isVarArgs() && n >= formals.size() - 1 && fits(args, open, spread(m, in, n), n);
            }

            private boolean fits(com.sun.tools.javac.util.List<JCExpression> args, boolean[] open, List<Formal> formals,
                    int n) {
                for (int i = 0; i < n; i++) {
                    JCExpression a = TreeInfo.skipParens(args.get(i));
                    Type f = formals.get(i).type;
                    Type t = typeOf(a);
                    if (a instanceof JCFunctionalExpression) {
                        // The formal may be a type variable, hence Object.
                        if (!unknown(f) && !f.isInterface()
                                && !f.tsym.getQualifiedName().contentEquals("java.lang.Object")) {
                            return false;
                        }
                        continue;
                    }
                    if (open[i]) {
                        // An object of a class is neither a primitive value nor an array; and one of a
                        // missing class is not of a final class that is there.
                        if (t != null && !t.hasTag(TypeTag.ARRAY) && !(a instanceof JCConditional)
                                && (unknown(t) ? stated(a) : !guesses.contains(spine(a)))) {
                            if (f.isPrimitive() || f.hasTag(TypeTag.ARRAY) || unknown(t) && !unknown(f)
                                    && (f.tsym.flags() & Flags.FINAL) != 0) {
                                return false;
                            }
                        }
                        continue;
                    }
                    if (t.hasTag(TypeTag.NONE) || t.hasTag(TypeTag.DEFERRED)) {
                        continue;
                    }
                    if (unknown(f)) {
                        // All supertypes of the argument are known, a missing type is none of them.
                        if (!t.hasTag(TypeTag.BOT)) {
                            return false;
                        }
                        continue;
                    }
                    Type actual = t.hasTag(TypeTag.BOT) ? t : types.erasure(t);
                    if (t.isCompound() || t.hasTag(TypeTag.TYPEVAR)) {
                        if (types.isConvertible(t, f)) {
                            continue;
                        }
                    }
                    if (!types.isConvertible(actual, f)) {
                        // Poly expressions carry the type their target asked for.
                        if (a.isPoly() && !f.isPrimitive() && !actual.isPrimitive()) {
                            if (types.isSubtype(f, actual)) {
                                continue;
                            }
                        }
                        return false;
                    }
                }
                return true;
            }

            /** Whether the missing dependencies leave the type of an argument undecided. */
            private boolean open(JCExpression arg) {
                JCExpression a = TreeInfo.skipParens(arg);
                if (a instanceof JCLambda) {
                    boolean[] found = {false};
                    new TreeScanner() {
                        @Override
                        public void scan(JCTree t) {
                            if (!found[0]) {
                                super.scan(t);
                            }
                        }

                        @Override
                        public void visitReturn(JCReturn t) {
                            found[0] |= t.expr != null && open(t.expr);
                        }

                        @Override
                        public void visitLambda(JCLambda t) {
                            // an inner function has its own returns
                        }

                        @Override
                        public void visitClassDef(JCClassDecl t) {
                        }
                    }.scan(((JCLambda) a).body);
                    if (((JCLambda) a).body instanceof JCExpression) {
                        found[0] |= open((JCExpression) ((JCLambda) a).body);
                    }
                    for (JCVariableDecl p : ((JCLambda) a).params) {
                        found[0] |= p.sym == null || p.sym.type == null || unknown(p.sym.type);
                    }
                    return found[0];
                }
                if (a instanceof JCMemberReference) {
                    Symbol s = ((JCMemberReference) a).sym;
                    return s == null || s.kind != Kinds.Kind.MTH || unknown(((JCMemberReference) a).expr.type);
                }
                if (a instanceof JCConditional) {
                    return open(((JCConditional) a).truepart) || open(((JCConditional) a).falsepart)
                            || typeOf(a) == null;
                }
                Type t = typeOf(a);
                return t == null || unknown(t) || guesses.contains(spine(a)) || incomplete(t, new HashSet<>());
            }

            private boolean unknown(Type t) {
                while (t.hasTag(TypeTag.ARRAY)) {
                    t = types.elemtype(t);
                }
                return t.hasTag(TypeTag.ERROR) || t.hasTag(TypeTag.UNKNOWN) || t.hasTag(TypeTag.NONE)
                        || t.hasTag(TypeTag.DEFERRED) || t.hasTag(TypeTag.CLASS) && t.tsym.type.hasTag(TypeTag.ERROR);
            }

            /** Whether some supertype is missing. */
            private boolean incomplete(Type t, Set<Symbol> seen) {
                while (t.hasTag(TypeTag.ARRAY)) {
                    t = types.elemtype(t);
                }
                if (t.hasTag(TypeTag.ERROR)) {
                    return true;
                }
                if (t.hasTag(TypeTag.TYPEVAR)) {
                    return seen.add(t.tsym) && incomplete(t.getUpperBound(), seen);
                }
                if (!t.hasTag(TypeTag.CLASS) || !seen.add(t.tsym)) {
                    return false;
                }
                if (incomplete(types.supertype(t), seen)) {
                    return true;
                }
                for (Type i : types.interfaces(t)) {
                    if (incomplete(i, seen)) {
                        return true;
                    }
                }
                // Missing interfaces are kept in this list only.
                com.sun.tools.javac.util.List<Type> all = t.tsym.type instanceof Type.ClassType
                        ? ((Type.ClassType) t.tsym.type).all_interfaces_field : null;
                return all != null && all.stream().anyMatch(i -> !i.hasTag(TypeTag.CLASS) || i.isErroneous());
            }
        }

        private JCMethodDecl declaration(MethodSymbol m) {
            ClassSymbol owner = (ClassSymbol) m.owner;
            Env<AttrContext> env = owner.owner.kind == Kinds.Kind.NIL ? null : enter.getEnv(owner.outermostClass());
            if (env == null || env.toplevel == null) {
                return null;
            }
            Map<Symbol, JCMethodDecl> index = declarations.computeIfAbsent(env.toplevel, u -> {
                Map<Symbol, JCMethodDecl> map = new IdentityHashMap<>();
                new TreeScanner() {
                    @Override
                    public void visitMethodDef(JCMethodDecl tree) {
                        if (tree.sym != null) {
                            map.put(tree.sym, tree);
                        }
                        super.visitMethodDef(tree);
                    }
                }.scan(u);
                return map;
            });
            JCMethodDecl d = index.get(m);
            if (d == null) {
                // The class may have been attributed twice, as part of a lambda.
                for (Map.Entry<Symbol, JCMethodDecl> e : index.entrySet()) {
                    Symbol s = e.getKey();
                    if (s.name == m.name && s.owner instanceof ClassSymbol && s.owner.flatName() == owner.flatname
                            && types.erasure(s.type).toString().equals(types.erasure(m.type).toString())) {
                        d = e.getValue();
                    }
                }
            }
            return d;
        }

        private int declarationLine(MethodSymbol m, ClassSymbol owner, Src file) {
            JCMethodDecl d = declaration(m);
            if ((m.flags() & Flags.GENERATEDCONSTR) != 0
                    || d != null && (d.mods.flags & (Flags.GENERATEDCONSTR | Flags.GENERATED_MEMBER)) != 0) {
                return 0;
            }
            if (d != null) {
                return file.line(d.pos);
            }
            boolean ofEnum = (owner.flags() & Flags.ENUM) != 0
                    && (m.name.contentEquals("values") || m.name.contentEquals("valueOf"));
            boolean ofRecord = (owner.flags() & Flags.RECORD) != 0;
            return ofEnum || ofRecord ? 0 : -1;
        }

        /** A parameter, with the name of its erased type. */
        record Formal(Type type, String name) {
        }

        /** What javac calls a missing type that was written with type arguments. */
        private static final String NAMELESS = "<any>";

        private final Map<MethodSymbol, List<String>> parameterNames = new IdentityHashMap<>();

        private List<String> parameterNames(MethodSymbol m) {
            List<String> known = parameterNames.get(m);
            if (known == null) {
                known = new ArrayList<>();
                for (Type t : m.type.getParameterTypes()) {
                    String n = name(types.erasure(t));
                    if (n.startsWith(NAMELESS)) {
                        JCMethodDecl d = declaration(m);
                        n = d == null || known.size() >= d.params.size() ? n
                                : written(d.params.get(known.size()).vartype);
                    }
                    known.add(n);
                }
                parameterNames.put(m, known);
            }
            return known;
        }

        private String parameters(MethodSymbol m) {
            return String.join(",", parameterNames(m));
        }

        /** A type as it is written, without type arguments. */
        private static String written(JCTree type) {
            if (type instanceof JCArrayTypeTree) {
                return written(((JCArrayTypeTree) type).elemtype) + "[]";
            }
            if (type instanceof JCAnnotatedType) {
                return written(((JCAnnotatedType) type).underlyingType);
            }
            if (type instanceof JCTypeApply) {
                return written(((JCTypeApply) type).clazz);
            }
            return type.toString();
        }

        private String name(Type t) {
            if (t.hasTag(TypeTag.ARRAY)) {
                return name(types.elemtype(t)) + "[]";
            }
            if (t.isPrimitive()) {
                return t.tsym.name.toString();
            }
            if (t.tsym instanceof ClassSymbol && !t.hasTag(TypeTag.ERROR)) {
                return ((ClassSymbol) t.tsym).flatname.toString();
            }
            return String.valueOf(t.tsym == null ? t : t.tsym.getQualifiedName());
        }
    }

    // ------------------------------------------------------------------- main

    static final boolean verbose = Boolean.getBoolean("oracle.verbose");

    static void log(String message) {
        System.err.println(message);
    }

    static void main0(String[] args) throws IOException {
        base = Path.of(args[0]).toAbsolutePath().normalize();
        classpath = args.length > 2 ? args[2] : null;
        collect();
        index();
        prepareLenient();
        attributeAll();
        try (OutputStream out = Files.newOutputStream(Path.of(args[1]))) {
            StringBuilder text = new StringBuilder();
            for (String r : rows) {
                text.append(r).append('\n');
            }
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        stats.forEach((k, v) -> log(String.format(Locale.ROOT, "%8d  %s", v, k)));
        log(String.format(Locale.ROOT, "%8d  lines, from %d files", rows.size(), sources.size()));
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 2 || args.length > 3) {
            log("usage: java [flags, see the source] CallOracle.java SOURCE_ROOT OUT.tsv [CLASSPATH]");
            System.exit(2);
        }
        Throwable[] failure = new Throwable[1];
        Thread t = new Thread(null, () -> {
            try {
                main0(args);
            } catch (Throwable x) {
                failure[0] = x;
            }
        }, "oracle", 1L << 29);
        t.start();
        t.join();
        if (failure[0] != null) {
            failure[0].printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }
}
