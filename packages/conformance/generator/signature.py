"""Everything that is not exactly the right signature over exactly these bytes."""

import base64
import hashlib

from builder import NOW, PATH, SECRET, as_latin1, compact, delivery, digest, identifier, mac, sign, standard_headers, wire

ZEROS = "sha256=" + "0" * 64


def add(cases):
    def refused(name, description, why, **rest):
        cases.add("signature", name, description, why, "401", **rest)

    closed = "without a proof nothing passes"
    refused("signature-missing", "the signature header left out", closed, signature=None)
    refused("signature-empty", "an empty X-Webhook-Signature", closed, signature=" ".strip())
    cases.all[-1]["headers"][-1] = ["X-Webhook-Signature", ""]
    refused("signature-and-timestamp-missing", "neither of the two signed headers", closed, signature=None, timestamp=None)
    refused("headers-all-missing", "no header of the contract at all", closed, headers=[])

    whole_key = "the key is the whole secret and nothing else"
    for name, description, secret in [
        ("key-other", "signed with somebody else's secret", "whsec_AnotherSecretAltogetherNumber02"),
        ("key-empty", "signed with a key of no bytes", ""),
        ("key-undefined", 'signed with the key "undefined"', "undefined"),
        ("key-null", 'signed with the word "null" as the key', "null"),
        ("key-object", 'signed with the key "[object Object]"', "[object Object]"),
        ("key-line-feed", "signed with the secret and a line feed", SECRET + "\n"),
        ("key-leading-space", "signed with a space before the secret", " " + SECRET),
        ("key-lower-case", "signed with the secret in lower case", SECRET.lower()),
        ("key-cut", "signed with the secret, its last character cut off", SECRET[:-1]),
    ]:
        refused(name, description, whole_key, secret=secret)
    refused("key-less-prefix", "signed with the part after whsec_", whole_key, secret=SECRET[6:], policy=True)
    for name, description, key in [
        ("key-decoded", "signed with the base64 decoding of the part after whsec_", base64.b64decode(SECRET[6:])),
        ("key-hashed", "signed with the SHA-256 of the secret", hashlib.sha256(SECRET.encode()).digest()),
    ]:
        body = compact(delivery(name))
        refused(name, description, "another convention for the key", signature=sign(body, NOW, key), policy=True)

    def altered(name, description, why, change, **rest):
        body = compact(delivery(name))
        refused(name, description, why, signature=change(digest(body), body), **rest)

    def flip(position):
        return lambda hex_digest, _: "sha256=" + hex_digest[:position] + format(int(hex_digest[position], 16) ^ 1, "x") + hex_digest[position + 1 :]

    for position, where in [(0, "first"), (31, "middle"), (63, "last")]:
        altered(f"bit-flipped-{where}", f"one bit changed in the {where} hex digit", "all 32 bytes are compared", flip(position))
    for name, description, change in [
        ("digest-absent", '"sha256=" with nothing after it', lambda d, _: "sha256="),
        ("digest-one-byte", "the first byte only", lambda d, _: "sha256=" + d[:2]),
        ("digest-62", "31 of the 32 bytes", lambda d, _: "sha256=" + d[:62]),
        ("digest-63", "an odd number of hex digits", lambda d, _: "sha256=" + d[:63]),
        ("digest-65", "the right digest and one digit more", lambda d, _: "sha256=" + d + "0"),
        ("digest-66", "the right digest and one byte more", lambda d, _: "sha256=" + d + "00"),
        ("digest-twice", "the right digest written twice", lambda d, _: "sha256=" + d + d),
        ("digest-half-zero", "16 right bytes, then zeros", lambda d, _: "sha256=" + d[:32] + "0" * 32),
        ("digest-half-zero-front", "zeros, then 16 right bytes", lambda d, _: "sha256=" + "0" * 32 + d[32:]),
        ("digest-zeros", "64 zeros", lambda d, _: ZEROS),
        ("digest-ff", "64 times f", lambda d, _: "sha256=" + "f" * 64),
        ("digest-reversed", "the bytes of the digest backwards", lambda d, _: "sha256=" + bytes.fromhex(d)[::-1].hex()),
        ("digest-8000", "a digest of 8,000 characters", lambda d, _: "sha256=" + "b" * 8000),
    ]:
        altered(name, description, "a comparison is over the whole digest or it is none", change)
    for name, description, change in [
        ("digest-junk-after", "the right digest followed by xy", lambda d, _: "sha256=" + d + "xy"),
        ("digest-junk-inside", "a letter beyond f in the middle", lambda d, _: "sha256=" + d[:20] + "g" + d[21:]),
        ("digest-junk-letters", "64 letters, none of them hex", lambda d, _: "sha256=" + "z" * 64),
        ("digest-0x", "0x before the digest", lambda d, _: "sha256=0x" + d[:62]),
        ("digest-colons", "colons between the bytes", lambda d, _: "sha256=" + ":".join(d[i : i + 2] for i in range(0, 64, 2))),
        ("digest-accent", "an accented letter in place of a digit", lambda d, _: "sha256=" + d[:63] + "\u00e9"),
        ("digest-full-width", "full-width digits in UTF-8", lambda d, _: "sha256=" + as_latin1("\uff11" * 64)),
        ("digest-semicolon", "a parameter after the digest", lambda d, _: "sha256=" + d + ";v=1"),
        ("digest-newline-escaped", "the characters \\n after the digest", lambda d, _: "sha256=" + d + "\\n"),
    ]:
        altered(name, description, "lenient hex decoding would read a prefix of it", change)
    for name, description, change in [
        ("digest-upper", "the digest in upper case", lambda d, _: "sha256=" + d.upper()),
        ("digest-one-upper", "one letter of the digest in upper case", lambda d, _: "sha256=" + one_upper(d)),
        ("prefix-upper", "the prefix in upper case", lambda d, _: "SHA256=" + d),
        ("prefix-mixed", "the prefix with a capital", lambda d, _: "Sha256=" + d),
        ("prefix-hyphen", '"sha-256=" as prefix', lambda d, _: "sha-256=" + d),
        ("prefix-hmac", '"hmac-sha256=" as prefix', lambda d, _: "hmac-sha256=" + d),
        ("prefix-absent", "the digest without a prefix", lambda d, _: d),
        ("prefix-twice", "the prefix twice", lambda d, _: "sha256=sha256=" + d),
        ("prefix-colon", "a colon in place of the equals sign", lambda d, _: "sha256:" + d),
        ("prefix-two-equals", "two equals signs", lambda d, _: "sha256==" + d),
        ("prefix-space-after", "a space after the equals sign", lambda d, _: "sha256= " + d),
        ("prefix-space-before", "a space before the equals sign", lambda d, _: "sha256 =" + d),
        ("digest-base64", "the right digest in base64", lambda d, _: "sha256=" + base64.b64encode(bytes.fromhex(d)).decode()),
        ("digest-base64url", "the right digest in base64url", lambda d, _: "sha256=" + base64.urlsafe_b64encode(bytes.fromhex(d)).decode().rstrip("=")),
        ("digest-quoted", "the value in double quotes", lambda d, _: f'"sha256={d}"'),
    ]:
        altered(name, description, "a signature has one spelling", change, policy=True)

    for name, description, change in [
        ("algorithm-sha512", "sha512= with a right HMAC-SHA512", lambda d, b: "sha512=" + other(b, hashlib.sha512)),
        ("algorithm-sha1", "sha1= with a right HMAC-SHA1", lambda d, b: "sha1=" + other(b, hashlib.sha1)),
        ("algorithm-md5", "md5= with a right HMAC-MD5", lambda d, b: "md5=" + other(b, hashlib.md5)),
        ("algorithm-sha512-cut", "sha256= with the first half of an HMAC-SHA512", lambda d, b: "sha256=" + other(b, hashlib.sha512)[:64]),
        ("algorithm-sha3", "sha256= with an HMAC-SHA3-256", lambda d, b: "sha256=" + other(b, hashlib.sha3_256)),
        ("algorithm-none", "an algorithm named none, and no digest", lambda d, b: "none="),
        ("unkeyed", "a SHA-256 without a key", lambda d, b: "sha256=" + hashlib.sha256(signed(b)).hexdigest()),
        ("key-prepended", "a SHA-256 over the secret and the signed string", lambda d, b: "sha256=" + hashlib.sha256(SECRET.encode() + signed(b)).hexdigest()),
    ]:
        altered(name, description, "the receiver decides on the algorithm, never the request", change)
    for name, description, message in [
        ("covers-body-only", "a MAC over the body only", lambda b: b),
        ("covers-no-dot", "a MAC over timestamp and body with no dot", lambda b: wire(NOW) + b),
        ("covers-two-dots", "a MAC with two dots between them", lambda b: wire(NOW) + b".." + b),
        ("covers-line-feed", "a MAC with a line feed in place of the dot", lambda b: wire(NOW) + b"\n" + b),
        ("covers-reversed", "a MAC over body, dot, timestamp", lambda b: b + b"." + wire(NOW)),
        ("covers-timestamp-only", "a MAC over the timestamp and the dot", lambda b: wire(NOW) + b"."),
        ("covers-webhook-id", "a MAC over id, dot, timestamp, dot, body", lambda b: b"dlv-covers-webhook-id." + signed(b)),
        ("covers-digest-of-body", "a MAC over the timestamp and a hash of the body", lambda b: wire(NOW) + b"." + hashlib.sha256(b).hexdigest().encode()),
    ]:
        altered(name, description, "the signed string is timestamp, dot, body", lambda d, b, message=message: "sha256=" + mac(message(b)).hexdigest())

    for name, description, change in [
        ("two-by-comma", "a wrong and the right value with a comma", lambda d, _: f"{ZEROS}, sha256={d}"),
        ("two-by-space", "a wrong and the right value with a space", lambda d, _: f"{ZEROS} sha256={d}"),
        ("two-by-semicolon", "the right and a wrong value with a semicolon", lambda d, _: f"sha256={d};{ZEROS}"),
        ("scheme-t-v1", "the t=,v1= form of another service", lambda d, _: f"t={NOW},v1={d}"),
        ("scheme-v1-base64", "the v1,base64 form of another service", lambda d, _: "v1," + base64.b64encode(bytes.fromhex(d)).decode()),
        ("scheme-json-list", "a JSON list that holds the right value", lambda d, _: f'["sha256={d}"]'),
        ("scheme-json-object", "a JSON object that holds the right value", lambda d, _: f'{{"sha256":"{d}"}}'),
    ]:
        altered(name, description, "the header holds one value of one form", change)

    for name, description, header in [
        ("elsewhere-underscores", "the genuine signature under X_Webhook_Signature", "X_Webhook_Signature"),
        ("elsewhere-hub", "the genuine signature under X-Hub-Signature-256", "X-Hub-Signature-256"),
        ("elsewhere-short", "the genuine signature under Webhook-Signature", "Webhook-Signature"),
        ("elsewhere-authorization", "the genuine signature under Authorization", "Authorization"),
        ("elsewhere-cookie", "the right value as a cookie", "Cookie"),
    ]:
        body = compact(delivery(name))
        value = ("X-Webhook-Signature=" if header == "Cookie" else "") + sign(body)
        refused(name, description, "one header counts", signature=None, extra=[(header, value)])
    name = "elsewhere-query"
    refused(name, "the right value in the query string", "one header counts", signature=None, path=f"{PATH}?signature={sign(compact(delivery(name)))}")
    name = "elsewhere-body"
    refused(name, "a signature inside the body", "one header counts", signature=None, body=compact({**delivery(name), "signature": ZEROS}))

    bytes_only(refused)
    moved_timestamp(refused)


