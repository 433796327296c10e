package org.ftrma.launch.watch;

import java.io.IOException;
import org.ftrma.launch.journal.JobView;

/** Placeholder until the page is there. */
final class ReportPage {
    ReportPage(JobView job) {
    }

    String html() throws IOException {
        return "";
    }
}
