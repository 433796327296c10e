package org.ftrma.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.ftrma.FtrmaException;
import org.ftrma.checkpoint.control.Blob;
import org.ftrma.checkpoint.control.Message;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.xor.Groups;

/**
 * A checksum rank: holds the parity of its group's images in two slots. It reads the images one-sidedly while the program runs on. Data thread only.
 */
final class ChecksumRank implements GroupImages.Destination {
    private final Session session;
    private final List<Integer> guarded;
    private ImageLayout layout;
    private MemoryRegion parity;
    /** What was prepared before the layout was known for certain. */
    private MemoryRegion prepared;
    private int targetSlot;
    /** What each slot holds for certain: its committed generation, else 0. */
    private final long[] certain = {0, 0};
    private final long[] encoded = {0, 0};
    /** A rank was replaced: its regions are others now. */
    private boolean stale;
    /** With protocol ml: where the ranks of the group log. */
    private List<MemoryRegion> messageLogs = List.of();

    ChecksumRank(Session session) {
        this.session = session;
        Groups groups = JobGroups.of(session.options);
        session.inbox.listen(new PeerEvents() {
            @Override
            public void lost(int member, int recovery) {
                session.peerLost(member);
                session.inbox.forgetEncode();
                stale = true;
            }

            @Override
            public void opened(int member) {
                session.peerOpened(member);
            }

            @Override
            public void committed(long generation) {
                noteCommitted(generation);
            }

            @Override
            public void provision(long parityBytes) {
                if (parity == null && prepared == null && parityBytes > 0) {
                    prepared = session.fabric.expose(parityBytes);
                }
            }
        });
        this.guarded = IntStream.of(groups.ranksOf(groups.groupOf(session.member))).boxed().toList();
    }

    /** Serves one view; ends by Unwind when it changes, or returns when the job is over. */
    void serveView() {
        stale = false;
        byte[][] layouts = session.exchange(Message.Scope.ALL, new byte[0]);
        ImageLayout told = ImageLayout.decode(layouts[guarded.get(0)]);
        if (parity == null) {
            layout = told;
            parity = takePrepared(layout.parityRegionBytes());
        } else if (!layout.sameAs(told)) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "the image layout changed from " + layout.imageBytes() + " to "
                + told.imageBytes() + " bytes");
        }
        byte[][] keys = session.exchange(Message.Scope.ALL, Blob.pack(List.of(parity.key())));
        if (session.options.isMessageLogged()) {
            messageLogs = MessageLogging.expose(session, guarded, messageLogs);
        }
        try (Arena arena = Arena.ofConfined()) {
            GroupImages images = open(keys, arena);
            long generation = session.inbox.generation();
            noteCommitted(generation);
            if (generation > 0 && certain[ImageLayout.slot(generation)] != generation) {
                combine(images, generation);
                noteCommitted(generation);
            }
            session.inbox.send(new Message.Restored(session.inbox.view()));
            serve(images, keys, arena);
        }
    }

    private MemoryRegion takePrepared(long bytes) {
        MemoryRegion region = prepared;
        prepared = null;
        if (region != null && region.segment().byteSize() == bytes) {
            return region;
        }
        if (region != null) {
            region.close();
        }
        return session.fabric.expose(bytes);
    }

    private GroupImages open(byte[][] keys, Arena arena) {
        return new GroupImages(session, layout, guarded, keys, -1, arena);
    }

    private void serve(GroupImages first, byte[][] keys, Arena arena) {
        GroupImages images = first;
        while (true) {
            session.inbox.receive();
            if (session.inbox.ended()) {
                return;
            }
            session.inbox.drain();
            noteCommitted(session.inbox.generation());
            Message.Encode next = session.inbox.pollEncode();
            if (next != null) {
                int known = session.losses();
                try {
                    if (stale) {
                        stale = false;
                        images = open(keys, arena);
                    }
                    combine(images, next.generation());
                } catch (FtrmaException e) {
                    // With the loss of a rank this generation was given up, and the rank's images may be gone. A rank that fails may be gone before
                    // the coordinator can say so.
                    if (session.losses() == known) {
                        throw session.awaitNewView(e);
                    }
                }
                if (session.losses() == known) {
                    session.inbox.send(new Message.ParityReady(session.inbox.view(), next.step(), next.generation()));
                } else {
                    encoded[ImageLayout.slot(next.generation())] = 0;
                }
            } else {
                session.clock.relax(session.fabric.progress() > 0 ? 0 : Waiter.ASLEEP);
            }
        }
    }

    private void combine(GroupImages images, long generation) {
        int slot = ImageLayout.slot(generation);
        long base = certain[slot];
        certain[slot] = 0;
        encoded[slot] = 0;
        targetSlot = slot;
        images.combine(generation, base, this);
        encoded[slot] = generation;
    }

    private void noteCommitted(long generation) {
        int slot = ImageLayout.slot(generation);
        if (generation > 0 && encoded[slot] == generation) {
            certain[slot] = generation;
        }
    }

    @Override
    public MemorySegment copied() {
        return parity.segment();
    }

    @Override
    public long copiedOffset() {
        return layout.parityOffset(targetSlot);
    }

    @Override
    public MemorySegment rotating(int j) {
        return parity.segment();
    }

    @Override
    public long rotatingOffset(int j) {
        return layout.parityOffset(targetSlot) + layout.rotatingStart(j);
    }
}
