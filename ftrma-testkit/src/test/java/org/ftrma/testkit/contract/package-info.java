/** What every fabric and every window must do, as JUnit suites: for the simulated fabric and for real ones. */
package org.ftrma.testkit.contract;
