package org.ftrma.launch.web;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * What whoever looks at a job's page must know: made anew for each page, and no other secret of the job. It comes in
 * the header {@code Authorization}, in the link, or, once the link was followed, in a cookie. Answers take a time that
 * does not depend on how much of it somebody knows. Immutable; any thread.
 */
final class PageToken {
    /** In the query of the link. */
    private static final String QUERY = "token=";
    private static final String BEARER = "Bearer ";
    private static final int BYTES = 32;

    /** How somebody has shown that he knows it. */
    enum Proof {
        /** Not at all. */
        NONE,
        /** By the header: a program, since a browser sends none by itself. */
        BEARER,
        /** By the link. */
        LINK,
        /** By the cookie, which a browser also sends for what pages of others make it ask for. */
        COOKIE
    }

    private final String text;
    private final byte[] expected;
    /** Browsers do not tell ports of a host apart: the name has it. */
    private final String cookie;

    PageToken(int port) {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        text = HexFormat.of().formatHex(random);
        expected = text.getBytes(StandardCharsets.US_ASCII);
        cookie = "ftrma-" + port + "=";
    }

    /** What follows the address in the link. */
    String query() {
        return "?" + QUERY + text;
    }

    /** The value of the header that makes a browser keep it. */
    String setCookie() {
        return cookie + text + "; Path=/; HttpOnly; SameSite=Strict";
    }

    private boolean isRight(String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected);
    }

    /**
     * How a request shows it.
     *
     * @param query of its address; null: none
     */
    Proof of(Headers headers, String query) {
        String authorization = headers.getFirst("Authorization");
        if (authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            && isRight(authorization.substring(BEARER.length()).strip())) {
            return Proof.BEARER;
        }
        for (String part : query == null ? new String[0] : query.split("&")) {
            if (part.startsWith(QUERY) && isRight(part.substring(QUERY.length()))) {
                return Proof.LINK;
            }
        }
        for (String line : headers.getOrDefault("Cookie", List.of())) {
            for (String part : line.split(";")) {
                String one = part.strip();
                if (one.startsWith(cookie) && isRight(one.substring(cookie.length()))) {
                    return Proof.COOKIE;
                }
            }
        }
        return Proof.NONE;
    }
}
