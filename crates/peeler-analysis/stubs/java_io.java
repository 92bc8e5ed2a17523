package java.io;

public interface Serializable {}
public interface Closeable extends AutoCloseable {}
public class IOException extends Exception { public IOException() {} public IOException(String message) {} public IOException(String message, Throwable cause) {} public IOException(Throwable cause) {} }
public class FileNotFoundException extends IOException { public FileNotFoundException(String message) {} }
public class UncheckedIOException extends RuntimeException { public UncheckedIOException(IOException cause) {} }
public class File implements Comparable<File> { public File(String path) {} public File(String parent, String name) {} public File(File parent, String name) {} public String getName(); public String getPath(); public String getAbsolutePath(); public File getParentFile(); public String getParent(); public boolean exists(); public boolean delete(); public void deleteOnExit(); public boolean mkdir(); public boolean mkdirs(); public boolean isFile(); public boolean isDirectory(); public long length(); public long lastModified(); public String[] list(); public File[] listFiles(); public boolean createNewFile(); public static File createTempFile(String prefix, String suffix); public static File createTempFile(String prefix, String suffix, File folder); public java.net.URI toURI(); public java.nio.file.Path toPath(); public File getAbsoluteFile(); public File getCanonicalFile(); public String getCanonicalPath(); public boolean renameTo(File other); public boolean setLastModified(long time); }
public abstract class InputStream implements Closeable { public int read(); public int read(byte[] buffer); public int read(byte[] buffer, int from, int count); public byte[] readAllBytes(); public int available(); public void close(); }
public abstract class OutputStream implements Closeable { public void write(int value); public void write(byte[] bytes); public void write(byte[] bytes, int from, int count); public void flush(); public void close(); }
public class FilterInputStream extends InputStream {}
public class FilterOutputStream extends OutputStream {}
public class ByteArrayInputStream extends InputStream { public ByteArrayInputStream(byte[] bytes) {} public ByteArrayInputStream(byte[] bytes, int from, int count) {} }
public class ByteArrayOutputStream extends OutputStream { public ByteArrayOutputStream() {} public ByteArrayOutputStream(int size) {} public byte[] toByteArray(); public int size(); public String toString(String charset); public void reset(); }
public class FileInputStream extends InputStream { public FileInputStream(File file) {} public FileInputStream(String path) {} }
public class FileOutputStream extends OutputStream { public FileOutputStream(File file) {} public FileOutputStream(String path) {} public FileOutputStream(File file, boolean append) {} }
public class BufferedInputStream extends FilterInputStream { public BufferedInputStream(InputStream in) {} }
public class BufferedOutputStream extends FilterOutputStream { public BufferedOutputStream(OutputStream out) {} }
public class DataInputStream extends FilterInputStream { public DataInputStream(InputStream in) {} public int readInt(); public String readUTF(); }
public class DataOutputStream extends FilterOutputStream { public DataOutputStream(OutputStream out) {} }
public class ObjectInputStream extends InputStream { public ObjectInputStream(InputStream in) {} public Object readObject(); }
public class ObjectOutputStream extends OutputStream { public ObjectOutputStream(OutputStream out) {} public void writeObject(Object value); }
public class PrintStream extends FilterOutputStream { public PrintStream(OutputStream out) {} public PrintStream(OutputStream out, boolean flush) {} public void println(Object value); public void println(String value); public void println(); public void print(Object value); public PrintStream printf(String format, Object... arguments); }
public abstract class Reader implements Closeable { public int read(); }
public abstract class Writer implements Closeable, Appendable { public void write(String text); public void flush(); public Writer append(CharSequence text); }
public class StringReader extends Reader { public StringReader(String text) {} }
public class StringWriter extends Writer { public StringWriter() {} public StringBuffer getBuffer(); }
public class PrintWriter extends Writer { public PrintWriter(Writer writer) {} public PrintWriter(OutputStream stream) {} public PrintWriter(Writer writer, boolean flush) {} public void println(Object value); public void print(Object value); public PrintWriter printf(String format, Object... arguments); }
public class BufferedReader extends Reader { public BufferedReader(Reader reader) {} public String readLine(); public java.util.stream.Stream<String> lines(); }
public class BufferedWriter extends Writer { public BufferedWriter(Writer writer) {} public void newLine(); }
public class InputStreamReader extends Reader { public InputStreamReader(InputStream stream) {} public InputStreamReader(InputStream stream, String charset) {} public InputStreamReader(InputStream stream, java.nio.charset.Charset charset) {} }
public class OutputStreamWriter extends Writer { public OutputStreamWriter(OutputStream stream) {} }
public class FileReader extends InputStreamReader { public FileReader(File file) {} public FileReader(String path) {} }
public class FileWriter extends OutputStreamWriter { public FileWriter(File file) {} public FileWriter(String path) {} }
