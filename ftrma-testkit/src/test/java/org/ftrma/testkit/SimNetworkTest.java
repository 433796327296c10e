package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;
import org.ftrma.testkit.programs.SimRandom;
import org.junit.jupiter.api.Test;

/**
 * The simulated network is as nasty as it says: each misfortune happens under some seed, and what is promised happens
 * under every seed.
 */
class SimNetworkTest {
    private static final int SEEDS = 400;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private enum Sight { NOTHING_YET, ALL, TORN, REORDERED, CHANGED_SOURCE, LANDED_AFTER_DEATH, LOST_WITH_DEATH, SILENT,
        ORPHANED, REPORTED, STUCK,
        LANDED_LATE, NEVER_LANDED }

    /** A few processes: 0 owns the memory, the others access it. */
    private static final class Rig {
        private final SimScheduler scheduler;
        private final SimNetwork network;
        private final SimProcess[] processes;
        private final SimFabric[] fabrics;
        private final Arena arena = Arena.ofAuto();
        private MemoryRegion region;
        private byte[] address;
        private byte[] key;
        private boolean silent;
        private boolean done;

        Rig(long seed, Part... parts) {
            processes = new SimProcess[parts.length];
            fabrics = new SimFabric[parts.length];
            SimRandom random = new SimRandom(seed);
            SimTraits traits = SimTraits.draw(random);
            scheduler = new SimScheduler(random, traits.burst(), 200_000);
            network = new SimNetwork(scheduler, random, traits, new SimMemory());
            scheduler.onDeath((process, cause) -> network.died(process));
            for (int i = 0; i < parts.length; i++) {
                int number = i;
                processes[i] = new SimProcess(scheduler, i, 4 << random.below(5), new Alive(), () -> {
                    fabrics[number] = network.open(processes[number], number);
                    fabrics[number].waitWith(new CheckpointDeadlines(number));
                    parts[number].run(this);
                });
                scheduler.add(processes[i]);
            }
            scheduler.run();
            for (SimProcess process : processes) {
                if (process.failure != null) {
                    throw new AssertionError("seed=" + seed, process.failure);
                }
            }
            assertEquals(List.of(), scheduler.violations());
        }

        void expose(long bytes) {
            region = fabrics[0].expose(bytes);
            address = fabrics[0].address();
            key = region.key();
        }

        /** Exposes memory and stays until the other is done. */
        void serve(long bytes) {
            expose(bytes);
            await(0, () -> processes[1].isOver());
        }

        RemoteMemory attach() {
            return attach(1);
        }

        RemoteMemory attach(int process) {
            await(process, () -> key != null);
            fabrics[process].connect(0, address);
            return fabrics[process].attach(0, key);
        }

        void await(int process, java.util.function.BooleanSupplier condition) {
            for (int turn = 0; !condition.getAsBoolean(); turn++) {
                assertTrue(turn < 10_000, "waited too long");
                processes[process].pause("test");
                processes[process].relax();
            }
        }

        long word(long index) {
            return region.segment().getAtIndex(LONG, index);
        }

        private final class CheckpointDeadlines implements Wait {
            private final int number;
            private long since;

            CheckpointDeadlines(int number) {
                this.number = number;
            }

            @Override
            public void begin(String what, int peer) {
                since = scheduler.now();
            }

            @Override
            public void turn() {
                if (scheduler.now() - since > 5_000_000_000L) {
                    throw new IllegalStateException("stuck");
                }
                processes[number].relax();
            }
        }
    }

    private interface Part {
        void run(Rig rig);
    }

    private static final class Alive implements SimProcess.Points {
        @Override
        public SimProcess.Fate before(SimProcess process) {
            return SimProcess.Fate.LIVE;
        }

        @Override
        public SimProcess.Fate after(SimProcess process) {
            return SimProcess.Fate.LIVE;
        }
    }

    private static void expect(Map<Sight, Integer> seen, Sight... wanted) {
        for (Sight sight : wanted) {
            assertTrue(seen.containsKey(sight), "never seen: " + sight + "; seen " + seen);
        }
    }

    private static void saw(Map<Sight, Integer> seen, Sight sight) {
        seen.merge(sight, 1, Integer::sum);
    }

    private static MemorySegment longs(Rig rig, int count, long value) {
        MemorySegment segment = rig.arena.allocate(8L * count, 8);
        for (int i = 0; i < count; i++) {
            segment.setAtIndex(LONG, i, value);
        }
        return segment;
    }

