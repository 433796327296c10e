package example;

import org.ftrma.Ftrma;
import org.ftrma.LocalOptions;
import org.ftrma.LocalResult;

/** Runs a job of {@link Heat} from a main method, with a rank that is killed. */
public final class LocalHeat {
    private LocalHeat() {
    }

    public static void main(String[] args) {
        LocalResult result = run();
        System.out.println(result.outcome() + ": total " + result.report("total") + ", "
            + result.facts().get("localRecoveries") + " recovered by replay");
    }

    static LocalResult run() {
        LocalOptions options = LocalOptions.none().with("protocol", "full").with("checksums", 1).with("interval", 10)
            .with("kill", "1@25");
        return Ftrma.local(2, options, Heat.class, "64", "40");
    }
}
