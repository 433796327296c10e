package org.ftrma.rma.logging;

import org.ftrma.PeerLostException;
import org.ftrma.core.session.ControlRegions;
import org.ftrma.core.session.PeerAwayException;
import org.ftrma.core.session.PeerTable;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.LogImage;
import org.ftrma.rma.replay.Replay;

/**
 * Agreement of a replacement with the others on the ends of its logs at them: it goes on with those that its
 * predecessor had there. Those of others are closed again: who accesses them is known to have asked for their keys.
 * Data thread only.
 */
final class LogAgreement {
    private final ControlRegions controls;
    private final PeerTable peers;
    private final RecoveringRanks away;
    private final LogRegions regions;
    private final ExpiringContacts contacts;
    private final int member;

    LogAgreement(ControlRegions controls, PeerTable peers, RecoveringRanks away, LogRegions regions,
        ExpiringContacts contacts, int member) {
        this.controls = controls;
        this.peers = peers;
        this.away = away;
        this.regions = regions;
        this.contacts = contacts;
        this.member = member;
    }

    /** Tries that; false if it is to be done again, since a rank was lost meanwhile. */
    boolean isReached(AccessLog log, LogImage image, Replay recovery) {
        try {
            controls.openAll();
            regions.fetchKeys();
            recovery.begin(image.marks(), image.recoveriesOver());
            regions.forgetKeys();
            long[] closedEpochs = recovery.closedEpochs();
            for (int rank = 0; rank < closedEpochs.length; rank++) {
                if (rank != member && !away.has(rank)) {
                    log.lostPeers().inherit(rank);
                    if (!log.lostPeers().resume(rank, closedEpochs[rank])) {
                        regions.lost(rank);
                    } else {
                        contacts.resumed(log, rank);
                    }
                }
            }
            return true;
        } catch (PeerAwayException e) {
            return false;
        } catch (PeerLostException e) {
            peers.requireAway(e);
            return false;
        }
    }
}
