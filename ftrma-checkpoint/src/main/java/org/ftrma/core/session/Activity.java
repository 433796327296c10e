package org.ftrma.core.session;

import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.spi.ControlPlane;

/**
 * Tells the coordinator what this computing rank does, also while its program computes. Any thread, but for
 * {@link #step}: a look from outside sees how things stood a moment ago.
 */
public final class Activity {
    private static final int MOST_CALLS = 40;
    private static final int LONGEST_WHAT = 500;
    /** What enters the program: the calls before say nothing. */
    private static final String ENTRANCE = ".runtime.RankProcess";

    private final ControlPlane control;
    private final Waiter waiter;
    private final Thread program;
    private volatile long step;

    Activity(ControlPlane control, Waiter waiter, Thread program) {
        this.control = control;
        this.waiter = waiter;
        this.program = program;
    }

    /** The program is in that step. */
    public void step(long number) {
        step = number;
    }

    /** The answer to a frame that asks for it; null where it asks for something else. */
    byte[] answer(byte[] frame) {
        if (!MessageCodec.isOf(frame, ControlMessage.AskDoing.class)) {
            return null;
        }
        try {
            return MessageCodec.encode(answer((ControlMessage.AskDoing) MessageCodec.decode(frame)));
        } catch (MessageCodec.MalformedException e) {
            return null; // the data thread finds the same, and can say so
        }
    }

    ControlMessage.Doing answer(ControlMessage.AskDoing question) {
        return new ControlMessage.Doing(question.view(), step, control.idleNanos(), waiter.waits(), what(), stack());
    }

    private String what() {
        try {
            String what = waiter.what();
            return what.length() > LONGEST_WHAT ? what.substring(0, LONGEST_WHAT) : what;
        } catch (RuntimeException e) {
            return ""; // what it would describe has just changed
        }
    }

    private String stack() {
        StringBuilder text = new StringBuilder();
        int calls = 0;
        for (StackTraceElement call : program.getStackTrace()) {
            if (call.getClassName().endsWith(ENTRANCE) || ++calls > MOST_CALLS) {
                break;
            }
            text.append(call).append('\n');
        }
        return text.toString();
    }
}
