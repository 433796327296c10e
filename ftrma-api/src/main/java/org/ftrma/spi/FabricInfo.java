package org.ftrma.spi;

/**
 * Description of a fabric, for {@code --verbose} and JSON.
 *
 * @param name "ucx" or "sim"
 * @param version version of the library beneath
 * @param transports its transports, as it names them
 * @param path "mapped", "network", or "auto" before any peer is attached
 */
public record FabricInfo(String name, String version, String transports, String path) {
}