    @Test
    void putsThatAreNotFlushedLandLateTornAndReordered() {
        Map<Sight, Integer> seen = new EnumMap<>(Sight.class);
        for (long seed = 0; seed < SEEDS; seed++) {
            new Rig(seed, rig -> rig.serve(1024), rig -> {
                RemoteMemory memory = rig.attach();
                memory.put(longs(rig, 64, 7), 0, 0, 512);
                memory.put(longs(rig, 64, 9), 0, 512, 512);
                for (int look = 0; look < 6; look++) {
                    rig.processes[1].pause("look");
                    long landed = 0;
                    for (int i = 0; i < 64; i++) {
                        landed += rig.word(i) == 7 ? 1 : 0;
                    }
                    saw(seen, landed == 0 ? Sight.NOTHING_YET : landed == 64 ? Sight.ALL : Sight.TORN);
                    if (landed < 64 && rig.word(127) == 9) {
                        saw(seen, Sight.REORDERED);
                    }
                }
                rig.fabrics[1].flush(0);
                for (int i = 0; i < 128; i++) {
                    assertEquals(i < 64 ? 7 : 9, rig.word(i));
                }
            });
        }
        expect(seen, Sight.NOTHING_YET, Sight.ALL, Sight.TORN, Sight.REORDERED);
    }

    @Test
    void aSourceThatIsReusedTooEarlyShows() {
        Map<Sight, Integer> seen = new EnumMap<>(Sight.class);
        for (long seed = 0; seed < SEEDS; seed++) {
            new Rig(seed, rig -> rig.serve(512), rig -> {
                RemoteMemory memory = rig.attach();
                MemorySegment source = longs(rig, 1, 5);
                memory.put(source, 0, 0, 8);
                source.set(LONG, 0, 6);
                rig.fabrics[1].flush(0);
                saw(seen, rig.word(0) == 5 ? Sight.ALL : Sight.CHANGED_SOURCE);
                source.set(LONG, 0, 8);
                memory.put(source, 0, 8, 8);
                rig.fabrics[1].flushLocal(0);
                source.set(LONG, 0, 9);
                rig.fabrics[1].flush(0);
                assertEquals(8, rig.word(1));
            });
        }
        expect(seen, Sight.ALL, Sight.CHANGED_SOURCE);
    }

    @Test
    void transfersOfADeadSourceLandLateOrNeverButNotAfterTheTargetRenewed() {
        Map<Sight, Integer> seen = new EnumMap<>(Sight.class);
        for (long seed = 0; seed < SEEDS; seed++) {
            new Rig(seed, rig -> {
                rig.expose(512);
                rig.await(0, () -> rig.processes[1].isOver());
                long before = rig.word(0);
                for (int turn = 0; turn < 6; turn++) {
                    rig.processes[0].pause("look");
                }
                if (before == 0) {
                    saw(seen, rig.word(0) == 5 ? Sight.LANDED_AFTER_DEATH : Sight.LOST_WITH_DEATH);
                }
                rig.fabrics[0].renew();
                long after = rig.word(0);
                for (int turn = 0; turn < 50; turn++) {
                    rig.processes[0].pause("look again");
                }
                assertEquals(after, rig.word(0));
            }, rig -> {
                rig.attach().put(longs(rig, 1, 5), 0, 0, 8);
                rig.scheduler.kill(rig.processes[1], "test");
            });
        }
        expect(seen, Sight.LANDED_AFTER_DEATH, Sight.LOST_WITH_DEATH);
    }

    /** The source falls silent with a put under way; what its target did meanwhile, and whether the source died. */
    private static void silence(long seed, boolean revokes, boolean dies, Map<Sight, Integer> seen) {
        new Rig(seed, rig -> {
            rig.expose(512);
            rig.await(0, () -> rig.silent);
            if (dies) {
                rig.scheduler.kill(rig.processes[1], "test");
            }
            long before = rig.word(0);
            for (int turn = 0; turn < 200; turn++) {
                rig.processes[0].pause("look");
                assertEquals(before, rig.word(0), "it is silent");
            }
            if (revokes) {
                rig.fabrics[0].revoke(1);
            }
            rig.network.unmute(rig.fabrics[1]);
            for (int turn = 0; turn < 200; turn++) {
                rig.processes[0].pause("look again");
            }
            if (before == 0) {
                saw(seen, rig.word(0) == 5 ? Sight.LANDED_LATE : Sight.NEVER_LANDED);
            }
            rig.done = true;
        }, rig -> {
            RemoteMemory memory = rig.attach();
            rig.network.mute(rig.fabrics[1]);
            memory.put(longs(rig, 1, 5), 0, 0, 8);
            rig.silent = true;
            rig.await(1, () -> rig.done);
        });
    }

