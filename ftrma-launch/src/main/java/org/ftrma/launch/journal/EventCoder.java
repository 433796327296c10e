package org.ftrma.launch.journal;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.ftrma.core.coordinator.JobEvent;

/** Writes what the coordinator tells as events of a log. The job's thread only. */
final class EventCoder {
    private static final int FIGURES = EventKind.REPLAYED.numbers().size() - 3;

    private final EventWriter writer;
    private final IntFunction<String> hostOf;

    /** @param hostOf the host of a process */
    EventCoder(EventWriter writer, IntFunction<String> hostOf) {
        this.writer = writer;
        this.hostOf = hostOf;
    }

    /** One event; steps that begin are none. */
    void write(JobEvent event, long micros) throws IOException {
        switch (event) {
            case JobEvent.Assigned one -> writer.write(EventKind.ASSIGNED, micros, hostOf.apply(one.process()),
                one.member(), one.process(), one.incarnation());
            case JobEvent.Running one -> writer.write(EventKind.RUNNING, micros, "", one.view(), one.fromStep());
            case JobEvent.MemberChanged one -> writer.write(EventKind.MEMBER, micros, one.from() + " " + one.to(),
                one.member(), one.view(), one.incarnation());
            case JobEvent.MemberLost one -> writer.write(EventKind.LOST, micros, one.cause(), one.member(), one.view(),
                one.incarnation(), one.step());
            case JobEvent.FellBack one -> writer.write(EventKind.FALLBACK, micros,
                one.reason().name() + ": " + one.text(), one.member());
            case JobEvent.RecoveryBegun one -> writer.write(EventKind.RECOVERY, micros, "", one.view(),
                one.rolledBack() ? 1 : 0, one.generation(), one.toStep());
            case JobEvent.Replayed one -> replayed(one, micros);
            case JobEvent.Recovered one -> writer.write(EventKind.RECOVERED, micros, one.how(), one.member(),
                one.incarnation());
            case JobEvent.RedundancyChanged one -> writer.write(EventKind.REDUNDANCY, micros, "", one.group(),
                one.whole() ? 1 : 0);
            case JobEvent.MembersMoving one -> writer.write(EventKind.MOVING, micros, names(one.members()),
                one.view(), one.generation(), one.step());
            case JobEvent.MembersMoved one -> writer.write(EventKind.MOVED, micros, names(one.members()), one.view());
            case JobEvent.HostJoined one -> writer.write(EventKind.HOST_JOINED, micros, one.host(), one.slots());
            case JobEvent.HostLost one -> writer.write(EventKind.HOST_LOST, micros, one.host() + ": " + one.why());
            case JobEvent.HostDrained one -> writer.write(EventKind.HOST_DRAINED, micros, one.host() + ": "
                + one.why());
            case JobEvent.Redistributed one -> writer.write(EventKind.NOTE, micros, one.text());
            case JobEvent.Note one -> writer.write(EventKind.NOTE, micros, one.text());
            default -> checkpoint(event, micros);
        }
    }

    private void checkpoint(JobEvent event, long micros) throws IOException {
        switch (event) {
            case JobEvent.Committed one -> writer.write(EventKind.CUT, micros, "", one.generation(), one.step(),
                one.blockedNanos(), one.parityNanos());
            case JobEvent.CutServed one -> writer.write(EventKind.CUT_SERVED, micros, "", one.request(),
                one.generation(), one.step());
            case JobEvent.Abandoned one -> writer.write(EventKind.CUT_ABANDONED, micros, one.reason(),
                one.generation(), one.times(), one.waitedNanos());
            case JobEvent.DemandCommitted one -> writer.write(EventKind.DEMAND, micros, "", one.member(), one.number(),
                one.parity(), one.bytes());
            case JobEvent.DemandAbandoned one -> writer.write(EventKind.DEMAND_ABANDONED, micros, one.reason(),
                one.member());
            case JobEvent.MemoryPlanned one -> writer.write(EventKind.MEMORY, micros, one.table());
            case JobEvent.Restarted one -> writer.write(EventKind.RESTARTED, micros, one.place(), one.generation(),
                one.step());
            case JobEvent.Flushed one -> writer.write(EventKind.FLUSHED, micros, one.name(), one.generation(),
                one.step(), one.bytes(), one.nanos());
            case JobEvent.FlushSkipped one -> writer.write(EventKind.FLUSH_SKIPPED, micros, one.reason(),
                one.generation());
            case JobEvent.FlushFailed one -> writer.write(EventKind.FLUSH_FAILED, micros, one.reason(),
                one.generation());
            default -> {
                // a step of a member begins, or is held: that is told now and then, for all
            }
        }
    }

    private void replayed(JobEvent.Replayed one, long micros) throws IOException {
        long[] numbers = new long[3 + FIGURES];
        numbers[0] = one.member();
        numbers[1] = one.incarnation();
        numbers[2] = one.step();
        long[] figures = Arrays.copyOf(one.figures(), FIGURES);
        System.arraycopy(figures, 0, numbers, 3, FIGURES);
        writer.write(EventKind.REPLAYED, micros, "", numbers);
    }

    private static String names(List<Integer> members) {
        return members.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
