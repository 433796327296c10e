/**
 * What can fail together, who is placed where because of it, and how likely it is that more is lost than can be
 * rebuilt. Pure functions.
 */
package org.ftrma.xor.domains;
