/**
 * The check that a program can be restarted: every step is run twice from the same state. Knows only {@code ftrma-api}.
 */
package org.ftrma.check.restart;

