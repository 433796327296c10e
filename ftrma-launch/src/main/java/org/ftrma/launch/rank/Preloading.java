package org.ftrma.launch.rank;

/**
 * Loads the classes that a rank will need while the process waits for a role, so that a spare takes over at once. Opens nothing. Data
 * thread.
 */
final class Preloading {
    private Preloading() {
    }

    /** Loads without initializing. A class that is missing is reported when it is really needed. */
    static void load(String... names) {
        for (String name : names) {
            try {
                Class.forName(name, false, ClassLoader.getSystemClassLoader());
            } catch (ClassNotFoundException | LinkageError e) {
                continue;
            }
        }
    }
}
