package java.net;

/** A URI in its parts, as RFC 2396 has them; a host that is none leaves only the authority. */
public final class URI implements Comparable<URI> {
    private final String text;
    private String scheme;
    private String authority;
    private String path;
    private String query;
    private String fragment;

    public URI(String text) throws URISyntaxException {
        this.text = text;
        String rest = text;
        for (int at = 0; at < text.length(); at++) {
            if (" \"<>\\^`{|}".indexOf(text.charAt(at)) >= 0) {
                throw new URISyntaxException(text, "Illegal character in " + partOf(text.substring(0, at)) + " at index " + at, at);
            }
        }
        int hash = rest.indexOf('#');
        if (hash >= 0) {
            fragment = rest.substring(hash + 1);
            rest = rest.substring(0, hash);
        }
        int colon = rest.indexOf(':');
        if (colon > 0 && rest.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*")) {
            scheme = rest.substring(0, colon);
            rest = rest.substring(colon + 1);
            if (rest.isEmpty()) throw new URISyntaxException(text, "Expected scheme-specific part");
            if (!rest.startsWith("/")) return;
        } else if (colon == 0) {
            throw new URISyntaxException(text, "Expected scheme name");
        }
        int mark = rest.indexOf('?');
        if (mark >= 0) {
            query = rest.substring(mark + 1);
            rest = rest.substring(0, mark);
        }
        if (rest.startsWith("//")) {
            int slash = rest.indexOf('/', 2);
            String found = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
            authority = found.isEmpty() ? null : found;
            rest = slash < 0 ? "" : rest.substring(slash);
            if (authority == null && rest.isEmpty()) throw new URISyntaxException(text, "Expected authority");
        }
        path = rest;
    }

    /** The part of a URI that stands behind some text. */
    private static String partOf(String before) {
        if (before.indexOf('#') >= 0) return "fragment";
        if (before.matches("[A-Za-z][A-Za-z0-9+.-]*:([^/].*)?")) return "opaque part";
        return before.indexOf('?') >= 0 ? "query" : before.matches("([A-Za-z][A-Za-z0-9+.-]*:)?//[^/]*") ? "authority" : "path";
    }

    public static URI create(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException problem) {
            throw new IllegalArgumentException(problem.getMessage(), problem);
        }
    }

    private static String decoded(String raw) {
        return raw == null ? null : Codes.unquoted(raw.replace("+", "%2B"));
    }

    /** The host with what stands around it: user, host, port; null where a host would be none. */
    private String[] server() {
        if (authority == null) return null;
        int at = authority.lastIndexOf('@');
        String user = at < 0 ? null : authority.substring(0, at);
        String rest = authority.substring(at + 1);
        int colon = rest.startsWith("[") ? rest.indexOf(':', rest.indexOf(']')) : rest.indexOf(':');
        String host = colon < 0 ? rest : rest.substring(0, colon);
        String port = colon < 0 ? "" : rest.substring(colon + 1);
        return isHost(host) && port.matches("[0-9]*") ? new String[] {user, host, port} : null;
    }

    private static boolean isHost(String host) {
        if (host.startsWith("[")) return host.endsWith("]");
        if (host.matches("[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+")) return true;
        String[] labels = host.split("[.]");
        if (labels.length == 0) return false;
        for (String label : labels) {
            if (!label.matches("[A-Za-z0-9-]+") || label.startsWith("-") || label.endsWith("-")) return false;
        }
        return Character.isLetter(labels[labels.length - 1].charAt(0));
    }

    public String getScheme() { return scheme; }
    public String getRawAuthority() { return authority; }
    public String getAuthority() { return decoded(authority); }
    public String getRawPath() { return path; }
    public String getPath() { return decoded(path); }
    public String getRawQuery() { return query; }
    public String getQuery() { return decoded(query); }
    public String getRawFragment() { return fragment; }
    public String getFragment() { return decoded(fragment); }

    public String getUserInfo() {
        String[] server = server();
        return server == null ? null : decoded(server[0]);
    }

    public String getHost() {
        String[] server = server();
        return server == null ? null : server[1];
    }

    public int getPort() {
        String[] server = server();
        return server == null || server[2].isEmpty() ? -1 : Integer.parseInt(server[2]);
    }

    public String getRawSchemeSpecificPart() {
        int hash = text.indexOf('#');
        String whole = hash < 0 ? text : text.substring(0, hash);
        return scheme == null ? whole : whole.substring(scheme.length() + 1);
    }

    public String getSchemeSpecificPart() { return decoded(getRawSchemeSpecificPart()); }
    public boolean isAbsolute() { return scheme != null; }
    public boolean isOpaque() { return path == null; }
    public String toASCIIString() { return text; }

    @Override
    public String toString() { return text; }

    @Override
    public boolean equals(Object other) { return other instanceof URI && ((URI) other).text.equals(text); }

    @Override
    public int hashCode() { return text.hashCode(); }

    @Override
    public int compareTo(URI other) { return text.compareTo(other.text); }
}
