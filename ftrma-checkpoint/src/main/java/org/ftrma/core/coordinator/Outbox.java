package org.ftrma.core.coordinator;

import java.util.List;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;

/** Sends the coordinator's messages to processes and members, and its events to its host. Coordinator's thread. */
final class Outbox {
    private static final int MAX_NOTE = 4096;

    private final CoordinatorHost host;

    Outbox(CoordinatorHost host) {
        this.host = host;
    }

    void event(JobEvent event) {
        host.event(event);
    }

    void note(String text) {
        host.event(new JobEvent.Note(text.length() > MAX_NOTE ? text.substring(0, MAX_NOTE) + "..." : text));
    }

    void send(int process, ControlMessage.ToMember message) {
        host.send(process, MessageCodec.encode(message));
    }

    /** Nothing is sent to a member that no process plays. */
    void send(Member member, ControlMessage.ToMember message) {
        if (member.isPlayed()) {
            send(member.process(), message);
        }
    }

    void send(List<Member> list, ControlMessage.ToMember message) {
        byte[] frame = MessageCodec.encode(message);
        list.stream().filter(Member::isPlayed).forEach(member -> host.send(member.process(), frame));
    }
}
