/**
 * The check that nothing races: conflicting accesses that no synchronization orders are found and told. Knows only
 * {@code ftrma-api}.
 */
package org.ftrma.check.race;

