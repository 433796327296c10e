package org.ftrma.check.race;

/**
 * A rank's part of a window, as the accesses of another rank reach it between two of its locks. A value class; any
 * thread.
 *
 * @param window number of the window
 * @param target whose part it is
 * @param sc the acquisition of the window's lock at the target, 0: none
 */
record Part(int window, int target, long sc) {
}
