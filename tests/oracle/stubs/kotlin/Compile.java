import java.io.*;
import java.nio.charset.StandardCharsets;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/** Compiles many Kotlin programs in one JVM. stdin: lines "SOURCES|TARGET|CLASSPATH"; stdout: a line for each, "OK" or "FAILED"; stderr: why. */
public final class Compile {
    public static void main(String[] argv) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = System.out;
        System.setOut(System.err);
        for (String line; (line = in.readLine()) != null; ) {
            String[] fields = line.split("\\|", -1);
            int code = new K2JVMCompiler().exec(System.err, "-no-stdlib", "-no-reflect", "-nowarn",
                "-cp", fields[2], "-d", fields[1], fields[0]).getCode();
            out.println(code == 0 ? "OK" : "FAILED");
            out.flush();
        }
        System.exit(0);
    }
}
