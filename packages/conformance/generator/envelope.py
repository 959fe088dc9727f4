"""Bodies that are authentic and still no delivery, and the ones that only look so."""

from builder import Generated, compact, delivery, identifier, with_content

FIELDS = [("id",), ("event",), ("created_at",), ("data", "instance_id"), ("data", "event"), ("data", "timestamp")]


def add(cases):
    def refused(name, description, why, body, **rest):
        cases.add("body", name, description + ", correctly signed", why, "400", body=body, **rest)

    def accepted(name, description, why, body, **rest):
        cases.add("body", name, description + ", correctly signed", why, "accepted", body=body, **rest)

    not_json(refused)
    not_utf8(refused)
    not_an_envelope(refused, accepted)
    prototypes(refused, accepted)
    nesting(refused, accepted)
    name = "handler-throws"
    cases.add(
        "body",
        name,
        "the application's handler throws",
        "work that failed is not acknowledged, and the process lives on",
        "5xx",
        calls=1,
        body=compact(delivery(name, content={"boom": True})),
    )


def not_json(refused):
    why = "authentic, but no JSON text"
    refused("body-empty", "no body at all", why, b"")
    refused("body-blank", "white space only", why, b" \r\n\t ")
    for name, description, change in [
        ("json-cut", "JSON that ends early", lambda b: b[:-7]),
        ("json-trailing-comma", "a comma before the last brace", lambda b: b[:-1] + b",}"),
        ("json-block-comment", "a block comment in front", lambda b: b"/* */" + b),
        ("json-line-comment", "a line comment at the end", lambda b: b + b"\n// end"),
        ("json-two-texts", "two JSON texts in one body", lambda b: b + b),
        ("json-lines", "two JSON texts on two lines", lambda b: b + b"\n" + b),
        ("json-junk-after", "a letter after the JSON text", lambda b: b + b"x"),
        ("json-nul-after", "a NUL after the JSON text", lambda b: b + b"\x00"),
        ("json-nul-before", "a NUL before the JSON text", lambda b: b"\x00" + b),
        ("json-form-feed", "a form feed between the tokens", lambda b: b.replace(b",", b",\x0c", 1)),
        ("json-no-break-space", "a no-break space between the tokens", lambda b: b.replace(b",", b",\xc2\xa0", 1)),
        ("json-single-quotes", "single quotes", lambda b: b.replace(b'"', b"'")),
        ("json-bare-keys", "keys without quotes", lambda b: b.replace(b'"id"', b"id")),
        ("json-prefix-guard", "a guard against script inclusion in front", lambda b: b")]}',\n" + b),
    ]:
        refused(name, description, why, change(compact(delivery(name))))
    for name, description, raw in [
        ("string-raw-nul", "a NUL byte inside a string", b'"a\x00b"'),
        ("string-raw-newline", "a line feed inside a string", b'"a\nb"'),
        ("string-raw-cr", "a lone CR inside a string", b'"a\rb"'),
        ("string-raw-tab", "a tab inside a string", b'"a\tb"'),
        ("string-open", "a string that never ends", b'"a'),
        ("string-bad-escape", "an escape JSON does not have", b'"\\x41"'),
        ("string-short-escape", "a \\u with three digits", b'"\\u123"'),
        ("literal-nan", "NaN as a value", b"NaN"),
        ("literal-undefined", "undefined as a value", b"undefined"),
        ("literal-upper", "TRUE as a value", b"TRUE"),
        ("number-hexadecimal", "a number in hexadecimal", b"0x10"),
        ("number-leading-zero", "a number with a leading zero", b"012"),
        ("number-plus", "a number with a plus sign", b"+1"),
        ("number-point-last", "a number that ends in a point", b"1."),
        ("list-hole", "a list with a hole", b"[1,,2]"),
        ("list-mismatched", "a list closed by a brace", b"[1}"),
    ]:
        refused(name, description, why, with_content(name, raw))
    for name, description, text in [
        ("format-form", "a form", b"id=1&event=message.received"),
        ("format-xml", "XML", b"<delivery id='1'/>"),
        ("format-yaml", "YAML", b"id: 1\nevent: message.received\n"),
        ("format-html", "HTML", b"<!doctype html><p>hello"),
    ]:
        refused(name, description, why, text)
    for name, description, text in [
        ("json-null", "null", b"null"),
        ("json-true", "true", b"true"),
        ("json-number", "a number", b"42"),
        ("json-string", "a string", b'"delivery"'),
        ("json-list-empty", "an empty list", b"[]"),
        ("json-object-empty", "an empty object", b"{}"),
    ]:
        refused(name, f"{description} as the whole body", "JSON, but no delivery", text)
    refused("json-list-of-deliveries", "a list with one delivery in it", "JSON, but no delivery", compact([delivery("json-list-of-deliveries")]))


