package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ftrma.launch.programs.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real job with kills, watched in a browser: what its page shows is what the job's result says. The picture of the
 * page is written to target/page.png, and to the file that the property {@code ftrma.page.picture} names.
 */
@Timeout(150)
class PageInBrowserTest {
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 1500;
    private static final int MOST_PICTURE_BYTES = 300_000;
    private static final int TAB = 9;
    private static final int ENTER = 13;

    private static String link(LauncherProcess launcher) {
        launcher.awaitLine("the job's page is http://127.0.0.1:");
        return launcher.lines().stream().filter(line -> line.contains("the job's page is ")).findFirst().orElseThrow()
            .split("the job's page is ")[1];
    }

    private static Map<String, Object> result(LauncherProcess launcher) throws IOException {
        launcher.awaitLine("{\"app\":");
        return JSON.std.mapFrom(launcher.lines().stream().filter(line -> line.startsWith("{\"app\":")).findFirst()
            .orElseThrow());
    }

    private static String text(Browser browser, String id) {
        return (String) browser.evaluate("document.getElementById('" + id + "').textContent");
    }

    /** Which states of members the page has shown, from now on. */
    private static void watchStates(Browser browser) {
        browser.evaluate("""
            window.seen = new Set();
            new MutationObserver(() => document.querySelectorAll('[data-member][data-state]').forEach(node =>
              window.seen.add(node.dataset.member + ' ' + node.dataset.state + ' '
                + node.querySelector('.word').textContent.split(' ')[0]))).observe(document,
                {subtree: true, childList: true});
            true""");
    }

    @Test
    void aJobWithKillsIsSeenAsItsResultTellsIt(@TempDir Path directory) throws IOException {
        assumeTrue(Browser.isThere(), "no chromium is found; install: apt-get install -y chromium");
        // Not far from here: the page shows the command line.
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "page-");
        try (Browser browser = new Browser(directory, WIDTH, HEIGHT);
             LauncherProcess launcher = new LauncherProcess("run", "--ranks", "3", "--checksums", "1", "--spares", "1",
                 "--protocol", "full", "--interval", "0.4s", "--chaos", "2", "--seed", "5", "--web", "0", "--json",
                 "--job-dir", folder.toString(), "--", Gate.class.getName(), "240", folder.resolve("open").toString(),
                 "12", "hold")) {
            browser.open(link(launcher));
            browser.await("the job", "document.getElementById('outcome-text')?.textContent === 'running'");
            assertEquals("/", browser.evaluate("location.pathname + location.search"));
            watchStates(browser);
            browser.await("the first step", "parseInt(document.getElementById('steps').textContent) > 0");
            askByKeyboard(browser);
            browser.await("charts", "document.querySelectorAll('.chart canvas').length === 3");
            browser.await("the second loss",
                "document.querySelectorAll('#recovery-rows tr[data-member]').length === 2");
            picture(browser); // most times of the loss as it happens: the page has told it a moment ago
            browser.await("two recoveries", "[...document.querySelectorAll('#recovery-rows tr')].filter(row => "
                + "row.dataset.how).length === 2");
            browser.await("all to run again", "document.querySelectorAll('[data-state=RUNNING]').length === 4");
            narrowAndDark(browser);
            Files.createFile(folder.resolve("open"));
            Map<String, Object> result = result(launcher);
            assertEquals(0, launcher.awaitExit());
            compare(browser, result);
            assertEquals(List.of(), browser.complaints());
        }
    }

    /** The button is reached and pressed by keys alone. */
    private static void askByKeyboard(Browser browser) {
        for (int i = 0; !"checkpoint".equals(browser.evaluate("document.activeElement.id")); i++) {
            assertTrue(i < 10, "the button is not reached by the tabulator");
            browser.press("Tab", TAB);
        }
        assertTrue(!"none".equals(browser.evaluate("getComputedStyle(document.activeElement).outlineStyle")));
        browser.press("Enter", ENTER);
        browser.await("a checkpoint", "/^generation [0-9]+, of step [0-9]+, is committed$/.test("
            + "document.getElementById('checkpoint-answer').textContent)");
    }

    private static void picture(Browser browser) throws IOException {
        byte[] picture = browser.picture();
        assertTrue(picture.length < MOST_PICTURE_BYTES, "the picture has " + picture.length + " bytes");
        Files.write(Path.of("target", "page.png"), picture);
        String also = System.getProperty("ftrma.page.picture");
        if (also != null) {
            Files.write(Path.of(also), picture);
        }
    }

    private static void narrowAndDark(Browser browser) throws IOException {
        String ground = "getComputedStyle(document.body).backgroundColor";
        Object light = browser.evaluate(ground);
        browser.call("Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", "prefers-color-scheme",
            "value", "dark"))));
        assertTrue(!light.equals(browser.evaluate(ground)), "it is as light as before: " + light);
        browser.call("Emulation.setDeviceMetricsOverride", Map.of("width", 360, "height", 2600, "deviceScaleFactor", 1,
            "mobile", false));
        browser.await("all of it in the width", "document.documentElement.scrollWidth === 360");
        Files.write(Path.of("target", "page-narrow.png"), browser.picture());
    }

    private static void compare(Browser browser, Map<String, Object> result) {
        browser.await("the end", "document.body.dataset.ended === 'yes'");
        List<?> failures = (List<?>) result.get("failures");
        StringBuilder rows = new StringBuilder();
        for (Object one : failures.reversed()) {
            Map<?, ?> failure = (Map<?, ?>) one;
            // A checksum rank takes no steps: the result has that of rank 0.
            boolean isComputing = failure.get("role").equals("computing");
            rows.append(failure.get("rank")).append(' ').append(isComputing ? failure.get("step") : "").append(' ')
                .append(failure.get("how")).append('\n');
            String lost = failure.get("rank") + " LOST LOST";
            assertEquals(true, browser.evaluate("window.seen.has('" + lost + "')"), () -> "the page did not show "
                + lost + ", but " + browser.evaluate("[...window.seen].join(', ')"));
        }
        assertEquals(2, failures.size(), failures::toString);
        assertEquals(rows.toString(), browser.evaluate("[...document.querySelectorAll('#recovery-rows tr')].map(row => "
            + "`${row.dataset.member} ${row.dataset.step} ${row.dataset.how}\\n`).join('')"));
        assertEquals(result.get("iterations") + " of " + result.get("iterations"), text(browser, "steps"));
        assertEquals(List.of("2", "2", result.get("checkpoints").toString(), "number " + result.get("generation")
            + ", step " + result.get("generationStep"), "success"), List.of(text(browser, "losses"),
            text(browser, "recoveries"), text(browser, "checkpoints"), text(browser, "generation"),
            text(browser, "outcome-text")));
        assertEquals("The job has ended: success. This page keeps what was seen last.", text(browser, "connection"));
        assertEquals(true, browser.evaluate("document.getElementById('checkpoint').disabled"));
        assertEquals(4, browser.evaluate("document.querySelectorAll('#member-rows tr').length"));
    }
}
