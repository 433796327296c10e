/**
 * The {@code ftrma} command: its options, what it prints, and how it puts the parts together. First class to read:
 * {@link org.ftrma.launch.Main}.
 *
 *
 */
package org.ftrma.launch;
