package org.ftrma.launch.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process that is dying but not yet dead, as the kernel sees it: its threads are past their last instruction, its
 * memory is being taken apart. Any thread.
 */
final class DyingProcess {
    /** In the flags of a thread: it will never run its program again (PF_EXITING). */
    private static final long EXITING = 4;
    /** Fields of /proc/PID/stat behind the name, which ends with the last parenthesis, counted from 0 (state). */
    private static final int FLAGS = 6;
    private static final int EXIT_CODE = 49;
    private static final int SIGNALLED = 128;

    private DyingProcess() {
    }

    /**
     * Whether no thread of the process will ever run an instruction of its program again, so that nothing can come from
     * it any more.
     */
    static boolean isPastItsLastInstruction(long pid) {
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
            for (Path thread : all) {
                String[] fields = fields(thread.resolve("stat"));
                if (fields.length > FLAGS && (Long.parseLong(fields[FLAGS]) & EXITING) == 0) {
                    return false;
                }
            }
            return true;
        } catch (IOException | DirectoryIteratorException e) {
            return !Files.exists(threads);
        }
    }

    /** How it ends, as a shell tells it: a status, or 128 and the signal; -1 if it is gone by now. */
    static int status(long pid) {
        String[] fields;
        try {
            fields = fields(Path.of("/proc", Long.toString(pid), "stat"));
        } catch (IOException e) {
            return -1;
        }
        if (fields.length <= EXIT_CODE) {
            return -1;
        }
        int code = Integer.parseInt(fields[EXIT_CODE]);
        int signal = code & 0x7f;
        return signal != 0 ? SIGNALLED + signal : code >> 8 & 0xff;
    }

    /** Empty if there is no such thread any more. */
    private static String[] fields(Path stat) throws IOException {
        try {
            String text = Files.readString(stat, StandardCharsets.ISO_8859_1); // a thread's name may be anything
            return text.substring(text.lastIndexOf(')') + 1).trim().split(" ");
        } catch (IOException e) {
            if (Files.exists(stat)) {
                throw e;
            }
            return new String[0];
        }
    }
}
