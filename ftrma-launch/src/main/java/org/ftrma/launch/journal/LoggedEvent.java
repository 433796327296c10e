package org.ftrma.launch.journal;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One event of a log. Immutable; any thread.
 *
 * @param number from 0 on
 * @param micros when, by the job's clock, which runs evenly: for lengths of time
 * @param wallMicros when, by the clock of the launcher's host: both in microseconds since 1970
 * @param numbers in the order of the kind's names
 * @param text empty: there is none
 */
public record LoggedEvent(long number, long micros, long wallMicros, EventKind kind, List<Long> numbers, String text) {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    /** One of its numbers. */
    public long get(String name) {
        return numbers.get(kind.numbers().indexOf(name));
    }

    /** The member that it is about; -1: none. */
    public int member() {
        int at = kind.numbers().indexOf("member");
        return at < 0 ? -1 : Math.toIntExact(numbers.get(at));
    }

    /** When, of the day, by the clock of the host that reads. */
    public String clock() {
        return clock(wallMicros);
    }

    /** A moment of the day, by the clock of the host that reads. */
    public static String clock(long micros) {
        return CLOCK.format(instant(micros).atZone(ZoneId.systemDefault()));
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /**
     * The event that a {@link #map} has.
     *
     * @throws IllegalArgumentException something of it is missing, or is not what it should be; or a DateTimeException
     */
    static LoggedEvent of(Map<String, ?> map) {
        EventKind kind = EventKind.of(text(map, "event"));
        return new LoggedEvent(number(map, "number"), number(map, "jobClockMicros"),
            ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(text(map, "time"))), kind,
            kind.numbers().stream().map(name -> number(map, name)).toList(), text(map, "text"));
    }

    private static long number(Map<String, ?> map, String name) {
        if (map.get(name) instanceof Integer || map.get(name) instanceof Long) {
            return ((Number) map.get(name)).longValue();
        }
        throw new IllegalArgumentException(name + "=" + map.get(name) + ": must be an integer");
    }

    private static String text(Map<String, ?> map, String name) {
        if (map.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(name + "=" + map.get(name) + ": must be a text");
    }

    /** For JSON. */
    public Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("number", number);
        map.put("time", instant(wallMicros).toString());
        map.put("jobClockMicros", micros);
        map.put("event", kind.word());
        for (int i = 0; i < numbers.size(); i++) {
            map.put(kind.numbers().get(i), numbers.get(i));
        }
        map.put("text", text);
        return map;
    }

    /** For people: one line, or more where the text has more. */
    public String line() {
        StringBuilder line = new StringBuilder(clock()).append("  ").append(kind.word());
        for (int i = 0; i < numbers.size(); i++) {
            line.append(' ').append(kind.numbers().get(i)).append('=').append(numbers.get(i));
        }
        return text.isEmpty() ? line.toString() : line.append(": ").append(printable(text)).toString();
    }

    /** A terminal is not to obey what a program, or a file, says. */
    public static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
    }
}
