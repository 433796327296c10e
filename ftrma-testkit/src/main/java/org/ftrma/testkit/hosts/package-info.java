/**
 * Several hosts on one machine, made of namespaces: each has its own network, its own shared memory and its own
 * processes, and can be cut off, frozen or switched off; begin with
 * {@link org.ftrma.testkit.hosts.NamespacedHosts}.
 */
package org.ftrma.testkit.hosts;
