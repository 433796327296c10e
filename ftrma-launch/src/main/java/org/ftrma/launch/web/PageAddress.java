package org.ftrma.launch.web;

import com.sun.net.httpserver.Headers;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The address under which a browser asks for a job's page: that of this machine, or that of a portal which passes
 * requests on and says so by headers {@code X-Forwarded-...}. Immutable; any thread.
 *
 * @param host name or number, and port where there is one
 * @param scheme http or https; empty: a portal does not say which
 * @param isPassedOn whether there is a portal
 */
record PageAddress(String host, String scheme, boolean isPassedOn) {
    private static final String FORWARDED = "x-forwarded-";

    /** Of a request. */
    static PageAddress of(Headers headers) {
        boolean isPassedOn = headers.keySet().stream()
            .anyMatch(name -> name.toLowerCase(Locale.ROOT).startsWith(FORWARDED));
        String host = first(headers, FORWARDED + "host");
        return new PageAddress(host.isEmpty() ? first(headers, "host") : host,
            isPassedOn ? first(headers, FORWARDED + "proto") : "http", isPassedOn);
    }

    /** That which is nearest to the browser, where several portals have added theirs. */
    private static String first(Headers headers, String name) {
        String value = headers.getFirst(name);
        return value == null ? "" : value.split(",", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether the page may be asked for there. A name that somebody else has made one of this machine (DNS rebinding)
     * is none.
     */
    boolean isKnown() {
        return isPassedOn || host.matches("(localhost|127\\.[0-9.]+|\\[::1])(:[0-9]+)?");
    }

    /**
     * Whether a page of the same origin asks.
     *
     * @param origin as the browser tells it
     * @param site the same in a word, by newer browsers, where no script can say it; null: by none
     */
    boolean isOrigin(String origin, String site) {
        return "same-origin".equals(site) || (scheme.isEmpty() ? Stream.of("http", "https") : Stream.of(scheme))
            .anyMatch(one -> withoutPort(one, origin.toLowerCase(Locale.ROOT)).equals(withoutPort(one, one + "://"
                + host)));
    }

    /** Browsers leave out the port that goes without saying, portals may not. */
    private static String withoutPort(String scheme, String origin) {
        String port = scheme.equals("https") ? ":443" : ":80";
        return origin.endsWith(port) ? origin.substring(0, origin.length() - port.length()) : origin;
    }
}
