package org.ftrma.core.coordinator;

import org.ftrma.core.control.ControlMessage;

/** Steps at whose end members hold until they are let go: how a failure is put into one. Coordinator's thread. */
final class WatchedSteps {
    private final MemberTable members;
    private final Outbox out;

    WatchedSteps(MemberTable members, Outbox out) {
        this.members = members;
        this.out = out;
    }

    void watch(int member, long step) {
        Member watched = members.get(member);
        watched.watched.add(step);
        out.send(watched, new ControlMessage.Watch(step));
    }

    void release(int member, long step) {
        Member watched = members.get(member);
        watched.watched.remove(step);
        out.send(watched, new ControlMessage.Release(step));
    }

    /** A member holds there; it is let go where nobody watches that step any more. */
    void held(Member member, long step) {
        if (member.watched.contains(step)) {
            out.event(new JobEvent.StepHeld(member.number, step));
        } else {
            out.send(member, new ControlMessage.Release(step));
        }
    }
}
