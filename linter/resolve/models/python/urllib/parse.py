"""URLs in their parts: https://docs.python.org/3/library/urllib.parse.html, of texts."""

from typing import NamedTuple

from _native import quoted, unquoted

uses_netloc = ["", "ftp", "http", "https", "file", "ws", "wss"]


def quote(string, safe="/", encoding=None, errors=None):
    return quoted(string, safe)


def quote_plus(string, safe="", encoding=None, errors=None):
    return quoted(string, safe + " ").replace(" ", "+")


def unquote(string, encoding="utf-8", errors="replace"):
    return unquoted(string)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    return unquoted(string.replace("+", " "))


def _split_host(netloc):
    """The name of a host and its port, as they are written."""
    host = netloc.rpartition("@")[2]
    if host.startswith("["):
        name, _, rest = host[1:].partition("]")
        return name, rest.partition(":")[2]
    name, _, port = host.partition(":")
    return name, port


class _Located:
    """What is asked of where a URL leads."""

    @property
    def hostname(self):
        name, percent, zone = _split_host(self.netloc)[0].partition("%")
        return name.lower() + percent + zone or None

    @property
    def port(self):
        port = _split_host(self.netloc)[1]
        number = int(port) if port else None
        if number is not None and not 0 <= number <= 65535:
            raise ValueError("Port out of range 0-65535")
        return number

    @property
    def username(self):
        info, found, _ = self.netloc.rpartition("@")
        return info.partition(":")[0] if found else None

    @property
    def password(self):
        _, colon, word = self.netloc.rpartition("@")[0].partition(":")
        return word if colon else None


class _Split(NamedTuple):
    scheme: str
    netloc: str
    path: str
    query: str
    fragment: str


class SplitResult(_Split, _Located):
    def geturl(self):
        return urlunsplit(self)


class _Parsed(NamedTuple):
    scheme: str
    netloc: str
    path: str
    params: str
    query: str
    fragment: str


class ParseResult(_Parsed, _Located):
    def geturl(self):
        return urlunparse(self)


def _is_scheme(text):
    return (
        text != ""
        and text[0].isascii()
        and text[0].isalpha()
        and all([sign.isascii() and sign.isalnum() or sign in "+-." for sign in text])
    )


def urlsplit(url, scheme="", allow_fragments=True):
    before, colon, rest = url.lstrip().partition(":")
    if colon and _is_scheme(before):
        scheme, url = before.lower(), rest
    netloc = query = fragment = ""
    if url[:2] == "//":
        end = min([at for at in (url.find(sign, 2) for sign in "/?#") if at >= 0], default=len(url))
        netloc, url = url[2:end], url[end:]
    if allow_fragments and "#" in url:
        url, _, fragment = url.partition("#")
    if "?" in url:
        url, _, query = url.partition("?")
    return SplitResult(scheme, netloc, url, query, fragment)


def urlparse(url, scheme="", allow_fragments=True):
    scheme, netloc, path, query, fragment = urlsplit(url, scheme, allow_fragments)
    params = ""
    if scheme in ("", "ftp", "http", "https", "sip", "sips", "sftp", "tel") and ";" in path:
        slash = path.rfind("/")
        cut = path.find(";", slash) if slash >= 0 else path.find(";")
        if cut >= 0:
            path, params = path[:cut], path[cut + 1 :]
    return ParseResult(scheme, netloc, path, params, query, fragment)


def urlunsplit(components):
    scheme, netloc, url, query, fragment = components
    if netloc or (scheme and scheme in uses_netloc and url[:2] != "//"):
        if url and url[:1] != "/":
            url = "/" + url
        url = "//" + netloc + url
    if scheme:
        url = scheme + ":" + url
    if query:
        url = url + "?" + query
    return url + "#" + fragment if fragment else url


def urlunparse(components):
    scheme, netloc, url, params, query, fragment = components
    return urlunsplit((scheme, netloc, f"{url};{params}" if params else url, query, fragment))


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace", separator="&"):
    found = []
    for pair in qs.split(separator) if qs else ():
        name, equals, value = pair.partition("=")
        if value or keep_blank_values and (equals or name):
            found.append((unquote_plus(name), unquote_plus(value)))
    return found


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace", separator="&"):
    found = {}
    for name, value in parse_qsl(qs, keep_blank_values, separator=separator):
        found.setdefault(name, []).append(value)
    return found


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    pairs = []
    for name, value in query.items() if hasattr(query, "items") else query:
        for each in value if doseq and isinstance(value, (list, tuple)) else (value,):
            pairs.append(f"{quote_via(str(name), safe)}={quote_via(str(each), safe)}")
    return "&".join(pairs)


def urldefrag(url):
    scheme, netloc, path, query, fragment = urlsplit(url)
    return urlunsplit((scheme, netloc, path, query, "")), fragment
