/** What layers over {@link org.ftrma.Job} and {@link org.ftrma.Window} have in common. Knows only {@code ftrma-api}. */
package org.ftrma.check.layer;

