/**
 * Bugs to put into the protocol, to show that tests and simulations find them; begin with {@code ProtocolBugs}. Each is
 * a change of the protocol's sources, which are compiled with it when a test asks for it: the protocol itself knows
 * nothing of them.
 */
package org.ftrma.testkit.bugs;
