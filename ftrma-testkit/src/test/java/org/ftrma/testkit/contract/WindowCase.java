package org.ftrma.testkit.contract;

import java.util.List;
import org.ftrma.Program;

/** The cases of the window contract, each a program that throws where the library does not keep its word. */
public enum WindowCase {
    PUTS_AND_GETS(TransferCases::putsAndGets),
    WHOLE_SEGMENTS(TransferCases::wholeSegments),
    SINGLE_VALUES(TransferCases::singleValues),
    SMALL_VALUES(ValueCases::smallValues),
    ARRAYS(ValueCases::arrays),
    MANY_ARRAYS(ValueCases::manyArrays),
    ATOMICS_OF_SINGLE_VALUES(ValueCases::atomicsOfSingleValues),
    STRIDED(TransferCases::strided),
    NESTED_AND_LISTED(TransferCases::nestedAndListed),
    LOCAL_MEMORY_ON_THE_HEAP(TransferCases::localMemoryOnTheHeap),
    STAGED_PUTS(TransferCases::stagedPuts),
    WINDOWS_ARE_APART(TransferCases::windowsAreApart),
    SOURCES_ARE_FREE_AFTER_FLUSH_LOCAL(TransferCases::sourcesAreFreeAfterFlushLocal),
    REQUESTS(TransferCases::requests),
    REQUESTS_OF_BLOCKS(TransferCases::requestsOfBlocks),
    REQUESTS_OF_MANY_BLOCKS(TransferCases::requestsOfManyBlocks),
    REQUESTS_OF_ATOMICS(TransferCases::requestsOfAtomics),
    FLUSHES(TransferCases::flushes),
    ACCUMULATE_OF_EVERY_KIND(AtomicCases::accumulateOfEveryKind),
    GET_ACCUMULATE(AtomicCases::getAccumulate),
    ACCUMULATE_STRIDED(AtomicCases::accumulateStrided),
    GET_ACCUMULATE_STRIDED(AtomicCases::getAccumulateStrided),
    REQUESTS_OF_ATOMIC_BLOCKS(AtomicCases::requestsOfAtomicBlocks),
    FETCH_AND_OP(AtomicCases::fetchAndOp),
    COMPARE_AND_SWAP(AtomicCases::compareAndSwap),
    CONCURRENT_SUMS(AtomicCases::concurrentSums),
    PUTS_WITH_SIGNALS(SignalCases::putsWithSignals),
    SIGNALS_OF_SEVERAL_RANKS(SignalCases::signalsOfSeveralRanks),
    COMPARISONS(SignalCases::comparisons),
    TESTS_OF_SIGNALS(SignalCases::tests),
    EXCLUSIVE_LOCKS(LockCases::exclusiveLocks),
    SHARED_LOCKS(LockCases::sharedLocks),
    LOCK_ALL(LockCases::lockAll),
    UNLOCK_COMPLETES(LockCases::unlockCompletes),
    GSYNC(CollectiveCases::gsync),
    BARRIER(CollectiveCases::barrier),
    BROADCAST(CollectiveCases::broadcast),
    ALL_REDUCE(CollectiveCases::allReduce),
    ALL_REDUCE_IS_THE_SAME_EVERYWHERE(CollectiveCases::allReduceIsTheSameEverywhere),
    ALL_GATHER(CollectiveCases::allGather),
    TEAMS_HAVE_MEMBERS(TeamCases::members),
    TEAMS_SYNCHRONIZE(TeamCases::synchronization),
    BROADCASTS_OF_TEAMS(TeamCases::broadcasts),
    PARTS_IN_TEAMS(TeamCases::parts),
    PARTS_OF_ANY_SIZE_IN_TEAMS(TeamCases::partsOfAnySize),
    REDUCTIONS_OF_TEAMS(TeamCases::reductions),
    MISUSE_OF_TEAMS(TeamCases::misuse),
    WINDOWS_OF_DIFFERENT_SIZES(TransferCases::differentSizes),
    COUNTERS(CollectiveCases::counters),
    JOB_FACTS(CollectiveCases::jobFacts),
    MISUSE_OF_RANGES(MisuseCases::ranges),
    MISUSE_OF_ATOMICS(MisuseCases::atomics),
    MISUSE_OF_SIGNALS(SignalCases::misuse),
    MISUSE_OF_LOCAL_SEGMENTS(MisuseCases::localSegments),
    MISUSE_OF_LOCKS(MisuseCases::locks),
    MISUSE_OF_COLLECTIVES(MisuseCases::collectives),
    MISUSE_OF_THE_JOB(MisuseCases::job);

    /** What a case does; collective. */
    @FunctionalInterface
    interface Body {
        void run(CaseContext context) throws Exception;
    }

    private final Body body;

    WindowCase(Body body) {
        this.body = body;
    }

    /** A program that runs the cases one after the other, one in each step. */
    public static Program program(List<WindowCase> cases) {
        return job -> {
            CaseContext context = new CaseContext(job);
            for (long step : job.steps(cases.size())) {
                WindowCase one = cases.get((int) step - 1);
                context.clear();
                try {
                    one.body.run(context);
                } catch (RuntimeException e) {
                    throw new IllegalStateException(one + ": " + e.getMessage(), e);
                }
                job.gsync();
            }
        };
    }
}
