"""Sizes, codings, framing, methods and connections: what happens around the body."""

import zlib

from builder import (
    LIMIT,
    NOW,
    PATH,
    Generated,
    compact,
    delivery,
    head,
    padded,
    request,
    sign,
    standard_headers,
    step,
    with_content,
)


def add(cases):
    sizes(cases)
    codings(cases)
    media_types(cases)
    framing(cases)
    requests(cases)
    methods(cases)
    connections(cases)


def sizes(cases):
    def sized(name, description, why, expect, **rest):
        cases.add("size", name, description, why, expect, **rest)

    within, beyond = "a body may be exactly as long as the limit", "one byte more than the limit is too much"
    for name, size, chunk in [
        ("limit-less-1", LIMIT - 1, None),
        ("limit", LIMIT, None),
        ("limit-less-1-chunked", LIMIT - 1, 65536),
        ("limit-chunked", LIMIT, 65536),
        ("limit-chunked-uneven", LIMIT, 60000),
    ]:
        framing_of = {"chunked": chunk} if chunk else "content-length"
        sized(name, f"{size:,} bytes{' in chunks' if chunk else ''}", within, "accepted", body=padded(name, size), framing=framing_of, policy=True)
    sized("limit-plus-1", "1,048,577 bytes", beyond, "413", body=padded("limit-plus-1", LIMIT + 1), policy=True)
    uncounted = "a limit that looks at Content-Length only is none"
    for name, chunk in [("limit-plus-1-chunked", 65536), ("limit-plus-1-last-chunk", LIMIT)]:
        sized(name, f"1,048,577 bytes in chunks of {chunk:,}", uncounted, "413", body=padded(name, LIMIT + 1), framing={"chunked": chunk}, policy=True)
    name = "limit-in-characters"
    text = with_content(name, b'"@@"').split(b"@@")
    sized(name, "fewer characters than the limit, more bytes", "the limit counts bytes", "413", body=Generated(text[0], "€".encode(), LIMIT // 3 + 1, text[1]), policy=True)
    seen = "a client that writes all before it reads must still see the response"
    ten = 10 * LIMIT
    sized("ten-mebibytes", "10 MiB with their length declared", seen, "413", body=padded("ten-mebibytes", ten), send={"read_after_write": True}, policy=True)
    sized("ten-mebibytes-chunked", "10 MiB in chunks", seen, "413", body=padded("ten-mebibytes-chunked", ten), framing={"chunked": 65536}, send={"read_after_write": True}, policy=True)
    sized("ten-mebibytes-unsigned", "an unsigned body of 10 MiB, its length declared", seen, ["401", "413"], body=padded("ten-mebibytes-unsigned", ten), signature=None, send={"read_after_write": True})
    sized("ten-mebibytes-unsigned-chunked", "10 MiB in chunks without a signature", seen, ["401", "413"], body=padded("ten-mebibytes-unsigned-chunked", ten), signature=None, framing={"chunked": 65536}, send={"read_after_write": True})

    awaited = "a body that never comes holds nobody up"
    sized("declared-unsigned", "90,000 bytes announced, none sent, no signature", awaited, ["401", "closed"], body=b"", signature=None, content_length=90000, send={"headers_only": True, "max_seconds": 4})
    sized("declared-too-big", "2 MiB announced, none sent", awaited, ["413", "closed"], body=b"", content_length=2 * LIMIT, send={"headers_only": True, "max_seconds": 4}, policy=True)
    sized("declared-20-digits", "a Content-Length of 20 digits", "a length that no integer holds", ["400", "413", "401"], body=b"", content_length="9" * 20, send={"headers_only": True, "max_seconds": 4})
    sized("declared-15-digits", "a Content-Length of 15 digits", "the limit is checked before anything is kept ready", ["413", "400"], body=b"", content_length=10**15 - 1, send={"headers_only": True, "max_seconds": 4}, policy=True)

    bombs = "headers are bounded before they are looked at"
    sized("header-17000", "a header of 17,000 bytes", bombs, ["431"], extra=[("X-Padding", "p" * 17000)])
    name = "headers-2100"
    body = compact(delivery(name))
    sized(name, "2,100 headers before ours", bombs, ["431", "401", "400"], headers=[[f"h{n}", "1"] for n in range(2100)] + standard_headers(name, NOW, sign(body)))
    name = "headers-2100-small"
    body = compact(delivery(name))
    sized(name, "2,100 headers of six bytes before ours", "servers that stop counting drop what follows", ["401", "431", "400"], headers=[["h", "1"]] * 2100 + standard_headers(name, NOW, sign(body)))
    sized("path-20000", "a path of 20,000 characters", bombs, ["431", "414", "404", "400"], path=PATH + "?" + "q" * 20000)


def codings(cases):
    def coded(name, description, why, coding, body=None, expect="415", policy=True, **rest):
        cases.add("coding", name, description, why, expect, body=body, extra=[("Content-Encoding", coding)], policy=policy, **rest)

    early = "nothing is inflated: refused before the body is looked at"
    for name, coding, code in [("gzip", "gzip", gzip), ("deflate", "deflate", deflate)]:
        plain = compact(delivery(f"coded-{name}"))
        coded(f"coded-{name}", f"{coding}, with a MAC over the coded bytes", early, coding, code(plain))
        plain = compact(delivery(f"coded-{name}-plain-mac"))
        coded(f"coded-{name}-plain-mac", f"{coding}, with a MAC over the plain bytes", "body parsers that inflate would accept it", coding, code(plain), signed_body=plain)
    for name, coding in [("br", "br"), ("zstd", "zstd"), ("compress", "compress"), ("x-gzip", "x-gzip"), ("unknown", "rot13"), ("aws-chunked", "aws-chunked")]:
        coded(f"coded-{name}", f"the coding {coding}", early, coding)
    for name, coding in [("identity-gzip", "identity, gzip"), ("gzip-identity", "gzip, identity"), ("gzip-twice", "gzip, gzip"), ("gzip-upper", "GZIP")]:
        coded(f"coded-{name}", f"the codings {coding!r}", early, coding)
    name = "coded-two-lines"
    cases.add("coding", name, "identity on one line, gzip on the next", early, "415", extra=[("Content-Encoding", "identity"), ("Content-Encoding", "gzip")], policy=True)
    none = "identity is no coding"
    coded("coded-identity", "identity", none, "identity", expect="accepted", policy=False)
    coded("coded-identity-upper", "IDENTITY", none, "IDENTITY", expect="accepted", policy=False)
    for name, coding in [("utf-8", "utf-8"), ("utf-8-upper", "UTF-8"), ("utf8", "utf8"), ("none", "none"), ("binary", "binary"), ("utf-8-spaces", " \tUTF8 ")]:
        coded(f"coded-{name}", f"the name {coding!r}, which is no coding", "some services name the character set here: nothing is compressed, and the bytes are signed", coding, expect="accepted")
    for name, coding in [("gzip-utf-8", "gzip, utf-8"), ("utf-8-gzip", "utf-8, gzip"), ("utf-8-comma", "utf-8,")]:
        coded(f"coded-{name}", f"the list {coding!r}", "a list may name a coding", coding)
    coded("coded-empty", "an empty Content-Encoding", "an empty list names no coding; a strict receiver may differ", "", expect=["accepted", "415"])
    coded("coded-identity-twice", "identity twice", "odd but harmless", "identity, identity", expect=["accepted", "415"])
    coded("coded-gzip-unsigned", "gzip without a signature", "either refusal is true", "gzip", gzip(b"{}"), expect=["401", "415"], policy=False, signature=None)


def gzip(data):
    """Stored, not compressed: the same bytes with every version of zlib."""
    size = len(data).to_bytes(4, "little")
    return b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + stored(data) + zlib.crc32(data).to_bytes(4, "little") + size


def deflate(data):
    return b"\x78\x01" + stored(data) + zlib.adler32(data).to_bytes(4, "big")


def stored(data):
    return b"\x01" + len(data).to_bytes(2, "little") + (len(data) ^ 0xFFFF).to_bytes(2, "little") + data


def media_types(cases):
    decides = "the contract names no media type: the MAC decides"
    for name, value in [
        ("charset", "application/json; charset=utf-8"),
        ("upper", "APPLICATION/JSON"),
        ("suffix", "application/vnd.service+json"),
        ("problem", "application/problem+json"),
    ]:
        cases.add("media-type", f"type-{name}", f"the media type {value}", "JSON under another spelling", "accepted", content_type=value)
    for name, value in [
        ("none", None),
        ("text", "text/plain"),
        ("octets", "application/octet-stream"),
        ("form", "application/x-www-form-urlencoded"),
        ("multipart", "multipart/form-data; boundary=x"),
        ("xml", "application/xml"),
        ("charset-utf16", "application/json; charset=utf-16"),
        ("charset-unknown", "application/json; charset=klingon"),
    ]:
        said = "no Content-Type" if value is None else f"the media type {value}"
        cases.add("media-type", f"type-{name}", said, decides, ["accepted", "415"], content_type=value, policy=True)
    for name, value in [
        ("word", "json"),
        ("empty", ""),
        ("tab", "application/json\t;\tq=1"),
        ("list", "application/json, text/plain"),
        ("slash", "/"),
        ("semicolons", "application/json;;;"),
        ("high-bytes", "application/\u00fc"),
    ]:
        cases.add("media-type", f"type-malformed-{name}", f"the malformed Content-Type {value!r}", decides + "; never a 5xx", ["accepted", "415"], content_type=value, policy=True)


def framing(cases):
    smuggling = "two readers would disagree about where the body ends"

    def raw(name, description, why, expect, make, **rest):
        body = compact(delivery(name))
        cases.add("framing", name, description, why, expect, raw=make(body, standard_headers(name, NOW, sign(body))), **rest)

    def with_lines(*lines, coded=False, size=None):
        def make(body, headers):
            sized = [[field, value.replace("#", str(len(body)))] for field, value in lines]
            return head(headers + sized) + (chunk(body) if coded else body)

        return make

    closed = ["400", "closed"]
    raw("length-and-chunked", "a Content-Length, then Transfer-Encoding: chunked", smuggling, closed, with_lines(("Content-Length", "6"), ("Transfer-Encoding", "chunked"), coded=True))
    raw("chunked-and-length", "Transfer-Encoding: chunked, then a Content-Length", smuggling, closed, with_lines(("Transfer-Encoding", "chunked"), ("Content-Length", "#"), coded=True))
    raw("length-twice-equal", "the same Content-Length on two lines", smuggling, closed, with_lines(("Content-Length", "#"), ("Content-Length", "#")))
    raw("length-twice-different", "two Content-Length lines that differ", smuggling, closed, with_lines(("Content-Length", "#"), ("Content-Length", "1")))
    for name, value in [
        ("list", "#, #"),
        ("plus", "+#"),
        ("minus", "-#"),
        ("hexadecimal", "0x10f"),
        ("space", "2 7"),
        ("decimal", "#.0"),
        ("letters", "#abc"),
        ("empty", ""),
    ]:
        raw(f"length-{name}", f"Content-Length written as {value.replace('#', 'n')!r}", smuggling, closed, with_lines(("Content-Length", value)))
    either = ["400", "501", "closed", "401"]
    for name, value in [
        ("xchunked", "xchunked"),
        ("identity", "identity"),
        ("chunked-identity", "chunked, identity"),
        ("chunked-tab", "chunked\t, y"),
        ("quoted", '"chunked"'),
        ("chunked-semicolon", "chunked;q=1"),
    ]:
        raw(f"transfer-{name}", f"the transfer coding {value!r} before chunks", smuggling, either, with_lines(("Transfer-Encoding", value), coded=True))
    raw("transfer-twice", "Transfer-Encoding: chunked on two lines", smuggling, closed, with_lines(("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked"), coded=True))
    name = "transfer-gzip-chunked"
    body = compact(delivery(name))
    coded = gzip(body)
    cases.add(
        "framing",
        name,
        "Transfer-Encoding: gzip, chunked",
        "a transfer coding that nobody undoes leaves bytes that are not a delivery",
        ["400", "501", "415", "401", "closed"],
        body=coded,
        raw=head(standard_headers(name, NOW, sign(coded)) + [["Transfer-Encoding", "gzip, chunked"]]) + chunk(coded),
    )

    malformed = "a chunk that cannot be read ends the request"

    def chunked(name, description, why, expect, make, **rest):
        raw(name, description, why, expect, lambda body, headers: head(headers + [["Transfer-Encoding", "chunked"]]) + make(body), **rest)

    chunked("chunk-size-letters", "a chunk size of letters beyond f", malformed, closed, lambda b: chunk(b, b"xyz"))
    chunked("chunk-size-minus", "a negative chunk size", malformed, closed, lambda b: chunk(b, b"-1"))
    chunked("chunk-size-0x", "a chunk size with 0x", malformed, closed, lambda b: chunk(b, b"0x%x"))
    chunked("chunk-size-empty", "no chunk size", malformed, closed, lambda b: chunk(b, b""))
    chunked("chunk-size-17-digits", "a chunk size that needs 68 bits", "a size that no integer holds", ["400", "413", "closed"], lambda b: b"f" * 17 + b"\r\n" + b)
    chunked("chunk-too-long", "more bytes than the chunk size says", malformed, closed, lambda b: chunk(b, b"%x" % (len(b) - 3)))
    chunked("chunk-extension-big", "a chunk extension of 17,000 bytes", "extensions without a bound (CVE-2024-22019)", ["400", "413", "closed"], lambda b: chunk(b, b"%x;a=" + b"e" * 17000))
    chunked("chunk-extension-small", "a short chunk extension", "allowed, and ignored", ["accepted", "400"], lambda b: chunk(b, b"%x;name=value"))
    chunked("chunk-size-upper", "a chunk size in upper-case hex with leading zeros", "HTTP allows both", "accepted", lambda b: chunk(b, b"00%X"))
    chunked("trailer-harmless", "a trailer nobody asked for", "trailers are allowed, and no headers", ["accepted", "400"], lambda b: chunk(b, trailer=b"X-Note: hello\r\n"))
    name = "trailer-signature"
    body = compact(delivery(name))
    lines = [["X-Webhook-Timestamp", NOW], ["Trailer", "X-Webhook-Signature"], ["Transfer-Encoding", "chunked"]]
    data = head(lines) + chunk(body, trailer=b"X-Webhook-Signature: " + sign(body).encode() + b"\r\n")
    cases.add("framing", name, "a signature that comes as a trailer", "a trailer is no header", "401", raw=data)
    name = "trailer-replaces-signature"
    body = compact(delivery(name))
    lines = [["X-Webhook-Timestamp", NOW], ["X-Webhook-Signature", "sha256=" + "0" * 64], ["Transfer-Encoding", "chunked"]]
    data = head(lines) + chunk(body, trailer=b"X-Webhook-Signature: " + sign(body).encode() + b"\r\n")
    cases.add("framing", name, "a wrong signature, and the right one as a trailer", "a trailer is no header", ["401", "400"], raw=data)

    raw("length-missing", "a body, but neither a length nor chunks", "for HTTP the body is empty and the rest is another request", ["401", "400", "411", "closed"], with_lines())
    raw("length-too-short", "a Content-Length that leaves off the end", "what is beyond the length is not the body", ["401", "400", "closed"], lambda b, h: head(h + [["Content-Length", str(len(b) - 10)]]) + b)
    raw("length-zero", "Content-Length: 0 before a body", "what is beyond the length is not the body", ["401", "400", "closed"], with_lines(("Content-Length", "0")))


def chunk(body, size=b"%x", trailer=b""):
    """A body as one chunk, and the last chunk."""
    line = size % len(body) if b"%" in size else size
    return line + b"\r\n" + body + b"\r\n0\r\n" + trailer + b"\r\n"


def requests(cases):
    malformed = "not HTTP/1.1, so not a request"
    closed = ["400", "closed"]

    def lines(name, description, why, expect, make, **rest):
        body = compact(delivery(name))
        cases.add("framing", name, description, why, expect, raw=make(body, sign(body)), **rest)

    def text(start="POST /webhooks HTTP/1.1\r\nHost: localhost\r\n", stamp=f"X-Webhook-Timestamp: {NOW}\r\n", mark="X-Webhook-Signature: %s\r\n", more=""):
        return lambda body, signature: (start + stamp + mark % signature + more + f"Content-Length: {len(body)}\r\n\r\n").encode("latin-1") + body

    lines("header-folded", "a signature folded onto a second line", "folding is obsolete", ["400", "401", "closed"], lambda b, s: text(mark="X-Webhook-Signature: %s\r\n")(b, s.replace("=", "=\r\n ")))
    lines("header-space-before-colon", "a space between name and colon", "read differently by different servers", closed, text(mark="X-Webhook-Signature : %s\r\n"))
    lines("header-bare-cr", "a lone CR in a value", malformed, closed, text(stamp=f"X-Webhook-Timestamp: {NOW}\r0\r\n"))
    lines("header-nul", "a NUL in a value", malformed, closed, text(more="X-Note: a\x00b\r\n"))
    lines("header-no-colon", "a header line without a colon", malformed, closed, text(more="X-Note\r\n"))
    lines("header-no-name", "a header line without a name", malformed, closed, text(more=": x\r\n"))
    lines("header-name-spaced", "a space inside a header name", malformed, closed, text(more="X Note: x\r\n"))
    lines("header-name-high", "a header name with a letter beyond ASCII", malformed, closed, text(more="X-N\u00f6te: x\r\n"))
    lines("lines-bare-lf", "LF in place of CR LF", "read differently by different servers", closed, lambda b, s: text()(b, s).split(b"\r\n\r\n")[0].replace(b"\r\n", b"\n") + b"\n\n" + b)
    lines("host-missing", "HTTP/1.1 without Host", "RFC 9112, section 3.2", closed, text(start="POST /webhooks HTTP/1.1\r\n"))
    lines("line-lower-case", "a method in lower case", malformed, ["400", "405", "501", "closed"], text(start="post /webhooks HTTP/1.1\r\nHost: localhost\r\n"))
    lines("line-unknown-method", "a method nobody knows", malformed, ["400", "405", "501", "404", "closed"], text(start="DELIVER /webhooks HTTP/1.1\r\nHost: localhost\r\n"))
    lines("line-http-0-9", "a request line without a version", malformed, ["400", "401", "closed"], lambda b, s: b"POST /webhooks\r\n\r\n")
    lines("line-http-3", "a version that is not 1.x", malformed, ["400", "505", "closed"], text(start="POST /webhooks HTTP/3.0\r\nHost: localhost\r\n"))
    lines("preface-http-2", "the opening bytes of HTTP/2", malformed, ["400", "505", "closed"], lambda b, s: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    lines("preface-tls", "the opening bytes of TLS", malformed, closed, lambda b, s: b"\x16\x03\x01\x01\x00\x01\x00\x00\xfc\x03\x03" + bytes(range(256)))
    lines("empty-line-first", "an empty line before the request line", "RFC 9112, section 2.2, lets a server ignore it", ["accepted", "400", "closed"], lambda b, s: b"\r\n" + text()(b, s))

    interim = "an interim response, then the real one"
    cases.add("framing", "expect-continue", "Expect: 100-continue", interim, "accepted", extra=[("Expect", "100-continue")], send={"expect_100": True})
    cases.add("framing", "expect-continue-chunked", "Expect: 100-continue and chunks", interim, "accepted", extra=[("Expect", "100-continue")], framing={"chunked": 50}, send={"expect_100": True})
    cases.add("framing", "expect-continue-unsigned", "Expect: 100-continue without a signature", interim, ["401", "417"], signature=None, extra=[("Expect", "100-continue")], send={"expect_100": True})
    cases.add("framing", "expect-continue-too-big", "Expect: 100-continue before 1,048,577 bytes", interim, ["413", "417"], body=padded("expect-continue-too-big", LIMIT + 1), extra=[("Expect", "100-continue")], send={"expect_100": True}, policy=True)
    cases.add("framing", "expect-unknown", "an expectation nobody knows", "RFC 9110, section 10.1.1", "417", extra=[("Expect", "a-miracle")])


def methods(cases):
    def other(name, description, why, method, expect=("405", "404"), **rest):
        cases.add("method", name, description, why, list(expect), method=method, **rest)

    only = "a delivery is a POST (404 where the router goes by method)"
    for method in ["GET", "PUT", "PATCH", "DELETE", "PROPFIND"]:
        other(f"with-{method.lower()}", f"{method} with a signed body", only, method)
    other("with-options", "OPTIONS with a signed body", only, "OPTIONS", ("405", "404", "204", "200"))
    for method in ["GET", "HEAD"]:
        other(f"method-{method.lower()}-bare", f"{method} with nothing else", "health checks do not reach the handler", method, body=b"", headers=[], framing="none")
    other("method-head-signed", "HEAD with the signature of an empty body", "some frameworks turn it into a GET", "HEAD", body=b"", framing="none")
    other("method-override-header", "a GET that asks in a header to be taken for a POST", "the request line is the method", "GET", extra=[("X-HTTP-Method-Override", "POST")])
    other("method-override-query", "a GET that asks in its query to be taken for a POST", "the request line is the method", "GET", path=PATH + "?_method=POST")

    def at(name, description, why, path, expect, **rest):
        cases.add("path", name, description, why, expect, path=path, **rest)

    at("path-query", "a query string after the path", "the query is not part of the path", PATH + "?source=test", "accepted")
    at("path-whole-url", "the path in absolute form", "RFC 9112, section 3.2.2", "http://localhost" + PATH, ["accepted", "404"], policy=True)
    open_door = "a second spelling of the path is no way around the check"
    for name, path in [
        ("slash-after", PATH + "/"),
        ("upper", PATH.upper()),
        ("encoded", "/%77ebhooks"),
        ("slash-before", "/" + PATH),
        ("dot", "/." + PATH),
        ("dots", "/x/.." + PATH),
        ("below", PATH + "/below"),
        ("encoded-slash", PATH + "%2f"),
        ("semicolon", PATH + ";x=1"),
        ("question-mark", PATH + "?"),
        ("bad-escape", PATH + "/%zz"),
        ("encoded-nul", PATH + "%00"),
        ("fragment", PATH + "#"),
        ("authority", "//a@b" + PATH),
        ("authority-fragment", "//a@b" + PATH + "#"),
        ("authority-backslash", "/\\a@b" + PATH + "#"),
        ("authority-query", "//a@b" + PATH + "?x#x"),
        ("authority-password", "//a:c@b.c" + PATH + "/#"),
        ("authority-host", "//b" + PATH),
        ("backslashes", "/x\\..\\" + PATH[1:]),
        ("encoded-dots", "/a%2fb/%2e%2e" + PATH),
        ("encoded-twice", "/%2577ebhooks"),
        ("encoded-fragment", PATH + "%23x"),
        ("whole-url-fragment", "http://a@b" + PATH + "#"),
        ("whole-url-no-path", "http://localhost?" + PATH),
    ]:
        at(f"path-unsigned-{name}", f"no signature, at {path}", open_door, path, ["401", "404", "400", "403", "405", "301", "308"], signature=None)


def connections(cases):
    def sequence(name, description, why, steps, kind="sequence", **rest):
        cases.add("connection", name, description, why, kind, steps=steps, **rest)

    def good(name):
        return request(name)

    again = "a refusal leaves the connection usable, or closes it"
    sequence("reused-3", "three deliveries on one connection", "a connection is kept for the next delivery", [step(good(f"reused-{n}"), "accepted") for n in range(3)], calls=3)
    large = LIMIT + 1
    overflow = padded("refused-413-big", large)
    declared = head(standard_headers("refused-413", NOW, sign(overflow.bytes())) + [["Content-Length", str(large)]])
    chunked = head(standard_headers("refused-413c", NOW, sign(overflow.bytes())) + [["Transfer-Encoding", "chunked"]])
    in_chunks = Generated(b"%x\r\n" % large + overflow.prefix, b" ", overflow.times, b"\r\n0\r\n\r\n")
    bad_mac = "sha256=" + "0" * 64
    for name, description, first in [
        ("header", "401 for a missing signature", step(request("refused-a", signature=None), "401")),
        ("mac", "401 for a wrong MAC", step(request("refused-b", signature=bad_mac), "401")),
        ("stale", "401 for an old timestamp", step(request("refused-c", timestamp=str(int(NOW) - 4000)), "401")),
        ("body", "400 for a body that is not a delivery", step(request("refused-d", body=b"[]"), "400")),
        ("coding", "415 for a coding", step(request("refused-e", extra=[("Content-Encoding", "gzip")]), "415")),
        ("method", "405 for a GET that carries a delivery", step(request("refused-f", method="GET"), "405", "404")),
        ("handler", "5xx for a handler that throws", step(request("refused-g", body=compact(delivery("refused-g", content={"boom": True}))), "5xx")),
        ("declared", "413 for a declared length", step(declared, "413", body=overflow)),
        ("chunked", "413 for chunks past the limit", step(chunked, "413", body=in_chunks)),
    ]:
        sequence(f"after-{name}", f"{description}, then a delivery on the same connection", again, [first, step(good(f"after-{name}-good"), "accepted", "closed")])
    smuggled = request("smuggled")
    sequence(
        "body-is-no-request",
        "a refused request whose body looks like a signed request",
        "a body left unread must not become the next request",
        [step(request("smuggler", body=smuggled, signature=None), "401"), step(good("after-smuggler"), "accepted", "closed")],
    )
    sequence("pipelined-10", "ten deliveries in one write", "all get a response, in order", [step(good(f"pipelined-{n}"), "accepted") for n in range(10)], "pipeline", calls=10)
    for name, description, middle, outcome in [
        ("header", "a delivery, one without a signature, a delivery, in one write", request("pipelined-x", signature=None), "401"),
        ("mac", "a delivery, one with a wrong MAC, a delivery, in one write", request("pipelined-y", signature=bad_mac), "401"),
        ("body", "a delivery, an authentic empty list, a delivery, in one write", request("pipelined-z", body=b"[]"), "400"),
    ]:
        steps = [step(good(f"pipelined-{name}-1"), "accepted"), step(middle, outcome), step(good(f"pipelined-{name}-2"), "accepted", "closed")]
        sequence(f"pipelined-{name}", description, "the responses keep their order", steps, "pipeline")
    sequence(
        "at-once-20",
        "20 different deliveries at the same time",
        "each is handled once",
        [step(good(f"at-once-{n}"), "accepted", new_connection=True) for n in range(20)],
        "concurrent",
        calls=20,
    )
    sequence(
        "at-once-mixed",
        "genuine and forged deliveries at the same time",
        "no response goes to the wrong connection",
        [step(good(f"mixed-{n}"), "accepted", new_connection=True) if n % 2 else step(request(f"mixed-{n}", signature=bad_mac), "401", new_connection=True) for n in range(20)],
        "concurrent",
        calls=10,
    )

    def cut(name, description, why, expect, **rest):
        cases.add("connection", name, description, why, expect, **rest)

    whole = "a body that was cut is never taken for a whole one"
    cut("reset-in-body", "a reset in the middle of the body", whole, "closed", send={"abort_after_body_bytes": 60, "rst": True})
    cut("reset-before-body", "a reset after the headers", whole, "closed", send={"abort_after_body_bytes": 0, "rst": True})
    cut("reset-before-last-byte", "a reset one byte before the end", whole, "closed", send={"abort_after_body_bytes": len(compact(delivery("reset-before-last-byte"))) - 1, "rst": True})
    cut("closed-in-body", "the connection closed in the middle of the body", whole, ["closed", "400"], send={"abort_after_body_bytes": 60})
    cut("closed-in-chunk", "the connection closed inside a chunk", whole, ["closed", "400"], framing="chunked", send={"abort_after_body_bytes": 60})
    cut("reset-in-chunk", "a reset inside a chunk", whole, "closed", framing="chunked", send={"abort_after_body_bytes": 60, "rst": True})
    name = "closed-before-last-chunk"
    body = compact(delivery(name))
    cut(name, "the connection closed before the last, empty chunk", whole, ["closed", "400"], raw=head(standard_headers(name, NOW, sign(body)) + [["Transfer-Encoding", "chunked"]]) + b"%x\r\n" % len(body) + body + b"\r\n", send={"close": True})
    alive = "the process lives on"
    cut("closed-in-headers", "the connection closed inside the headers", alive, ["closed", "400"], raw=b"POST /webhooks HTTP/1.1\r\nHost: localhost\r\nX-Web", send={"close": True})
    cut("closed-at-once", "a connection that says nothing and closes", alive, "closed", raw=b"", send={"close": True})
    cut("reset-at-once", "a connection that says nothing and resets", alive, "closed", raw=b"", send={"close": True, "rst": True})
    cut("closed-after-request", "the connection closed right after the request", alive, ["closed", "accepted"], send={"close": True})
    cut("reset-after-request", "a reset right after the request", alive, ["closed", "accepted"], send={"close": True, "rst": True})
    cut("closed-after-refusable", "an unsigned request, and the connection closed at once", alive, ["closed", "401"], signature=None, send={"close": True})
    cut("reset-in-big-body", "a reset in the middle of 900,000 bytes", whole, "closed", body=padded("reset-in-big-body", 900_000), send={"abort_after_body_bytes": 500_000, "rst": True})
    cut("reset-in-unsigned-body", "a reset in the middle of an unsigned body", alive, "closed", signature=None, send={"abort_after_body_bytes": 60, "rst": True})
    cut("reset-in-too-big-body", "a reset past the limit", alive, ["closed", "413"], body=padded("reset-in-too-big-body", 2 * LIMIT), framing={"chunked": 65536}, send={"abort_after_body_bytes": LIMIT + 200_000, "rst": True})