    @Test
    void whatASilentSourceHadUnderWayLandsWhenItIsHeardAgainUnlessItsTargetRevokedIt() {
        for (boolean dies : new boolean[] {false, true}) {
            Map<Sight, Integer> left = new EnumMap<>(Sight.class);
            Map<Sight, Integer> revoked = new EnumMap<>(Sight.class);
            for (long seed = 0; seed < SEEDS; seed++) {
                silence(seed, false, dies, left);
                silence(seed, true, dies, revoked);
            }
            expect(left, Sight.LANDED_LATE);
            expect(revoked, Sight.NEVER_LANDED);
            assertEquals(null, revoked.get(Sight.LANDED_LATE), "dies=" + dies);
        }
    }

    @Test
    void anAddressIsForOnePeerAndNotForAProcessThatWasRevoked() {
        for (long seed = 0; seed < 20; seed++) {
            new Rig(seed, rig -> {
                rig.network.askForAddresses();
                rig.expose(512);
                rig.await(0, () -> rig.fabrics[1] != null);
                byte[] asker = rig.fabrics[1].address();
                assertThrows(MisuseException.class, () -> rig.fabrics[0].addressFor(0, asker), "another's number");
                byte[] address = rig.fabrics[0].addressFor(1, asker);
                assertArrayEquals(address, rig.fabrics[0].addressFor(1, asker));
                SimFabric later = rig.network.open(rig.processes[0], 1);
                assertThrows(MisuseException.class, () -> rig.fabrics[0].addressFor(1, later.address()),
                    "the one before was not revoked");
                rig.fabrics[0].revoke(1);
                assertThrows(MisuseException.class, () -> rig.fabrics[0].addressFor(1, asker), "was revoked");
                assertTrue(rig.fabrics[0].addressFor(1, later.address()).length > 0);
                rig.done = true;
            }, rig -> {
                rig.await(1, () -> rig.key != null);
                assertTrue(rig.fabrics[1].mustAsk(rig.address));
                assertThrows(MisuseException.class, () -> rig.fabrics[1].connect(0, rig.address), "lets nobody in");
                rig.await(1, () -> rig.done);
            });
        }
    }

    @Test
    void accessesToADeadPeerVanishHangOrAreReported() {
        Map<Sight, Integer> seen = new EnumMap<>(Sight.class);
        for (long seed = 0; seed < SEEDS; seed++) {
            new Rig(seed, rig -> {
                rig.expose(512);
                rig.await(0, () -> false);
            }, rig -> {
                RemoteMemory memory = rig.attach();
                rig.scheduler.kill(rig.processes[0], "test");
                try {
                    memory.put(longs(rig, 1, 5), 0, 0, 8);
                    rig.fabrics[1].flush(0);
                    // Where it is mapped, the memory of a dead process is there for all others as long as they have it
                    // mapped.
                    saw(seen, rig.word(0) == 5 ? Sight.ORPHANED : Sight.SILENT);
                } catch (PeerLostException e) {
                    assertEquals(0, e.peer());
                    saw(seen, Sight.REPORTED);
                } catch (IllegalStateException e) {
                    assertEquals("stuck", e.getMessage());
                    saw(seen, Sight.STUCK);
                }
                rig.fabrics[1].renew();
                rig.fabrics[1].flushAll();
            });
        }
        expect(seen, Sight.SILENT, Sight.ORPHANED, Sight.REPORTED, Sight.STUCK);
    }

    /** The put and its flush return, and another process is told: what it reads has that put, or nothing is read. */
    @Test
    void nobodySeesTheMemoryOfADeadPeerWithoutAPutThatSeemedComplete() {
        Map<Sight, Integer> seen = new EnumMap<>(Sight.class);
        for (long seed = 0; seed < 4 * SEEDS; seed++) {
            new Rig(seed, rig -> {
                rig.expose(512);
                rig.await(0, () -> false);
            }, rig -> {
                RemoteMemory memory = rig.attach();
                rig.await(1, () -> rig.done);
                rig.scheduler.kill(rig.processes[0], "test");
                try {
                    memory.put(longs(rig, 1, 5), 0, 0, 8);
                    rig.fabrics[1].flush(0);
                    rig.silent = true;
                } catch (PeerLostException | IllegalStateException e) {
                    rig.region = null;
                }
            }, rig -> {
                RemoteMemory memory = rig.attach(2);
                rig.done = true;
                rig.await(2, () -> rig.silent || rig.region == null);
                try {
                    if (rig.silent) {
                        assertEquals(5, memory.getLong(0));
                        saw(seen, Sight.ALL);
                    }
                } catch (PeerLostException e) {
                    saw(seen, Sight.REPORTED);
                } catch (IllegalStateException e) {
                    assertEquals("stuck", e.getMessage());
                    saw(seen, Sight.STUCK);
                }
            });
        }
        expect(seen, Sight.ALL, Sight.REPORTED, Sight.STUCK);
    }
}
