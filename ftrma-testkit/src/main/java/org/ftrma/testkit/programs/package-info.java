/**
 * Small programs for simulated jobs: each leans on another part of the library, and ends with the same contents
 * whatever the schedule.
 */
package org.ftrma.testkit.programs;
