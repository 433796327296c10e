/**
 * A hash table over all ranks by atomics and flush ({@link org.ftrma.apps.kvstore.DistributedHashTable}), and the
 * key-value benchmark of the paper (ftRMA, section 7.2.2).
 */
package org.ftrma.apps.kvstore;
