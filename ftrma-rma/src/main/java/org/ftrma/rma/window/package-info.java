/**
 * One-sided accesses of one rank and its window locks: checked, and made directly, logged or replayed. Begin with
 * {@link org.ftrma.rma.window.WindowImpl}. It knows that a log exists, and not what becomes of it.
 */
package org.ftrma.rma.window;
