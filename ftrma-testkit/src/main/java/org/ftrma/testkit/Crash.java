package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;

/**
 * One injected failure, written as {@code m1@37b}: member 1 dies before the effect of its 37th crash point (every
 * access, control frame and copy is one; they count on over a member's incarnations). {@code a} instead of {@code b}:
 * after the effect, before the call returns. {@code h}: it hangs there until it is killed. {@code w}: it hangs there,
 * goes on when it is taken for lost, and is dead a little later. {@code m1@37s}: it dies before the 37th plain store of
 * the protocol. {@code m1@2i}: it dies when its second demand checkpoint counts. {@code p4@2b}: process 4, by its own
 * points, whatever it plays. {@code m1#900}: member 1 dies when the simulation reaches its 900th step, wherever it is
 * then.
 *
 * <p>{@code h1#900}: host 1 goes down at that step, with all that runs there. A letter after it is for what else may
 * befall a host: {@code z}, it stands still until it is taken for lost, and goes on then; {@code q}, it goes on before
 * that. {@code x}, it is cut off from all others and the coordinator, until after it is taken for lost; {@code y}, for
 * less than that; {@code i}, nothing reaches it; {@code o}, nothing leaves it.
 *
 * @param ofMember whether {@code number} is a member, else a process or a host
 * @param number which one
 * @param index the point's number, from 1, or the step
 * @param how what happens there
 */
public record Crash(boolean ofMember, int number, long index, How how) {
    /** What happens at the point. */
    public enum How {
        /** Death before the effect. */
        BEFORE('b'),
        /** Death after the effect. */
        AFTER('a'),
        /** The process hangs before the effect. */
        HANG('h'),
        /** The process hangs before the effect, goes on when it is taken for lost, and is dead a little later. */
        WAKE('w'),
        /** Death at a step of the simulation. */
        AT_STEP('#'),
        /**
         * Death before a plain store of the protocol; {@code index} counts those of the member. Only where
         * {@link StoreLoader} loaded the protocol.
         */
        STORE('s'),
        /** Death when a demand checkpoint counts; {@code index} counts those of the member. */
        IMAGE('i'),
        /** A host goes down. */
        HOST_DOWN('d'),
        /** A host stands still, is taken for lost, and goes on for a little while. */
        HOST_STANDS('z'),
        /** A host stands still for less than it takes to be taken for lost. */
        HOST_STUMBLES('q'),
        /** A host is cut off in both directions until after it is taken for lost. */
        HOST_CUT('x'),
        /** A host is cut off in both directions for less than that. */
        HOST_CUT_SHORTLY('y'),
        /** Nothing reaches a host any more, until after it is lost. */
        HOST_DEAF('i'),
        /** Nothing leaves a host any more, until after it is taken for lost. */
        HOST_MUTE('o');

        private final char letter;

        How(char letter) {
            this.letter = letter;
        }

        /** Whether it is a fault of a whole host. */
        public boolean isOfHost() {
            return ordinal() >= HOST_DOWN.ordinal();
        }

        private static How ofHost(String letter) {
            return letter.isEmpty() ? HOST_DOWN : Arrays.stream(values())
                .filter(how -> how.isOfHost() && how.letter == letter.charAt(0)).findFirst().orElseThrow();
        }
    }

    private static final Pattern FORM =
        Pattern.compile("([mp])([0-9]{1,4})(?:@([0-9]{1,12})([bahwsi])|#([0-9]{1,12}))");
    private static final Pattern OF_HOST = Pattern.compile("h([0-9]{1,2})#([0-9]{1,12})([zqxyio]?)");

    /** Whether it is before this plain store of a member, counted from 1. */
    boolean isAtStore(int member, long store) {
        return how == How.STORE && ofMember && number == member && index == store;
    }

    /** Whether it is at the crash point where a process is now, on this side of the effect. */
    boolean isAtPointOf(SimProcess process, boolean after) {
        boolean here = ofMember ? number == process.member && index == process.memberPoint
            : number == process.id && index == process.points;
        return here && how.ordinal() < How.AT_STEP.ordinal() && after == (how == How.AFTER);
    }

    /** Parses a list such as {@code m1@37b,m3@12a}; empty text is no crash. */
    public static List<Crash> parse(String text) {
        List<Crash> crashes = new ArrayList<>();
        for (String one : text.trim().isEmpty() ? new String[0] : text.split(",")) {
            Matcher ofHost = OF_HOST.matcher(one.trim().toLowerCase(Locale.ROOT));
            if (ofHost.matches()) {
                crashes.add(new Crash(false, Integer.parseInt(ofHost.group(1)), Long.parseLong(ofHost.group(2)),
                    How.ofHost(ofHost.group(3))));
                continue;
            }
            Matcher matcher = FORM.matcher(one.trim().toLowerCase(Locale.ROOT));
            if (!matcher.matches() || one.trim().matches("[^m].*[si]")) {
                throw new MisuseException("crash=" + one
                    + ": not of the form m1@37b (b, a, h, w, s or i), p4@2b, m1#900 or h1#900 (then z, q, x, y, i, o "
                    + "or nothing)");
            }
            boolean ofMember = matcher.group(1).equals("m");
            int number = Integer.parseInt(matcher.group(2));
            if (matcher.group(5) != null) {
                crashes.add(new Crash(ofMember, number, Long.parseLong(matcher.group(5)), How.AT_STEP));
            } else {
                How how = switch (matcher.group(4)) {
                    case "b" -> How.BEFORE;
                    case "a" -> How.AFTER;
                    case "h" -> How.HANG;
                    case "s" -> How.STORE;
                    case "i" -> How.IMAGE;
                    default -> How.WAKE;
                };
                crashes.add(new Crash(ofMember, number, Long.parseLong(matcher.group(3)), how));
            }
        }
        return crashes;
    }

    /** The list as {@link #parse} takes it. */
    public static String format(List<Crash> crashes) {
        StringBuilder text = new StringBuilder();
        for (Crash crash : crashes) {
            text.append(text.isEmpty() ? "" : ",").append(crash);
        }
        return text.toString();
    }

    @Override
    public String toString() {
        if (how.isOfHost()) {
            return "h" + number + "#" + index + (how == How.HOST_DOWN ? "" : how.letter);
        }
        String who = (ofMember ? "m" : "p") + number;
        return how == How.AT_STEP ? who + "#" + index : who + "@" + index + how.letter;
    }
}
