/**
 * The images of one computing rank: what belongs to one, how it lies in a slot, and how it is copied and restored.
 * Begin with {@link org.ftrma.core.image.Images}. It knows protected memory, and nothing of windows, logs or parity.
 */
package org.ftrma.core.image;