def not_utf8(refused):
    why = "JSON on the wire is UTF-8; nothing is replaced or guessed"
    for name, description, raw in [
        ("utf8-ff", "the byte FF in a string", b"\xff"),
        ("utf8-continuation", "a continuation byte on its own", b"\x80"),
        ("utf8-overlong-slash", "an overlong slash", b"\xc0\xaf"),
        ("utf8-overlong-three", "an overlong form of three bytes", b"\xe0\x80\xaf"),
        ("utf8-surrogate", "a surrogate as three bytes", b"\xed\xa0\xbd"),
        ("utf8-surrogate-pair", "a surrogate pair as six bytes", b"\xed\xa0\xbd\xed\xba\x80"),
        ("utf8-beyond", "a code point above U+10FFFF", b"\xf4\x90\x80\x80"),
        ("utf8-cut", "a character of three bytes with one missing", b"\xe2\x82"),
        ("utf8-latin-1", "a letter in Latin-1", b"caf\xe9"),
    ]:
        refused(name, description, why, with_content(name, b'"a' + raw + b'z"'), policy=True)
    name = "utf8-cut-at-end"
    refused(name, "a cut character after the JSON text", why, compact(delivery(name)) + b"\xe2\x82")
    for name, description, codec in [
        ("text-utf16-le", "UTF-16, little endian", "utf-16-le"),
        ("text-utf16-be", "UTF-16, big endian", "utf-16-be"),
        ("text-utf16-mark", "UTF-16 with a byte-order mark", "utf-16-le"),
        ("text-utf32", "UTF-32", "utf-32-le"),
    ]:
        mark = b"\xff\xfe" if name.endswith("mark") else b""
        refused(name, description, why, mark + compact(delivery(name)).decode().encode(codec))
    name = "byte-order-mark"
    refused(name, "a byte-order mark in front", "RFC 8259, section 8.1", b"\xef\xbb\xbf" + compact(delivery(name)), policy=True)


def not_an_envelope(refused, accepted):
    def label(path):
        return "-".join(path).replace("_", "-")

    def changed(name, path, value):
        made = delivery(name)
        holder = made
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value
        if path == ("event",):
            made["data"]["event"] = value
        return compact(made)

    for path in [*FIELDS, ("data",), ("data", "data")]:
        name = f"without-{label(path)}"
        made = delivery(name)
        holder = made
        for key in path[:-1]:
            holder = holder[key]
        del holder[path[-1]]
        refused(name, f"no {'.'.join(path)}", "the contract names this field", compact(made), policy=len(path) > 1)
    for path in FIELDS:
        dotted = ".".join(path)
        name = f"empty-{label(path)}"
        refused(name, f"{dotted} is empty", "an empty text names nothing", changed(name, path, ""), policy=True)
        for kind, value in [("null", None), ("number", 7), ("boolean", True), ("object", {"a": 1}), ("list", ["message.received"])]:
            name = f"{kind}-{label(path)}"
            refused(name, f"{dotted} is {'null' if value is None else 'a ' + kind}".replace("a object", "an object"), "the contract says text", changed(name, path, value))
    for path in [("data",), ("data", "data")]:
        for kind, value in [("null", None), ("number", 7), ("boolean", False), ("text", "{}"), ("list", [])]:
            name = f"{kind}-{label(path)}"
            refused(name, f"{'.'.join(path)} is {'null' if value is None else 'a ' + kind}", "the contract says object", changed(name, path, value))

    same = "the contract says that both name the same event"
    name = "events-differ"
    refused(name, "data.event names another event", same, changed(name, ("data", "event"), "message.read"), policy=True)
    name = "events-differ-in-case"
    refused(name, "data.event differs in case", same, changed(name, ("data", "event"), "Message.Received"), policy=True)
    name = "events-differ-unknown"
    made = delivery(name, "message.reacted")
    made["data"]["event"] = "message.received"
    refused(name, "an unknown event around a known one", same, compact(made), policy=True)
    name = "events-differ-repeated-key"
    body = compact(delivery(name)).replace(b'"event":"message.received","data"', b'"event":"message.received","event":"message.read","data"')
    refused(name, "a repeated data.event whose last value differs", "what is checked must be what is used", body, policy=True)
    name = "fields-flattened"
    flat = delivery(name)
    flat.update(flat.pop("data")["data"])
    refused(name, "the fields of data on the top level", "the contract names an envelope", compact(flat))
    name = "field-names-upper"
    refused(name, "field names with capitals", "field names have a case", compact(delivery(name)).replace(b'"id"', b'"Id"'))

    opaque = "opaque text: its form is the sender's affair"
    for name, description, path, value in [
        ("id-not-a-uuid", "an id that is not a UUID", ("id",), "evt_" + identifier("id-not-a-uuid")),
        ("id-upper", "an id in upper case", ("id",), identifier("id-upper").upper()),
        ("id-long", "an id of 4,000 characters", ("id",), identifier("id-long") + "x" * 3964),
        ("id-unicode", "an id with letters beyond ASCII", ("id",), identifier("id-unicode") + "-ü🚀"),
        ("created-at-free", "a created_at that is not a date", ("created_at",), "yesterday"),
        ("created-at-old", "a created_at of last year", ("created_at",), "2025-01-01T00:00:00.000Z"),
        ("data-timestamp-free", "a data.timestamp that is not a date", ("data", "timestamp"), "soon"),
        ("instance-id-free", "an instance_id with spaces", ("data", "instance_id"), "the one upstairs"),
    ]:
        accepted(name, description, opaque, changed(name, path, value), policy=True)


