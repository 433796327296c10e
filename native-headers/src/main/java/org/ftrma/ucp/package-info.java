/**
 * Bindings of the few UCX and C library functions that ftRMA calls directly, in jextract's shape. Nothing here knows of
 * ranks or windows. First class to read: {@link org.ftrma.ucp.Ucp}.
 */
package org.ftrma.ucp;
