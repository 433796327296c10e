package org.ftrma.launch.web;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of a job's page: made anew for each page, and no other secret of the job. It comes in the header {@code
 * Authorization} or in the link. A browser that has followed the link has a cookie from then on, from which nobody
 * learns the token, and which is right only under the address at which it was given. Answers take a time that does not
 * depend on how much of it somebody knows. Immutable; any thread.
 */
final class PageToken {
    /** In the query of the link. */
    private static final String QUERY = "token=";
    private static final String BEARER = "Bearer ";
    private static final String COOKIE_HASH = "HmacSHA256";
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
    /** Makes cookies of addresses. */
    private final SecretKeySpec cookieKey;
    private final byte[] expected;
    /** Browsers do not tell ports of a host apart: the name has it. */
    private final String cookie;

    PageToken(int port) {
        text = HexFormat.of().formatHex(random());
        cookieKey = new SecretKeySpec(random(), COOKIE_HASH);
        expected = text.getBytes(StandardCharsets.US_ASCII);
        cookie = "ftrma-" + port + "=";
    }

    private static byte[] random() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return random;
    }

    /** What follows the address in the link. */
    String query() {
        return "?" + QUERY + text;
    }

    /**
     * The value of the header that makes a browser keep a cookie, for the folder that it sees the page in: a portal's
     * other pages do not get it.
     */
    String setCookie(PageAddress address) {
        return cookie + cookieFor(address) + "; HttpOnly; SameSite=Strict"
            + (address.scheme().equals("https") ? "; Secure" : "");
    }

    private String cookieFor(PageAddress address) {
        try {
            Mac mac = Mac.getInstance(COOKIE_HASH);
            mac.init(cookieKey);
            return HexFormat.of().formatHex(mac.doFinal(address.host().getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + COOKIE_HASH, e);
        }
    }

    private static boolean isRight(String given, byte[] expected) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected);
    }

    /**
     * How a request shows it.
     *
     * @param query of its address; null: none
     * @param address where it was sent to
     */
    Proof of(Headers headers, String query, PageAddress address) {
        String authorization = headers.getFirst("Authorization");
        if (authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            && isRight(authorization.substring(BEARER.length()).strip(), expected)) {
            return Proof.BEARER;
        }
        for (String part : query == null ? new String[0] : query.split("&")) {
            if (part.startsWith(QUERY) && isRight(part.substring(QUERY.length()), expected)) {
                return Proof.LINK;
            }
        }
        for (String line : headers.getOrDefault("Cookie", List.of())) {
            for (String part : line.split(";")) {
                String one = part.strip();
                if (one.startsWith(cookie) && isRight(one.substring(cookie.length()), cookieFor(address)
                    .getBytes(StandardCharsets.US_ASCII))) {
                    return Proof.COOKIE;
                }
            }
        }
        return Proof.NONE;
    }
}
