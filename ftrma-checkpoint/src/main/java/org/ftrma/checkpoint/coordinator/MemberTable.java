package org.ftrma.checkpoint.coordinator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import org.ftrma.checkpoint.JobGroups;
import org.ftrma.checkpoint.control.Message;
import org.ftrma.options.JobOptions;
import org.ftrma.xor.Groups;

/** Who plays which member, and which members hold their part of the committed generation. Coordinator's thread. */
final class MemberTable {
    static final class Member {
        final int number;
        int process = -1;
        int incarnation = -1;
        /** Holds its image (or parity) of the committed generation, as far as the coordinator knows. */
        boolean intact = true;
        /** Holds its state in the present view: ready to run. */
        boolean restored;
        boolean finished;
        /** Has come to the present view; and if not: it was in the one before, and may still compute. */
        boolean entered;
        boolean leaving;
        /** Before all run: the exchange for which it waits, or null; and where in the program, if it was asked. */
        Message.Exchange exchange;
        String place = "";
        /** Was lost, and nobody was told yet that it is back. */
        boolean away;
        /** It is being killed, since it is taken for lost. */
        boolean fenced;
        /** Since when it has been rebuilding what it lost, once that was seen; else 0. */
        long rebuildingSince;
        long lastStep;
        /** How long its steps take, as it said last. */
        long stepNanos;
        final TreeSet<Long> watched = new TreeSet<>();
        /** While it makes its part anew in a running view: the members of its group that it does not read, for they are lost, or were. */
        final BitSet lacking = new BitSet();

        Member(int number) {
            this.number = number;
        }

        /** Its process is gone, and what that held. */
        void lost() {
            process = -1;
            intact = false;
            restored = false;
            finished = false;
            entered = false;
            leaving = false;
            away = true;
        }
    }

    private final List<Member> members = new ArrayList<>();
    private final int ranks;
    private final Groups groups;

    MemberTable(JobOptions options) {
        ranks = options.ranks();
        groups = options.isProtected() ? JobGroups.of(options) : null;
        for (int i = 0; i < ranks + options.checksums(); i++) {
            members.add(new Member(i));
        }
    }

    int size() {
        return members.size();
    }

    Member get(int member) {
        return members.get(member);
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
            if (member.process == process) {
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
        computing().stream().filter(member -> groupOf(member.number) >= 0).forEach(member -> sizes[groupOf(member.number)]++);
        return java.util.Arrays.stream(sizes).max().orElse(0);
    }

    List<Integer> lostOf(int group) {
        List<Integer> lost = new ArrayList<>();
        for (Member member : members) {
            if (!member.intact && groupOf(member.number) == group) {
                lost.add(member.number);
            }
        }
        return lost;
    }

    /** Members of its group that do not hold their part of the committed generation: what a process that becomes the member is told. */
    long[] missing(Member of) {
        of.lacking.clear();
        members.stream().filter(other -> !other.intact && isMate(of, other)).forEach(other -> of.lacking.set(other.number));
        return of.lacking.stream().asLongStream().toArray();
    }

    /** A member is lost: whether some other one of its group, which makes its part anew, reads too few to go on with that. */
    boolean leavesTooFew(Member lost, int losses) {
        boolean tooFew = false;
        for (Member other : members) {
            if (!other.intact && other.process >= 0 && isMate(lost, other)) {
                other.lacking.set(lost.number);
                tooFew |= other.lacking.cardinality() >= losses;
            }
        }
        return tooFew;
    }

    /** Whether a member is another one of the same group. */
    boolean isMate(Member member, Member other) {
        return other != member && groups != null && groupOf(other.number) == groupOf(member.number);
    }

    boolean allIntact() {
        return members.stream().allMatch(member -> member.intact);
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
