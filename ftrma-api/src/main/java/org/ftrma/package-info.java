/** What programs use: {@link org.ftrma.Ftrma}, {@link org.ftrma.Job}, {@link org.ftrma.Window}. */
package org.ftrma;