def bytes_only(refused):
    """The body was changed on its way, in manners that a receiver which does not work on bytes would not notice."""

    def changed(name, description, why, change, original=None):
        body = compact(delivery(name)) if original is None else original
        refused(name, description, why, body=change(body), signature=sign(body))

    whole = "every byte is covered"
    changed("body-space-after", "a space added at the end", whole, lambda b: b + b" ")
    changed("body-space-before", "a line feed added at the start", whole, lambda b: b"\n" + b)
    changed("body-space-inside", "a space added after a colon", whole, lambda b: b.replace(b":", b": ", 1))
    changed("body-removed", "the body taken away", whole, lambda b: b"")
    changed("body-cut", "the last byte taken away", whole, lambda b: b[:-1])
    changed("body-byte-changed", "one letter changed", whole, lambda b: b.replace(b"Good", b"Gold"))
    changed("body-replaced", "another delivery in its place", whole, lambda b: compact(delivery("someone else")))
    name = "body-reordered"
    moved = delivery(name)
    changed(name, "the same fields in another order", whole, lambda b: compact(dict(reversed(moved.items()))))
    name = "body-reserialised"
    changed(name, "signed as compact JSON, sent with indentation", "a verifier that parses and writes again would accept it", lambda b: b.replace(b",", b",\n  "))
    name = "body-escapes-resolved"
    changed(name, "signed with an escape, sent with the character", "a verifier that parses and writes again would accept it", lambda b: b.replace(b"G\\u00f6\\u00f6d", "Gööd".encode()), compact(delivery(name)).replace(b"Good", b"G\\u00f6\\u00f6d"))
    name = "body-normalised"
    changed(name, "signed with a composed letter, sent with a combining mark", "Unicode forms are not equal", lambda b: b.replace("ü".encode(), "u\u0308".encode()), compact(delivery(name, content={"text": "ü"})))
    changed("body-trimmed", "signed with a final line feed, sent without", whole, lambda b: b[:-1], compact(delivery("body-trimmed")) + b"\n")
    name = "body-lines-converted"
    changed(name, "signed with CR LF, sent with LF", whole, lambda b: b.replace(b"\r\n", b"\n"), compact(delivery(name)).replace(b",", b",\r\n"))
    decoded = "verifiers that decode before the MAC accept bytes that nobody signed"
    name = "body-fffd-to-ff"
    changed(name, "signed with U+FFFD, sent with the byte FF in its place", decoded, lambda b: b.replace("\ufffd".encode(), b"\xff"), compact(delivery(name, content={"text": "1\ufffd2"})))
    name = "body-fffd-to-overlong"
    changed(name, "signed with two U+FFFD, sent with the bytes C0 80", decoded, lambda b: b.replace("\ufffd\ufffd".encode(), b"\xc0\x80"), compact(delivery(name, content={"text": "1\ufffd\ufffd2"})))
    changed("body-mark-added", "a byte-order mark put before a signed body", decoded, lambda b: b"\xef\xbb\xbf" + b)
    name = "body-mark-removed"
    changed(name, "signed with a byte-order mark, sent without", decoded, lambda b: b[3:], b"\xef\xbb\xbf" + compact(delivery(name)))
    name = "body-latin-1"
    changed(name, "signed as UTF-8, sent as Latin-1", decoded, lambda b: b.decode().encode("latin-1"), compact(delivery(name, content={"text": "é"})))


