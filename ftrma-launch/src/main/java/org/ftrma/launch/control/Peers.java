package org.ftrma.launch.control;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The peers of one kind, by their numbers: those that may connect to the launcher, and those that have. The server's
 * thread only.
 */
final class Peers {
    private final Set<Integer> expected = new HashSet<>();
    /** This number and greater ones may join without being expected. */
    private int firstFree = Integer.MAX_VALUE;
    private final Map<Integer, ControlConnection> joined = new HashMap<>();

    /** The one of this number may join, once. */
    void expect(int number) {
        expected.add(number);
    }

    /** Those of this number or a greater one may join, unasked. */
    void welcomeFrom(int number) {
        firstFree = number;
    }

    int expected() {
        return expected.size();
    }

    /**
     * Lets the one of this number in; false if it is neither expected nor new. One that comes anew takes its own place.
     */
    boolean admit(int number, ControlConnection connection) {
        boolean isNew = number >= firstFree && !joined.containsKey(number);
        if (!expected.remove(number) && !isNew) { // M4
            return false;
        }
        ControlConnection before = joined.put(number, connection);
        if (before != null) {
            before.close();
        }
        return true;
    }

    /** Its connection; null: it has none. */
    ControlConnection get(int number) {
        return joined.get(number);
    }

    /** Those that have joined; a view. */
    Collection<ControlConnection> all() {
        return Collections.unmodifiableCollection(joined.values());
    }

    /** The connection has ended; false if that was known. */
    boolean remove(ControlConnection connection) {
        return joined.remove(connection.peer().number(), connection);
    }

    /** Neither expects nor hears the one of this number any more. */
    void forget(int number) {
        expected.remove(number);
        ControlConnection connection = joined.remove(number);
        if (connection != null) {
            connection.close();
        }
    }

    List<Integer> silentSince(long nanoTime) {
        List<Integer> silent = new ArrayList<>();
        joined.forEach((number, connection) -> {
            if (connection.heardNanos() - nanoTime < 0) {
                silent.add(number);
            }
        });
        return silent;
    }
}
