import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.LogManager;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;
import org.verapdf.pdfa.validation.validators.ValidatorFactory;

/** Vera FLAVOUR FILE...: holds each file against one standard; says which rules fail, how often and where first. */
public final class Vera {
    private static final int PLACES = 3;
    private static final int CHECKS_SHOWN = 1_000_000;

    /** What is known of one failed rule. */
    private static final class Failure {
        final String message;
        final StringBuilder places = new StringBuilder();
        int count;

        Failure(String message) {
            this.message = message;
        }
    }

    public static void main(String[] arguments) throws Exception {
        LogManager.getLogManager().reset();
        VeraGreenfieldFoundryProvider.initialise();
        PDFAFlavour flavour = PDFAFlavour.byFlavourId(arguments[0]);
        if (flavour == PDFAFlavour.NO_FLAVOUR || arguments.length < 2) {
            System.err.println("usage: verapdf 2b|ua1|... FILE...");
            System.exit(2);
        }
        boolean passed = true;
        ValidationProfile profile = profile(arguments[0]);
        for (int at = 1; at < arguments.length; at++) {
            passed &= validate(new File(arguments[at]), flavour, profile);
        }
        System.exit(passed ? 0 : 1);
    }

    private static ValidationProfile profile(String id) throws Exception {
        String name = id.startsWith("ua") ? "PDFUA-" + id.substring(2) : "PDFA-" + id.toUpperCase();
        String place = "/org/verapdf/pdfa/validation/" + name + ".xml";
        return Profiles.profileFromXml(Vera.class.getResourceAsStream(place));
    }

    private static boolean validate(File file, PDFAFlavour flavour, ValidationProfile profile) {
        try (PDFAParser parser = Foundries.defaultInstance().createParser(file, flavour)) {
            ValidationResult result =
                ValidatorFactory.createValidator(profile, CHECKS_SHOWN, false, true, false).validate(parser);
            String word = result.isCompliant() ? "PASS" : "FAIL";
            System.out.println(word + " " + flavour + " " + file + " (" + result.getTotalAssertions() + " checks)");
            failures(result).forEach(Vera::show);
            return result.isCompliant();
        } catch (Exception broken) {  // a file that can't be read fails; the others are still looked at
            System.out.println("FAIL " + flavour + " " + file + " (not readable: " + broken + ")");
            return false;
        }
    }

    private static Map<String, Failure> failures(ValidationResult result) {
        Map<String, Failure> failures = new LinkedHashMap<>();
        for (TestAssertion test : result.getTestAssertions()) {
            if (test.getStatus() != TestAssertion.Status.FAILED) {
                continue;
            }
            String rule = test.getRuleId().getClause() + "-" + test.getRuleId().getTestNumber();
            String said = test.getErrorMessage() == null ? test.getMessage() : test.getErrorMessage();
            Failure failure = failures.computeIfAbsent(rule, key -> new Failure(said.replaceAll("\\s+", " ")));
            if (failure.count++ < PLACES) {
                failure.places.append("\n      at ").append(test.getLocation().getContext());
            }
        }
        return failures;
    }

    private static void show(String rule, Failure failure) {
        System.out.println("   " + rule + " x" + failure.count + " " + failure.message + failure.places);
    }
}
