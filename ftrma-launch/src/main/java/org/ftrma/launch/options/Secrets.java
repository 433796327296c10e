package org.ftrma.launch.options;

import java.util.regex.Pattern;

/** Keeps what looks like a secret out of what is printed. Any thread. */
public final class Secrets {
    private static final Pattern NAMED = Pattern.compile(
        "(?i)([\\w.-]*(?:passw|passphrase|pwd|secret|token|credential|api-?key|private-?key)[\\w.-]*[=:])\\S+");
    private static final Pattern IN_ADDRESS = Pattern.compile("(://[^/\\s:@]*:)[^/\\s@]+@");

    private Secrets() {
    }

    /** The same text with stars in place of a value whose name says that it is secret, or of an address's password. */
    public static String hidden(String text) {
        return IN_ADDRESS.matcher(NAMED.matcher(text).replaceAll("$1***")).replaceAll("$1***@");
    }
}