def prototypes(refused, accepted):
    dropped = "no key may change the prototype of anything"
    poison = b'{"polluted":true}'

    def top(name, key, value=poison):
        return b"{" + key + b":" + value + b"," + compact(delivery(name))[1:]

    for name, description, body in [
        ("proto-top", "__proto__ on the top level", lambda n: top(n, b'"__proto__"')),
        ("proto-top-escaped", "__proto__ on the top level, with an escape", lambda n: top(n, b'"\\u005f_proto__"')),
        ("proto-top-escaped-inside", "__proto__ with an escaped letter", lambda n: top(n, b'"__pr\\u006fto__"')),
        ("proto-top-all-escaped", "__proto__ with every character escaped", lambda n: top(n, b'"' + b"".join(b"\\u%04X" % c for c in b"__proto__") + b'"')),
        ("proto-null", "__proto__ that is null", lambda n: top(n, b'"__proto__"', b"null")),
        ("proto-text", "__proto__ that is a text", lambda n: top(n, b'"__proto__"', b'"polluted"')),
        ("proto-twice", "__proto__ twice, spelled differently", lambda n: top(n, b'"__proto__":1,"__proto\\u005f_"')),
        ("proto-in-data", "__proto__ inside data", lambda n: compact(delivery(n)).replace(b'"instance_id"', b'"__proto__":' + poison + b',"instance_id"')),
        ("proto-in-content", "__proto__ inside data.data", lambda n: with_content(n, b'1,"__proto__":' + poison)),
        ("proto-in-list", "__proto__ inside an object of a list", lambda n: with_content(n, b'[{"__proto__":' + poison + b"}]")),
        ("proto-deep", "__proto__ thirty levels down", lambda n: with_content(n, b'{"a":[' * 15 + b'{"__proto__":' + poison + b"}" + b"]}" * 15)),
        ("proto-deep-escaped", "__proto__ thirty levels down, with escapes", lambda n: with_content(n, b'{"a":[' * 15 + b'{"\\u005F\\u005fproto__":' + poison + b"}" + b"]}" * 15)),
        ("proto-in-proto", "__proto__ inside __proto__", lambda n: top(n, b'"__proto__"', b'{"__proto__":' + poison + b"}")),
        ("proto-as-value", "__proto__ as a value, where it is harmless", lambda n: with_content(n, b'"__proto__"')),
        ("constructor-prototype", "constructor.prototype on the top level", lambda n: top(n, b'"constructor"', b'{"prototype":' + poison + b"}")),
        ("constructor-in-content", "constructor.prototype inside data.data", lambda n: with_content(n, b'{"constructor":{"prototype":' + poison + b"}}")),
        ("inherited-names", "toString, valueOf and hasOwnProperty as keys", lambda n: top(n, b'"toString":1,"valueOf":2,"hasOwnProperty"', b"3")),
        ("then-key", "a key named then", lambda n: top(n, b'"then"', b"1")),
        ("to-json-key", "a key named toJSON", lambda n: top(n, b'"toJSON"', b'"x"')),
    ]:
        accepted(name, description, dropped, body(name), policy=True)
    name = "proto-supplies-id"
    body = compact(delivery(name)).replace(b'"id":', b'"__proto__":{"id":').replace(b',"event"', b'},"event"', 1)
    refused(name, "an id that only __proto__ holds", "what is inherited is not in the body", body, policy=True)
    name = "proto-supplies-data"
    body = compact(delivery(name)).replace(b',"data":{', b',"__proto__":{"data":{', 1) + b"}"
    refused(name, "data that only __proto__ holds", "what is inherited is not in the body", body, policy=True)


