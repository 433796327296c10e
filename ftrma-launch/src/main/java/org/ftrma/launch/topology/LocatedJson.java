package org.ftrma.launch.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;

/**
 * A value of a JSON file that knows where it stands, so that whatever is wrong with it can be told with file, line and
 * field. Size, depth and lengths are bounded. One thread.
 */
final class LocatedJson {
    static final int MAX_BYTES = 64 << 20;
    private static final int MAX_DEPTH = 64;
    private static final int MAX_TEXT = 256;
    private static final int MAX_NUMBER = 64;

    private final String file;
    private final String path;
    private final int line;
    /** A map, a list, a string, a number as written, a boolean, or null. */
    private final Object value;

    private LocatedJson(String file, String path, int line, Object value) {
        this.file = file;
        this.path = path;
        this.line = line;
        this.value = value;
    }

    /** Reads a whole file's contents. */
    static LocatedJson parse(String file, byte[] contents) {
        JsonFactory factory = JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).maxStringLength(MAX_TEXT)
            .maxNameLength(MAX_TEXT)
                .maxNumberLength(MAX_NUMBER).maxDocumentLength(MAX_BYTES).build())
            .build();
        try (JsonParser parser = factory.createParser(contents)) {
            if (parser.nextToken() == null) {
                throw new MisuseException(file + ": empty, expected a JSON object");
            }
            LocatedJson root = root(file, parser);
            if (parser.nextToken() != null) {
                throw new MisuseException(file + " line " + parser.currentTokenLocation().getLineNr()
                    + ": something follows the end of the object");
            }
            return root;
        } catch (StreamReadException e) {
            throw caused(new MisuseException(file + " line "
                + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ": "
                + printable(e.getOriginalMessage()).replaceAll("\\s*\\(start marker at .*", "")), e);
        } catch (IOException e) {
            throw caused(new MisuseException(file + ": " + e.getMessage().replaceAll(", from `.*`", "")), e);
        }
    }

    private static LocatedJson root(String file, JsonParser parser) throws IOException {
        try {
            return value(file, "", parser);
        } catch (StreamConstraintsException e) { // it does not know where it was thrown
            throw caused(new MisuseException(file + " line " + parser.currentLocation().getLineNr() + ": "
                + e.getOriginalMessage().replaceAll(", from `.*`", "")), e);
        }
    }

    /** Names in a file may be anything; a terminal is not to obey them. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private static LocatedJson value(String file, String path, JsonParser parser) throws IOException {
        int line = parser.currentTokenLocation().getLineNr();
        Object value = switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, LocatedJson> members = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    members.put(name, value(file, path.isEmpty() ? name : path + "." + name, parser));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<LocatedJson> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(value(file, path + "[" + elements.size() + "]", parser));
                }
                yield elements;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Double.valueOf(parser.getText());
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> null;
        };
        return new LocatedJson(file, path, line, value);
    }

    /** The members of an object, all of which must be among those known. */
    Map<String, LocatedJson> object(Set<String> known) {
        if (!(value instanceof Map<?, ?> map)) {
            throw wrong("must be an object with " + sorted(known));
        }
        Map<String, LocatedJson> members = new LinkedHashMap<>();
        map.forEach((name, member) -> {
            LocatedJson located = (LocatedJson) member;
            if (!known.contains(name)) {
                throw located.wrong("is not known here; fields are " + sorted(known));
            }
            members.put((String) name, located);
        });
        return members;
    }

    /** A member that must be there. */
    LocatedJson required(Map<String, LocatedJson> members, String name) {
        LocatedJson member = members.get(name);
        if (member == null) {
            throw wrong("lacks the field '" + name + "'");
        }
        return member;
    }

    /** The elements of an array, within limits. */
    List<LocatedJson> array(int min, int max) {
        if (!(value instanceof List<?> list)) {
            throw wrong("must be an array");
        }
        if (list.size() < min || list.size() > max) {
            throw wrong("has " + list.size() + " elements, must have " + min + " to " + max);
        }
        return list.stream().map(LocatedJson.class::cast).toList();
    }

    /** A string. */
    String text() {
        if (value instanceof String text) {
            if (text.chars().anyMatch(Character::isISOControl)) {
                throw wrong("has a control character: '" + printable(text) + "'");
            }
            return text;
        }
        throw wrong("must be a string");
    }

    /** Whether it is a string, a number, or something else. */
    boolean isText() {
        return value instanceof String;
    }

    /** A whole number within limits. */
    int whole(int min, int max) {
        double number = number();
        if (number != Math.rint(number) || number < min || number > max) {
            throw wrong("is " + shown(number) + ", must be a whole number from " + min + " to " + max);
        }
        return (int) number;
    }

    /** A finite number. */
    double number() {
        if (value instanceof Double number && !number.isInfinite()) {
            return number;
        }
        throw wrong("must be a number");
    }

    private static String shown(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1L << 53 ? Long.toString((long) number)
            : Double.toString(number);
    }

    private static String sorted(Set<String> names) {
        return String.join(", ", names.stream().sorted().toList());
    }

    static MisuseException caused(MisuseException misuse, Exception cause) {
        misuse.initCause(cause);
        return misuse;
    }

    /** The error, with the place. */
    MisuseException wrong(String why) {
        return new MisuseException(file + " line " + line + ": " + (path.isEmpty() ? "the file" : printable(path)) + " "
            + why);
    }
}
