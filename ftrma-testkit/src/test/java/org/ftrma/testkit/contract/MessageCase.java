package org.ftrma.testkit.contract;

import java.util.List;
import org.ftrma.Program;

/** The cases of the message contract, each a program that throws where the library does not keep its word. */
public enum MessageCase {
    SIZES(MessageCases::sizes),
    MANY_TO_ONE(MessageCases::manyToOne),
    ORDER_AND_TAGS(MessageCases::orderAndTags),
    RECEIVES_IN_THE_ORDER_OF_POSTING(MessageCases::postingOrder),
    REQUESTS(MessageCases::requests),
    LARGE_ONES_BOTH_WAYS(MessageCases::largeBothWays),
    A_TAG_BEHIND_A_FULL_LANE(MessageCases::tagBehindAFullLane),
    SYNCHRONOUS(MessageCases::synchronous),
    PROBES(MessageCases::probes),
    SELF(MessageCases::self),
    CANCEL(MessageCases::cancel),
    VALUES(MessageCases::values),
    POLLED_BY_CANCEL(MessageCases::polledByCancel),
    TOO_LONG(MessageCases::tooLong),
    TOO_LONG_AMONG_SEVERAL(MessageCases::tooLongAmongSeveral),
    CHANNELS_ARE_APART(MessageCases::channelsAreApart),
    ACROSS_A_BOUNDARY(MessageCases::acrossABoundary),
    TAKEN_AFTER_THE_BOUNDARY(MessageCases::takenAfterTheBoundary),
    BESIDE_WINDOWS(MessageCases::besideWindows),
    COLLECTIVES(MessageCases::collectives),
    LARGE_COLLECTIVES(MessageCases::largeCollectives),
    COLLECTIVES_OF_A_PART(MessageCases::collectivesOfAPart),
    COLLECTIVES_THAT_DO_NOT_BLOCK(BegunCollectiveCases::few),
    LARGE_COLLECTIVES_THAT_DO_NOT_BLOCK(BegunCollectiveCases::large),
    COLLECTIVES_OF_A_PART_THAT_DO_NOT_BLOCK(BegunCollectiveCases::ofAPart),
    COLLECTIVES_BESIDE_MESSAGES(BegunCollectiveCases::besideMessages),
    COLLECTIVES_IN_PLACE(BegunCollectiveCases::inPlace),
    REQUESTS_OF_SEVERAL_CHANNELS(BegunCollectiveCases::ofSeveralChannels),
    UNLIKE_COLLECTIVES(MessageCases::unlikeCollectives),
    MISUSE(MessageCases::misuse),
    MISUSE_OF_REQUESTS(MessageMisuseCases::requests),
    MISUSE_OF_REDUCTIONS(MessageMisuseCases::reductions),
    MISUSE_OF_PARTS(MessageMisuseCases::parts);

    /** What a case does; collective. */
    @FunctionalInterface
    interface Body {
        void run(MessageContext context) throws Exception;
    }

    private final Body body;

    MessageCase(Body body) {
        this.body = body;
    }

    /** A program that runs the cases one after the other, one in each step. */
    public static Program program(List<MessageCase> cases) {
        return job -> {
            MessageContext context = new MessageContext(job);
            for (long step : job.steps(cases.size())) {
                MessageCase one = cases.get((int) step - 1);
                try {
                    one.body.run(context);
                } catch (RuntimeException e) {
                    throw new IllegalStateException(one + ": " + e.getMessage(), e);
                }
            }
        };
    }
}
