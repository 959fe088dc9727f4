"""Deliveries that are what they claim to be, in every shape a sender or a network may give them."""

from builder import NOW, Generated, as_latin1, compact, delivery, head, identifier, sign, standard_headers, with_content

EVENTS = [
    "message.received",
    "message.sent",
    "message.delivered",
    "message.read",
    "message.failed",
    "instance.connected",
    "instance.disconnected",
]


def add(cases):
    def genuine(name, description, why, body=None, **rest):
        cases.add("genuine", name, description, why, "accepted", body=body, **rest)

    for event in EVENTS:
        name = "genuine-" + event.replace(".", "-")
        genuine(name, f"a signed {event}", "every event of the contract arrives", compact(delivery(name, event)))

    for event in ["message.reacted", "account.suspended", "x"]:
        name = "unknown-event-" + event.replace(".", "-")
        genuine(
            name,
            f"a signed delivery of the event {event!r}, which the contract does not list",
            "the service may add events; refusing them would make it retry for ever",
            compact(delivery(name, event)),
            policy=True,
        )
    for event in ["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__", "prototype"]:
        name = "event-named-" + event.strip("_").lower()
        genuine(
            name,
            f"an unknown event whose name is {event}",
            "a look-up in a plain object would find something inherited",
            compact(delivery(name, event)),
            policy=True,
        )

    name = "json-unusual-spelling"
    genuine(
        name,
        "keys in another order, spaces around the punctuation, optional escapes",
        "the MAC is over these bytes and no others",
        (
            '{ "data" : {"data":{"u":"\\/\\u00fc\\ud83d\\ude80"}, "timestamp":"t" ,"event":"message.sent",'
            '"instance_id":"inst"},"created_at":"c",  "event":"message.sent" , "id":"%s" }' % identifier(name)
        ).encode(),
    )
    for name, description, before, after in [
        ("json-final-newline", "a line feed after the JSON text", b"", b"\n"),
        ("json-final-crlf", "CR LF after the JSON text", b"", b"\r\n"),
        ("json-leading-space", "white space before the JSON text", b" \t\r\n", b""),
        ("json-lone-cr", "a lone CR on both sides of the JSON text", b"\r", b"\r"),
    ]:
        genuine(name, description, "a body that is trimmed first has another MAC", before + compact(delivery(name)) + after)
    name = "json-indented"
    pretty = compact(delivery(name)).replace(b",", b",\n\t").replace(b"{", b"{\n\t")
    genuine(name, "JSON over many lines, indented with tabs", "layout is the sender's choice", pretty)

    for name, description, text in [
        ("text-beyond-bmp", "characters outside the basic plane, combining marks and right-to-left text", "🚀 o\u0308 שלום"),
        ("text-line-separators", "U+2028, U+2029 and U+FEFF inside a string", "a\u2028b\u2029c\ufeffd"),
        ("text-noncharacters", "U+FFFE, U+FFFF and U+10FFFF inside a string", "\ufffe\uffff\U0010ffff"),
        ("text-replacement-character", "a U+FFFD that the sender really wrote", "before \ufffd after"),
        ("text-bracket-soup", "a string full of brackets and quotes", '[[[{{{"\\"]]]'),
    ]:
        genuine(name, description, "text is carried as bytes and never normalised", compact(delivery(name, content={"text": text})))
    for name, description, raw in [
        ("escape-nul", "an escaped NUL in a string", b'"a\\u0000b"'),
        ("escape-lone-surrogate", "an escape for half of a surrogate pair", b'"\\ud83d"'),
        ("escape-swapped-surrogates", "escaped surrogates in the wrong order", b'"\\ude80\\ud83d"'),
        ("number-beyond-double", "a number that no double can hold", b"1e400"),
        ("number-many-digits", "an integer above 2^53", b"9007199254740993"),
        ("number-negative-zero", "the number -0", b"-0"),
        ("content-mixed", "numbers, booleans, null and lists inside data.data", b'[1,-2.5e-3,true,false,null,{},[]]'),
    ]:
        genuine(name, description, "valid JSON, even where it is odd", with_content(name, raw))
    name = "number-100000-digits"
    text = with_content(name, b"@@").split(b"@@")
    genuine(name, "a number that is 100,000 digits long", "parsing takes a bounded time", Generated(text[0], b"7", 100_000, text[1]))
    name = "content-empty"
    genuine(name, "an empty object as data.data", "the contract says nothing about its fields", compact(delivery(name, content={})))

    name = "extra-fields"
    extended = delivery(name)
    extended.update(version=2, links=[{"rel": "self"}])
    extended["data"].update(region="eu", tags=[])
    extended["data"]["data"].update(known=False)
    genuine(name, "fields nobody knows, on each level", "a newer service must not break an older receiver", compact(extended))
    name = "extra-field-known"
    genuine(
        name,
        'a top-level field named "known"',
        "a name that a receiver might add itself",
        compact({**delivery(name), "known": "yes", "verification": {"rawBody": ""}}),
    )

    name = "keys-2000"
    many = delivery(name, content={f"k{n}": n for n in range(2000)})
    genuine(name, "2,000 different keys in data.data", "size alone is no reason to refuse", compact(many))
    name = "keys-repeated-100000"
    text = with_content(name, b'{@@"k":0}').split(b"@@")
    genuine(name, "the same key 100,000 times", "work stays proportional to the body", Generated(text[0], b'"k":1,', 100_000, text[1]))
    name = "containers-100000-flat"
    text = with_content(name, b"[@@[]]").split(b"@@")
    genuine(name, "100,000 small lists side by side", "only depth is bounded, not how many there are", Generated(text[0], b"[],", 100_000, text[1]))
    name = "key-repeated-last-wins"
    genuine(
        name,
        'a repeated "event" whose last value agrees with data.event',
        "JSON parsers of the platform take the last; what is checked must be what is used",
        compact(delivery(name)).replace(b'"event":', b'"event":"message.failed","event":', 1),
        policy=True,
    )

    for name, description, framing, send in [
        ("chunked-by-1", "chunked, one byte a chunk", {"chunked": 1}, None),
        ("chunked-by-7", "chunked, seven bytes a chunk", {"chunked": 7}, None),
        ("chunked-whole", "chunked, the whole body in one chunk", "chunked", None),
        ("segments-of-1", "one byte in each TCP segment", "content-length", {"segment": 1}),
        ("segments-of-97", "97 bytes in each TCP segment", "content-length", {"segment": 97}),
        ("segments-of-1-chunked", "three bytes a chunk, one byte a segment", {"chunked": 3}, {"segment": 1}),
        ("pieces-slow", "six pieces with a pause between them", "content-length", {"pieces": 6, "gap_ms": 40}),
        ("pieces-slow-chunked", "chunked, five pieces with a pause between them", {"chunked": 50}, {"pieces": 5, "gap_ms": 40}),
    ]:
        genuine(name, description, "a body is what arrives, however it was cut", framing=framing, send=send)
    name = "segments-split-character"
    genuine(
        name,
        "a four-byte character cut apart by the chunks",
        "decoding chunk by chunk breaks it",
        compact(delivery(name, content={"text": "🚀🚀🚀🚀"})),
        framing={"chunked": 3},
    )
    genuine("half-closed", "the client shuts its sending side after the request", "the response is still owed", send={"half_close": True})
    genuine("http-1-0", "a request in HTTP/1.0 that declares its length", "old proxies still speak it", http="HTTP/1.0")
    genuine("http-1-0-keep-alive", "HTTP/1.0 that asks for keep-alive", "old proxies still speak it", http="HTTP/1.0", extra=[("Connection", "keep-alive")])
    genuine("connection-close", "the client announces that it will close", "one delivery a connection is common", extra=[("Connection", "close")])

    genuine("webhook-id-missing", "no X-Webhook-Id", "it is not signed, so nothing may rest on it", webhook_id=None, policy=True)
    name = "webhook-id-repeated"
    body = compact(delivery(name))
    genuine(
        name,
        "two X-Webhook-Id lines",
        "it is not signed, so nothing may rest on it",
        body,
        headers=[["X-Webhook-Id", "other"], *standard_headers(name, NOW, sign(body))],
        policy=True,
    )
    genuine("webhook-id-strange", "an X-Webhook-Id of quotes, commas and high bytes", "it is not signed, so nothing may rest on it", webhook_id=as_latin1('", é, {}'), policy=True)
    name = "webhook-id-of-another"
    genuine(name, "an X-Webhook-Id that differs from the body's id", "the body is signed, the header is not", webhook_id=identifier("someone else"), policy=True)
    for name, change in [("header-names-upper", str.upper), ("header-names-lower", str.lower)]:
        body = compact(delivery(name))
        headers = [[change(field), value] for field, value in standard_headers(name, NOW, sign(body))]
        genuine(name, f"all header names in {'capitals' if change is str.upper else 'small letters'}", "field names have no case", body, headers=headers)
    name = "header-values-spaced"
    body = compact(delivery(name))
    genuine(
        name,
        "spaces and tabs around the values of the headers",
        "HTTP takes them off before anyone sees the value",
        body,
        raw=head([["X-Webhook-Timestamp", f" \t{NOW} "], ["X-Webhook-Signature", f"  {sign(body)}\t"], ["Content-Length", str(len(body))]]) + body,
    )
    genuine(
        "header-names-inherited",
        "headers named __proto__, constructor and toString",
        "header tables that are plain objects have crashed on these (CVE-2026-21710)",
        extra=[("__proto__", "1"), ("constructor", "2"), ("toString", "3")],
    )
    genuine(
        "method-override-ignored",
        "a POST that carries X-HTTP-Method-Override: GET",
        "the request line is the method",
        extra=[("X-HTTP-Method-Override", "GET")],
    )
