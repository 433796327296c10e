package org.ftrma.core.coordinator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.options.JobOptions;
import org.ftrma.xor.Groups;

/** All members of a job, and which of them share a group. Coordinator's thread. */
final class MemberTable {
    private final List<Member> members = new ArrayList<>();
    private final int ranks;
    private final Groups groups;

    MemberTable(JobOptions options, Member.Listener listener) {
        ranks = options.ranks();
        groups = options.isProtected() ? JobGroups.of(options) : null;
        for (int i = 0; i < ranks + options.checksums(); i++) {
            members.add(new Member(i, name(i), listener));
        }
    }

    int size() {
        return members.size();
    }

    Member get(int member) {
        return members.get(member);
    }

    /** Those of these numbers. */
    List<Member> of(int[] numbers) {
        return IntStream.of(numbers).mapToObj(members::get).toList();
    }

    List<Member> all() {
        return members;
    }

    List<Member> computing() {
        return members.subList(0, ranks);
    }

    List<Member> checksums() {
        return members.subList(ranks, members.size());
    }

    /** The checksum ranks of that member's group. */
    List<Member> checksumsOf(Member member) {
        int group = groupOf(member.number);
        return checksums().stream().filter(checksum -> groupOf(checksum.number) == group).toList();
    }

    /** The member a process plays, or null. */
    Member byProcess(int process) {
        for (Member member : members) {
            if (member.process() == process) {
                return member;
            }
        }
        return null;
    }

    boolean isChecksum(Member member) {
        return member.number >= ranks;
    }

    int groupOf(int member) {
        return groups == null ? -1 : groups.groupOf(member);
    }

    /** Computing ranks in the largest group. */
    int largestGroup() {
        int[] sizes = new int[ranks];
        computing().stream().filter(member -> groupOf(member.number) >= 0)
            .forEach(member -> sizes[groupOf(member.number)]++);
        return java.util.Arrays.stream(sizes).max().orElse(0);
    }

    /** Members of a group that lack their part of the committed generation. */
    List<Integer> lostOf(int group) {
        List<Integer> lost = new ArrayList<>();
        for (Member member : members) {
            if (!member.holdsPart() && groupOf(member.number) == group) {
                lost.add(member.number);
            }
        }
        return lost;
    }

    /** Whether all members of a group hold their parts, and its event loggers all events. */
    boolean isWhole(int group) {
        return lostOf(group).isEmpty()
            && members.stream().allMatch(member -> member.unkept.isEmpty() || groupOf(member.number) != group);
    }

    /** Whether all parts of the job are lost. */
    boolean isNobodyLeft() {
        return members.stream().noneMatch(Member::holdsPart);
    }

    /** A checksum rank has taken another one's place: it has no events yet of the ranks of its group that go on. */
    void lacksEvents(Member keeper) {
        keeper.unkept.clear();
        computing().stream().filter(rank -> isMate(keeper, rank) && rank.holdsPart() && !rank.is(MemberState.FINISHED))
            .forEach(rank -> keeper.unkept.set(rank.number));
    }

    /** A rank's events are kept by a checksum rank. Returns whether it had lacked them. */
    boolean eventsKept(Member rank, int keeper) {
        if (keeper < ranks || keeper >= members.size() || !members.get(keeper).unkept.get(rank.number)) {
            return false;
        }
        members.get(keeper).unkept.clear(rank.number);
        return true;
    }

    /** A rank has finished, and needs no events any more. Returns whether a checksum rank had lacked them. */
    boolean needsNoEvents(Member rank) {
        return members.stream().filter(keeper -> eventsKept(rank, keeper.number)).count() > 0;
    }

    /**
     * Members of its group that lack their part of the committed generation, and ranks that are being recovered: what a
     * process that becomes the member is told.
     */
    long[] missing(Member of, BitSet recovering) {
        of.lacking.clear();
        members.stream().filter(other -> !other.holdsPart() && isMate(of, other))
            .forEach(other -> of.lacking.set(other.number));
        BitSet missing = (BitSet) recovering.clone();
        missing.or(of.lacking);
        missing.clear(of.number);
        return missing.stream().asLongStream().toArray();
    }

    /**
     * Whether some other member of its group, which makes its part anew, reads too few to go on without the lost one.
     */
    boolean leavesTooFew(Member lost, int losses) {
        return members.stream().filter(other -> makesItsPartAnewBeside(lost, other))
            .anyMatch(other -> other.lacking.cardinality() + (other.lacking.get(lost.number) ? 0 : 1) >= losses);
    }

    /**
     * Members of its group that make their parts anew do without the lost one from now on, and without what takes its
     * place.
     */
    void doWithout(Member lost) {
        members.stream().filter(other -> makesItsPartAnewBeside(lost, other))
            .forEach(other -> other.lacking.set(lost.number));
    }

    private boolean makesItsPartAnewBeside(Member lost, Member other) {
        return !other.holdsPart() && other.isPlayed() && isMate(lost, other);
    }

    /** Whether a member is another one of the same group. */
    boolean isMate(Member member, Member other) {
        return other != member && groups != null && groupOf(other.number) == groupOf(member.number);
    }

    boolean allHoldTheirParts() {
        return members.stream().allMatch(Member::holdsPart);
    }

    /** A new view begins: who has come to the present one is to leave it. */
    void leaveView() {
        for (Member member : members) {
            member.lacking.clear();
            member.unkept.clear();
            if (member.state().isInView()) {
                member.become(MemberState.LEAVING);
            }
        }
    }

    String name(int member) {
        return name(member, ranks);
    }

    static String name(int member, int ranks) {
        return member < ranks ? "rank " + member : "checksum rank " + (member - ranks);
    }

    String names(List<Integer> list) {
        StringBuilder text = new StringBuilder();
        for (int member : list) {
            text.append(text.isEmpty() ? "" : ", ").append(name(member));
        }
        return text.toString();
    }
}
