/** What a distribution has besides the command: man pages. */
package org.ftrma.dist;