def moved_timestamp(refused):
    why = "the timestamp is signed as it was sent"
    name = "timestamp-replaced"
    old = str(int(NOW) - 9999)
    body = compact(delivery(name))
    refused(name, "an old delivery under a fresh timestamp", why, headers=standard_headers(name, NOW, sign(body, old)))
    name = "timestamp-shifted"
    refused(
        name,
        "the dot moved one digit to the left in the signed string",
        why,
        timestamp=NOW[:-1],
        signature="sha256=" + mac(wire(NOW[:-1]) + NOW[-1:].encode() + b"." + compact(delivery(name))).hexdigest(),
    )
    name = "timestamp-rewritten"
    body = compact(delivery(name))
    refused(name, "signed over seconds, sent as RFC 3339", why, timestamp="2026-03-10T12:00:00Z", signature=sign(body))
    name = "timestamp-as-milliseconds"
    body = compact(delivery(name))
    refused(name, "signed over seconds, sent as milliseconds", why, timestamp=NOW + "000", signature=sign(body))
    name = "signature-of-another"
    refused(name, "the signature of another delivery", "a signature fits one body", signature=sign(compact(delivery(identifier("other")))))


def other(body, algorithm):
    return mac(signed(body), algorithm=algorithm).hexdigest()


def signed(body):
    return wire(NOW) + b"." + body


def one_upper(hex_digest):
    position = next(i for i, digit in enumerate(hex_digest) if digit.isalpha())
    return hex_digest[:position] + hex_digest[position].upper() + hex_digest[position + 1 :]
