package org.ftrma.core.parity;

import java.util.List;
import java.util.concurrent.Executor;
import org.ftrma.FtrmaException;
import org.ftrma.core.control.Blob;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Session;
import org.ftrma.spi.RemoteMemory;

/** The members of a group in the present view. Data thread only. */
public final class GroupMembers implements GroupImages.Members {
    private final Session session;
    private final Contributions keys;

    /**
     * Those that this member shares a group with.
     *
     * @param keys by member: of a computing rank the key of its image region, then of its rotating regions; of a
     *     checksum rank that of its parity
     */
    public GroupMembers(Session session, Contributions keys) {
        this.session = session;
        this.keys = keys;
    }

    @Override
    public int self() {
        return session.member;
    }

    @Override
    public int ranks() {
        return session.ranks;
    }

    @Override
    public List<RemoteMemory> open(int member, int rotating) {
        return session.attachAll(member, () -> Blob.unpack(keys.of(member), 1 + rotating));
    }

    @Override
    public boolean isMissing(int member) {
        return session.isMissing(member);
    }

    @Override
    public int losses() {
        return session.losses();
    }

    @Override
    public boolean goesOnAfter(FtrmaException failure, int known) {
        return session.goesOnAfter(failure, known);
    }

    @Override
    public void quiesce() {
        session.survivor.quiesce();
    }

    @Override
    public void flush(int member) {
        session.fabric.flush(member);
    }

    @Override
    public Executor helper() {
        return session.fabric.helper();
    }

    @Override
    public void goOn() {
        session.fabric.progress();
        session.inbox.drain();
        if (session.inbox.encodes().isPresentGivenUp()) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "the parity that was to be made is not wanted any more");
        }
    }
}
