package org.ftrma.core.coordinator;

/** State of the job: its view and timeline, whether all run, and the generation that counts. Coordinator's thread. */
final class JobState {
    private int view = 1;
    private int timeline = 1;
    private boolean isRunning;
    private boolean isHeld;
    private long committed;
    private long committedStep;
    /** Where the job starts from, until all run: from then on images are rebuilt from each other. Or null. */
    private RestartPoint restart;

    /** It starts from a generation on disk, as after a rollback to it. */
    void startFrom(RestartPoint point) {
        restart = point;
        view = firstView(point);
        timeline = point.timeline() + 1; // C33
        committed = point.generation();
        committedStep = point.step();
    }

    /** The view in which a job begins that starts from a generation on disk. */
    static int firstView(RestartPoint point) {
        return point.view() + 1;
    }

    /** All go back: to the committed generation, in a view and timeline of their own. */
    void newView() {
        view++;
        timeline++; // M16
        isRunning = false;
        isHeld = false;
    }

    /** All stay at the cut that they have copied their states at, or go on from there. */
    void hold(boolean hold) {
        isHeld = hold;
    }

    /** Whether nobody runs on from a cut. */
    boolean isHeld() {
        return isHeld;
    }

    void allRun() {
        isRunning = true;
        restart = null;
    }

    void committed(long generation, long step) {
        committed = generation;
        committedStep = step;
    }

    int view() {
        return view;
    }

    int timeline() {
        return timeline;
    }

    /** Whether all members run; else they start, or go back. */
    boolean isRunning() {
        return isRunning;
    }

    /** The committed generation, 0: none yet. */
    long committed() {
        return committed;
    }

    long committedStep() {
        return committedStep;
    }

    RestartPoint restart() {
        return restart;
    }
}
