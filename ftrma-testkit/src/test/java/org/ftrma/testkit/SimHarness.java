package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;
import org.ftrma.testkit.contract.ContractMember;
import org.ftrma.testkit.contract.FabricHarness;
import org.ftrma.testkit.programs.SimRandom;

/** Members as simulated processes; runs each test with many seeds. */
final class SimHarness implements FabricHarness {
    private static final long STEP_LIMIT = 5_000_000;

    private final long firstSeed;
    private final int seeds;

    SimHarness(long firstSeed, int seeds) {
        this.firstSeed = firstSeed;
        this.seeds = seeds;
    }

    @Override
    public void run(int members, MemberBody body) {
        SimMemory memory = new SimMemory();
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            try {
                new Run(seed, memory, members, body).run();
            } catch (Throwable e) {
                throw new AssertionError("seed=" + seed + ": " + e.getMessage(), e);
            }
            memory.reset();
        }
    }

    /** No crashes. */
    private static final class NoCrash implements SimProcess.Points {
        @Override
        public SimProcess.Fate before(SimProcess process) {
            return SimProcess.Fate.LIVE;
        }

        @Override
        public SimProcess.Fate after(SimProcess process) {
            return SimProcess.Fate.LIVE;
        }
    }

    private static final class Run {
        private final SimScheduler scheduler;
        private final byte[][] contributions;
        private byte[][] complete;
        private int arrived;
        private long round;
        private final List<SimProcess> processes = new ArrayList<>();
        private Throwable failure;

        Run(long seed, SimMemory memory, int members, MemberBody body) {
            SimRandom random = new SimRandom(seed);
            SimTraits traits = SimTraits.draw(random);
            scheduler = new SimScheduler(random, traits.burst(), STEP_LIMIT);
            SimNetwork network = new SimNetwork(scheduler, random, traits, memory);
            if ((seed & 1) != 0) {
                network.askForAddresses();
            }
            contributions = new byte[members][];
            for (int i = 0; i < members; i++) {
                int index = i;
                SimProcess process = new SimProcess(scheduler, i, 4 << random.below(5), new NoCrash(),
                    () -> play(network, index, body));
                process.member = i;
                processes.add(process);
                scheduler.add(process);
            }
        }

        void run() throws Throwable {
            scheduler.run();
            if (failure != null) {
                throw failure;
            }
            if (scheduler.hang() != null) {
                throw new IllegalStateException(scheduler.hang());
            }
            if (!scheduler.violations().isEmpty()) {
                throw new IllegalStateException(scheduler.violations().toString());
            }
        }

        private void play(SimNetwork network, int index, MemberBody body) {
            SimProcess process = processes.get(index);
            try (Fabric fabric = network.open(process, index)) {
                Member member = new Member(network, index, fabric, new SimClock(scheduler, process));
                body.run(member);
                member.exchange(new byte[0]);
                member.closeReopened();
            } catch (SimDeath e) {
                throw e;
            } catch (Throwable e) {
                if (failure == null) {
                    failure = e;
                }
            }
        }

        private final class Member extends ContractMember {
            private static final long TIMEOUT_NANOS = 60_000_000_000L;

            private final SimNetwork network;

            Member(SimNetwork network, int index, Fabric fabric, Clock clock) {
                super(index, contributions.length, fabric, clock, TIMEOUT_NANOS);
                this.network = network;
            }

            @Override
            public byte[][] exchange(byte[] mine) {
                contributions[index()] = mine.clone();
                long mineRound = round;
                if (++arrived == contributions.length) {
                    complete = contributions.clone();
                    arrived = 0;
                    round++;
                    for (SimProcess process : processes) {
                        process.changes++;
                    }
                }
                // Once there, nobody can overwrite the result before all have read it: the next round needs everybody.
                for (int turn = 0; round == mineRound; turn++) {
                    turn("exchange", turn);
                }
                return complete;
            }

            @Override
            protected Fabric openFabric() {
                return network.open(processes.get(index()), index());
            }

            @Override
            protected void checkOthers() {
                if (failure != null) {
                    throw new IllegalStateException("member=" + index() + ": gave up, another member has failed");
                }
            }
        }
    }
}
