/** The deterministic simulator of a whole job, the drivers that crash it everywhere, and the contract suites. */
package org.ftrma.testkit;
