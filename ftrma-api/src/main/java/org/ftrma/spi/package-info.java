/** What fabrics, control planes and the protocol implement for each other; not for programs. */
package org.ftrma.spi;
