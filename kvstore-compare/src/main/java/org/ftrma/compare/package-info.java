/**
 * What the key-value benchmark is compared with. Nothing else depends on this package, so that the library does not
 * carry what it needs.
 */
package org.ftrma.compare;
