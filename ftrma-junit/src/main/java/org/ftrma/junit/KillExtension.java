package org.ftrma.junit;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOption;
import org.ftrma.testkit.SimJob;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Creates the {@link SimJob} of each {@link SurvivesEveryKill} test. Stateless; any thread. */
final class KillExtension implements ParameterResolver, AfterTestExecutionCallback {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(KillExtension.class);
    private static final String SEED = "ftrma.seed";
    private static final String CRASHES = "ftrma.crashes";
    private static final String EVERY_POINT = "ftrma.everyPoint";

    KillExtension() {
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SimJob.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        SimJob job = job(context.getRequiredTestMethod(), context.getRequiredTestClass());
        context.getStore(OURS).put(SimJob.class, job);
        return job;
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        SimJob job = context.getStore(OURS).get(SimJob.class, SimJob.class);
        if (context.getExecutionException().isEmpty() && (job == null || !job.hasRun())) {
            throw new MisuseException(context.getRequiredTestMethod().getName() + ": the test has run no program; give "
                + "it a parameter of type SimJob, and call run on it");
        }
        if (job != null && job.survival() != null) {
            context.publishReportEntry("survived", job.survival().toString());
        }
    }

    /**
     * The job of a test.
     *
     * @param runs the class that runs it, by whose name build tools find it: a nested one, or one that inherits it
     */
    private static SimJob job(Method test, Class<?> runs) {
        SurvivesEveryKill asked = test.getAnnotation(SurvivesEveryKill.class);
        if (asked == null) {
            throw new MisuseException(test.getName() + ": has a parameter of type SimJob, and no @SurvivesEveryKill");
        }
        SimJob job = new SimJob().set(JobOption.RANKS, asked.ranks()).set(JobOption.CHECKSUMS, asked.checksums())
            .set(JobOption.SPARES, asked.spares()).set(JobOption.PROTOCOL, asked.protocol())
            .set(JobOption.INTERVAL, asked.interval()).comparing(asked.comparing())
            .seed(seed(asked.seed()))
            .sample(Boolean.getBoolean(EVERY_POINT) ? Integer.MAX_VALUE : asked.sample())
            .repeat(System.getProperty(CRASHES, ""))
            .repeatedBy((seed, crashes) -> "mvn test -Dtest='"
                + runs.getName().substring(runs.getName().lastIndexOf('.') + 1) + "#"
                + test.getName() + "' -D" + SEED + "=" + seed + " -D" + CRASHES + "=" + crashes);
        for (String option : asked.options()) {
            set(job, option);
        }
        return job;
    }

    private static long seed(long written) {
        String given = System.getProperty(SEED);
        try {
            return given == null ? written : Long.parseLong(given);
        } catch (NumberFormatException e) {
            throw new MisuseException("-D" + SEED + "=" + given + ": must be a whole number");
        }
    }

    private static void set(SimJob job, String option) {
        int at = option.indexOf('=');
        if (at < 1) {
            throw new MisuseException("options=" + option + ": must be key=value, such as losses=2");
        }
        String key = option.substring(0, at);
        JobOption known = Arrays.stream(JobOption.values()).filter(one -> one.key().equals(key)).findFirst()
            .orElseThrow(() -> new MisuseException("options=" + option + ": there is no option " + key + "; there are "
                + Arrays.stream(JobOption.values()).map(JobOption::key).collect(Collectors.joining(", "))));
        job.set(known, option.substring(at + 1));
    }
}
