/** Small changes to the protocol, of which some test must notice each one; {@code ./ftrma mutate} tries them. */
package org.ftrma.mutations;
