package picocli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Options have their defaults unless the command line says otherwise; each subcommand may be the one that is named. */
public class CommandLine {
    private final Object command;
    private final List<Object> commands = new ArrayList<>();
    private Object result;

    public CommandLine(Object command) {
        this.command = command instanceof Class ? ((Class<?>) command).getDeclaredConstructor().newInstance() : command;
        commands.addAll(CommandLineSwitches.commands(this.command));
    }

    public CommandLine(Object command, Object factory) {
        this(command);
    }

    public CommandLine addSubcommand(Object added) {
        commands.add(added instanceof Class ? ((Class<?>) added).getDeclaredConstructor().newInstance() : added);
        return this;
    }

    public CommandLine addSubcommand(String name, Object added) {
        return addSubcommand(added);
    }

    public int execute(String... arguments) {
        CommandLineSwitches.fill(command);
        int code = 0;
        for (Object each : commands) new CommandLine(each).execute(arguments);
        try {
            if (command instanceof Callable) {
                result = ((Callable<?>) command).call();
                code = result instanceof Integer ? (Integer) result : 0;
            } else if (command instanceof Runnable) {
                ((Runnable) command).run();
            }
        } catch (Exception e) {
            code = ExitCode.SOFTWARE;
        }
        return commands.isEmpty() ? code : CommandLineSwitches.codeOf(arguments);
    }

    public CommandLine parseArgs(String... arguments) {
        CommandLineSwitches.fill(command);
        return this;
    }

    public List<CommandLine> parse(String... arguments) {
        CommandLineSwitches.fill(command);
        return List.of(this);
    }

    public static <T> T populateCommand(T command, String... arguments) {
        CommandLineSwitches.fill(command);
        return command;
    }

    public static <T> T call(Callable<T> command, String... arguments) {
        CommandLineSwitches.fill(command);
        return command.call();
    }

    public static void run(Runnable command, String... arguments) {
        CommandLineSwitches.fill(command);
        command.run();
    }

    public <T> T getCommand() {
        return (T) command;
    }

    public <T> T getExecutionResult() {
        return (T) result;
    }

    public boolean isUsageHelpRequested() {
        return false;
    }

    public boolean isVersionHelpRequested() {
        return false;
    }

    public CommandLine setCaseInsensitiveEnumValuesAllowed(boolean on) {
        return this;
    }

    public CommandLine setUnmatchedArgumentsAllowed(boolean on) {
        return this;
    }

    public CommandLine setStopAtUnmatched(boolean on) {
        return this;
    }

    public CommandLine setExecutionStrategy(Object strategy) {
        return this;
    }

    public CommandLine setExecutionExceptionHandler(Object handler) {
        return this;
    }

    public CommandLine setCommandName(String name) {
        return this;
    }

    public static final class ExitCode {
        public static final int OK = 0;
        public static final int SOFTWARE = 1;
        public static final int USAGE = 2;
    }
}
