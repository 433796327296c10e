package org.ftrma.launch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who asks for a page, from where, and in which format. */
class PageAddressTest {
    private static Headers headers(String... namesAndValues) {
        Headers headers = new Headers();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return headers;
    }

    private static PageAddress address(String... namesAndValues) {
        return PageAddress.of(headers(namesAndValues));
    }

    @Test
    void aNameThatIsNotOfThisMachineIsNoneUnlessAPortalPassesOn() {
        for (String host : List.of("127.0.0.1:80", "localhost:1", "LOCALHOST", "[::1]:7", "127.1.2.3")) {
            assertTrue(address("Host", host).isKnown(), host);
        }
        for (String host : List.of("evil.example:80", "127.evil.example", "localhost.evil.example", "", "x")) {
            assertFalse(address("Host", host).isKnown(), host);
        }
        assertFalse(address().isKnown());
        assertTrue(address("Host", "portal.example", "X-Forwarded-For", "10.0.0.1").isKnown());
    }

    @Test
    void theOriginIsThatOfTheBrowserAlsoBehindAPortal() {
        PageAddress direct = address("Host", "127.0.0.1:8080");
        assertTrue(direct.isOrigin("http://127.0.0.1:8080", null));
        PageAddress passed = address("Host", "127.0.0.1:8080", "X-Forwarded-Host", "portal.example, inner",
            "X-Forwarded-Proto", "https");
        assertTrue(passed.isOrigin("https://portal.example", null));
        assertTrue(address("Host", "portal.example:443", "X-Forwarded-For", "x").isOrigin("https://portal.example",
            null));
        assertTrue(address("Host", "127.0.0.1:8080", "X-Forwarded-For", "x").isOrigin("https://portal.example",
            "same-origin"), "a portal that does not tell its name, and a browser that does");
        for (String other : List.of("https://127.0.0.1:8080", "http://127.0.0.1:8081", "http://localhost:8080", "null",
            "http://evil.example", "")) {
            assertFalse(direct.isOrigin(other, null), other);
            assertFalse(direct.isOrigin(other, "same-site"), other);
        }
        for (String other : List.of("http://portal.example", "https://inner", "https://portal.example:444",
            "http://127.0.0.1:8080", "https://evil.example")) {
            assertFalse(passed.isOrigin(other, "cross-site"), other);
        }
    }

    @Test
    void aCookieIsRightWhereItWasGivenAndIsNotTheToken() {
        PageToken token = new PageToken(8080);
        String text = token.query().substring("?token=".length());
        PageAddress direct = address("Host", "127.0.0.1:8080");
        PageAddress portal = address("X-Forwarded-Host", "portal.example", "X-Forwarded-Proto", "https");
        String cookie = token.setCookie(direct);
        assertTrue(cookie.startsWith("ftrma-8080=") && cookie.endsWith("; HttpOnly; SameSite=Strict"), cookie);
        assertTrue(token.setCookie(portal).endsWith("; Secure"));
        assertFalse(cookie.contains(text) || cookie.contains("Path"), "the browser's folder: " + cookie);
        assertNotEquals(cookie, new PageToken(8080).setCookie(direct));
        Headers sent = headers("Cookie", cookie.split(";")[0]);
        assertEquals(PageToken.Proof.COOKIE, token.of(sent, null, direct));
        assertEquals(PageToken.Proof.NONE, token.of(sent, null, portal));
        assertEquals(PageToken.Proof.NONE, token.of(sent, null, address("Host", "evil.example:8080")));
        assertEquals(PageToken.Proof.NONE, token.of(headers("Cookie", "ftrma-8080=" + text), null, direct));
        assertEquals(PageToken.Proof.NONE, token.of(headers(), "token=" + cookie.substring(11, 75), direct));
    }

    @Test
    void metricsAreInTheFormatThatIsAskedFor() {
        assertFalse(OpenMetrics.isAsked(List.of()));
        assertFalse(OpenMetrics.isAsked(List.of("*/*")));
        assertFalse(OpenMetrics.isAsked(List.of("text/plain;version=0.0.4, application/openmetrics-text;q=0.5")));
        assertFalse(OpenMetrics.isAsked(List.of("application/openmetrics-text;q=0")));
        assertTrue(OpenMetrics.isAsked(List.of("application/openmetrics-text")));
        assertTrue(OpenMetrics.isAsked(List.of("application/openmetrics-text;version=1.0.0;q=0.5,"
            + "text/plain;version=0.0.4;q=0.3,*/*;q=0.1")), "Prometheus");
        OpenMetrics metrics = new OpenMetrics();
        metrics.family("a_seconds", OpenMetrics.Type.COUNTER, "seconds", "Says \"a\\b\"").seconds(1_500_000_000);
        metrics.family("b", OpenMetrics.Type.INFO, "", "What").sample(1, "c", "# \"d\"");
        assertEquals("""
            # TYPE a_seconds_total counter
            # HELP a_seconds_total Says "a\\\\b"
            a_seconds_total 1.5
            # TYPE b_info gauge
            # HELP b_info What
            b_info{c="# \\"d\\""} 1
            """, new String(OpenMetrics.plain(metrics.end().getBytes())));
    }
}
