/** Tables of what was measured, written so that they say how they came about. */
package org.ftrma.launch.figures;