def nesting(refused, accepted):
    """data.data is the third container, so 61 more inside make 64."""
    bounded = "handlers that copy or print a delivery fail on deep ones"

    def lists(name, depth):
        return with_content(name, b"[" * (depth - 3) + b"]" * (depth - 3))

    def objects(name, depth):
        return with_content(name, b'{"a":' * (depth - 3) + b"1" + b"}" * (depth - 3))

    for kind, make in [("lists", lists), ("objects", objects)]:
        for depth in [40, 63, 64]:
            name = f"nesting-{kind}-{depth}"
            accepted(name, f"{kind} {depth} containers deep", "at most 64 containers", make(name, depth), policy=True)
        for depth in [65, 66, 1000]:
            name = f"nesting-{kind}-{depth}"
            refused(name, f"{kind} {depth} containers deep", bounded, make(name, depth), policy=True)
    name = "nesting-mixed-64"
    accepted(name, "lists and objects by turns, 64 deep", "at most 64 containers", with_content(name, b'[{"a":' * 30 + b"[]" + b"}]" * 30), policy=True)
    name = "nesting-mixed-65"
    refused(name, "lists and objects by turns, 65 deep", bounded, with_content(name, b'[{"a":' * 30 + b"[[]]" + b"}]" * 30), policy=True)
    for depth, take in [(64, accepted), (65, refused)]:
        name = f"nesting-top-{depth}"
        body = b'{"extra":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"," + compact(delivery(name))[1:]
        take(name, f"an extra field on the top level, {depth} deep", "depth counts everywhere", body, policy=True)
    name = "nesting-20000"
    text = with_content(name, b"@@").split(b"@@")
    refused(name, "lists 20,000 containers deep", bounded, Generated(text[0], b"[", 20_000, b"]" * 20_000 + text[1]), policy=True)
    name = "nesting-open-1000000"
    text = with_content(name, b"@@").split(b"@@")
    refused(name, "a million brackets that never close", "work stays proportional to the body", Generated(text[0], b"[", 1_000_000))
    name = "nesting-siblings"
    accepted(name, "many shallow containers, one after the other", "depth goes down again when a container closes", with_content(name, b"[" + b'[[{"a":[]}]],' * 100 + b"1]"))

    strings = "brackets inside a string are text"
    for name, description, raw in [
        ("string-opens-100", "a string of 100 opening brackets", b'"' + b"[" * 100 + b'"'),
        ("string-braces-100", "a string of 100 opening braces", b'"' + b"{" * 100 + b'"'),
        ("string-escaped-quote", "an escaped quote, then 100 brackets, in one string", b'"\\"' + b"[" * 100 + b'"'),
        ("string-escaped-backslash-quote", "an escaped backslash and an escaped quote, then 100 brackets", b'"\\\\\\"' + b"[" * 100 + b'"'),
        ("string-unicode-quote", "a quote as \\u0022, then 100 brackets", b'"\\u0022' + b"[" * 100 + b'"'),
        ("key-opens-100", "a key of 100 opening brackets", b'{"' + b"[" * 100 + b'":1}'),
    ]:
        accepted("nesting-" + name, description, strings, with_content("nesting-" + name, raw))
    deep = b"[" * 62 + b"]" * 62
    for name, description, raw in [
        ("string-closes", "a string of closing brackets, then 65 containers", b'"' + b"]" * 100 + b'","y":' + deep),
        ("string-ends-in-backslash", "a string that ends in an escaped backslash, then 65 containers", b'"\\\\","y":' + deep),
        ("string-ends-in-two-backslashes", "a string of two escaped backslashes, then 65 containers", b'"\\\\\\\\","y":' + deep),
        ("string-ends-in-quote", "a string that ends in an escaped quote, then 65 containers", b'"\\"","y":' + deep),
        ("key-ends-in-backslash", "a key that ends in an escaped backslash, then 65 containers", b'1,"\\\\":' + deep),
    ]:
        refused("nesting-" + name, description, "a count that loses its place in strings is no bound", with_content("nesting-" + name, raw), policy=True)
