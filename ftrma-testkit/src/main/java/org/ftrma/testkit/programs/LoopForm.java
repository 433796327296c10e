package org.ftrma.testkit.programs;

import org.ftrma.Job;

/** The ways in which a program may go through its steps; all of them come to the same. */
enum LoopForm {
    /** Over as many steps as there are. */
    COUNTED {
        @Override
        void run(Job job, long steps, Step body) {
            for (long step : job.steps(steps)) {
                body.run(step);
            }
        }
    },
    /** Over more of them; it breaks out of the last one. */
    LEFT {
        @Override
        void run(Job job, long steps, Step body) {
            for (long step : job.steps(steps + 3)) {
                body.run(step);
                if (step == steps) {
                    break;
                }
            }
        }
    },
    /** From one to the next, until it breaks out of the last one. */
    OPEN {
        @Override
        void run(Job job, long steps, Step body) {
            while (steps > 0 && job.nextStep()) {
                body.run(job.step());
                if (job.step() == steps) {
                    break;
                }
            }
        }
    };

    /** What is done in a step. */
    @FunctionalInterface
    interface Step {
        void run(long step);
    }

    /** Goes through so many steps. */
    abstract void run(Job job, long steps, Step body);

    /** One of them, half of the time the first. */
    static LoopForm of(SimRandom random) {
        return random.chance(500) ? COUNTED : values()[1 + random.below(2)];
    }
}
