/** The deterministic simulator of a whole job, and the drivers that crash it everywhere. */
package org.ftrma.testkit;
