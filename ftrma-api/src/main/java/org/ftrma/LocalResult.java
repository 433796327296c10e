package org.ftrma;

import java.util.Map;

/**
 * Result of a job that {@link Ftrma#local(int, LocalOptions, LocalProgram)} ran. Immutable; any thread.
 *
 * @param exitCode that of {@code ./ftrma run}: 0 success, 1 the program failed or did not verify, 3 more was lost than
 *     can be rebuilt, 4 missing prerequisite, 5 stopped with progress on disk, 130 interrupted
 * @param outcome the same in a word: success, failed, catastrophic, unfit, stopped, interrupted
 * @param message what went wrong; empty where nothing did
 * @param verified what the program reported under that name, false for a job that failed; null: it reported nothing
 * @param facts all of {@code --json}, by key: String, Number, Boolean, List, Map or null
 * @param json the same as one line
 */
public record LocalResult(int exitCode, String outcome, String message, Boolean verified, Map<String, Object> facts,
    String json) {
    /** Whether the job ended well, and the program did not report that its result is wrong. */
    public boolean succeeded() {
        return exitCode == 0;
    }

    /** What the program has reported, by key. */
    public Object report(String key) {
        return facts.get("reports") instanceof Map<?, ?> reports ? reports.get(key) : null;
    }

    @Override
    public String toString() {
        return json;
    }
}
