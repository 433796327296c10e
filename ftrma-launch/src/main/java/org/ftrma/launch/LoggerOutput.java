package org.ftrma.launch;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A stream that hands the messages of ftrma itself to a logger, and passes on what programs print on their error
 * streams: for processes that run a job and are no command. The stream may be used by any thread; whoever prints a
 * message prints it at once.
 */
final class LoggerOutput extends OutputStream {
    /** The name of the logger. */
    static final String LOGGER = "org.ftrma";
    /** How the messages of ftrma itself begin, with a time stamp where one is asked for. */
    private static final Pattern OURS = Pattern.compile("^(?:[0-9T:.-]{23} )?ftrma: +");
    /** Of a message that never ends this is passed on. */
    private static final int LONGEST = 1 << 16;

    private final Logger logger;
    private final Logger.Level level;
    private final PrintStream programs;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();

    private LoggerOutput(Logger logger, Logger.Level level, PrintStream programs) {
        this.logger = logger;
        this.level = level;
        this.programs = programs;
    }

    /**
     * As a stream to print to.
     *
     * @param level of all messages: there is no other word on how grave one is than how much was asked for
     * @param programs takes what programs print
     */
    static PrintStream stream(Logger logger, Logger.Level level, PrintStream programs) {
        return new PrintStream(new LoggerOutput(logger, level, programs), true, StandardCharsets.UTF_8);
    }

    @Override
    public void write(int b) {
        message.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        message.write(bytes, offset, length);
    }

    /** What was printed is whole when its last line is. */
    @Override
    public void flush() {
        byte[] bytes = message.toByteArray();
        if (bytes.length == 0 || bytes[bytes.length - 1] != '\n' && bytes.length < LONGEST) {
            return;
        }
        message.reset();
        String text = new String(bytes, StandardCharsets.UTF_8);
        Matcher ours = OURS.matcher(text);
        if (ours.find()) {
            logger.log(level, text.substring(ours.end()).stripTrailing());
        } else {
            programs.write(bytes, 0, bytes.length);
            programs.flush();
        }
    }
}
