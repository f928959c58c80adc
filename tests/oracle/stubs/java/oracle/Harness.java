package oracle;

import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.tools.*;

/** Compiles and runs many programs in one JVM: each main in a class loader of its own, so no state is shared.
 *  stdin: lines "DIR|SOURCES|main1,main2|args1;args2" where an args vector is a,b,c or "-" for none.
 *  stdout: one JSON line a program. */
public final class Harness {
    private static final long MILLISECONDS_MAX = 5000;

    public static void main(String[] argv) throws Exception {
        Path stubs = Paths.get(argv[0]);
        Path classes = Paths.get(argv[1]);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
        PrintStream mute = new PrintStream(OutputStream.nullOutputStream());
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        // One file manager for all: what it has read of the platform's classes is kept.
        StandardJavaFileManager manager = javac.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setProperty("oracle.print", "false");
        String libraries = String.join(File.pathSeparator, Arrays.asList(argv).subList(2, argv.length));
        for (String line; (line = in.readLine()) != null; ) {
            String[] fields = line.split("\\|", -1);
            Path dir = Paths.get(fields[0]);
            Path target = Files.createDirectories(classes.resolve(dir.getFileName().toString()));
            List<Path> sources;
            try (Stream<Path> found = Files.walk(dir.resolve(fields[1]))) {
                sources = found.filter(p -> p.toString().endsWith(".java")).sorted().collect(Collectors.toList());
            }
            List<URL> urls = new ArrayList<>(List.of(target.toUri().toURL(), stubs.toUri().toURL()));
            Path resources = dir.resolve("src/main/resources");
            if (Files.isDirectory(resources)) urls.add(resources.toUri().toURL());
            for (int i = 2; i < argv.length; i++) urls.add(Paths.get(argv[i]).toUri().toURL()); // what programs run with
            URL[] path = urls.toArray(new URL[0]);
            String processors = libraries.isEmpty() ? "-proc:none" : "-processorpath", from = libraries.isEmpty() ? "-nowarn" : libraries;
            List<String> options = List.of("-nowarn", processors, from, "-g:lines,source", "-cp", stubs + File.pathSeparator + libraries, "-d", target.toString());
            StringWriter problems = new StringWriter();
            StringBuilder b = new StringBuilder("{\"dir\":").append(Recorder.text(dir.getFileName()));
            if (!sources.isEmpty() && !javac.getTask(problems, manager, null, options, null, manager.getJavaFileObjectsFromPaths(sources)).call()) {
                out.println(b.append(",\"compile\":").append(Recorder.text(problems)).append('}'));
                continue;
            }
            b.append(",\"runs\":[");
            String comma = "";
            for (String main : fields[2].split(",")) for (String arguments : fields[3].split(";")) {
                b.append(comma).append(run(main, arguments.equals("-") ? new String[0] : arguments.split(","), path, mute));
                comma = ",";
            }
            out.println(b.append("]}"));
        }
        System.exit(0);
    }

    private static String run(String main, String[] arguments, URL[] path, PrintStream mute) {
        String[] error = {null};
        String dump = "[]";
        Properties before = (Properties) System.getProperties().clone();
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Thread thread = new Thread(() -> {
                try { loader.loadClass(main).getMethod("main", String[].class).invoke(null, (Object) arguments); }
                catch (java.lang.reflect.InvocationTargetException e) { error[0] = String.valueOf(e.getCause()); }
                catch (Throwable e) { error[0] = String.valueOf(e); }
            });
            thread.setDaemon(true);
            thread.setContextClassLoader(loader);
            System.setOut(mute);
            System.setErr(mute);
            thread.start();
            thread.join(MILLISECONDS_MAX);
            if (thread.isAlive()) error[0] = "time limit";
            dump = (String) loader.loadClass("oracle.Recorder").getMethod("dump").invoke(null);
        } catch (Throwable e) {
            error[0] = String.valueOf(e);
        } finally {
            System.setProperties(before); // what one run sets, the next must not see
        }
        return "{\"main\":" + Recorder.text(main) + ",\"error\":" + Recorder.text(error[0]) + ",\"consumers\":" + dump + '}';
    }
}
