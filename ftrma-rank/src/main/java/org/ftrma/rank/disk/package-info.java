/** Files of images: their layout, how a rank writes its own, and how it is read again and verified. */
package org.ftrma.rank.disk;
