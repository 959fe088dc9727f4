#!/usr/bin/env python3
"""Checks the signatures in cases.json, and signs a new case. It shares no code with the receivers that the vectors test.

    python3 check.py                                  recomputes the signature of every case
    python3 check.py sign '{"id":"1"}' [timestamp]    prints the headers of a delivery with this body
"""

import base64
import hashlib
import hmac
import json
import pathlib
import re
import sys

VECTORS = json.loads(pathlib.Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
SUCCESS = {"accepted", "200", "201", "202", "204"}


def signature(timestamp, body):
    return "sha256=" + hmac.new(VECTORS["secret"].encode(), timestamp + b"." + body, hashlib.sha256).hexdigest()


def bytes_of(body):
    if "text" in body:
        return body["text"].encode()
    if "base64" in body:
        return base64.b64decode(body["base64"], validate=True)
    prefix, unit, suffix = (base64.b64decode(body["generate"].get(part, "")) for part in ("prefix", "unit", "suffix"))
    return prefix + unit * body["generate"]["times"] + suffix


def is_signed(headers, body):
    """Whether there is one timestamp and one signature, and the signature is right."""
    values = {"x-webhook-timestamp": [], "x-webhook-signature": []}
    for name, value in headers:
        values.get(name.lower(), []).append(value.strip(" \t"))
    timestamps, signatures = values.values()
    if len(timestamps) != 1 or len(signatures) != 1:
        return False
    return signatures[0] == signature(timestamps[0].encode("latin-1"), body)


def parsed(raw):
    """The headers of a request as bytes, and what stands behind them."""
    head, _, body = raw.partition(b"\r\n\r\n")
    headers = [line.split(":", 1) for line in head.decode("latin-1").split("\r\n")[1:] if ":" in line]
    is_chunked = any(name.lower() == "transfer-encoding" for name, _ in headers)
    return headers, joined(body) if is_chunked else body


def joined(chunks):
    """The bytes of a chunked body, up to the first chunk whose size is not valid."""
    body = b""
    while size := re.match(rb"([\da-fA-F]+)[^\r]*\r\n", chunks):
        length = int(size[1], 16)
        body += chunks[size.end() : size.end() + length]
        chunks = chunks[size.end() + length + 2 :]
    return body


def requests(case):
    """The headers, the body and the right outcomes of each request."""
    if "steps" in case:
        for step in case["steps"]:
            headers, body = parsed(base64.b64decode(step["raw_base64"]))
            yield headers, body + bytes_of(step.get("body", {"text": ""})), step["expect"]
    elif "raw_base64" in case:
        yield *parsed(base64.b64decode(case["raw_base64"])), case["expect"]
    else:
        yield case["headers"], bytes_of(case["body"]), case["expect"]


def check():
    wrong, signed, unsigned = [], 0, 0
    for case in VECTORS["cases"]:
        for headers, body, expect in requests(case):
            has_timestamp = any(name.lower() == "x-webhook-timestamp" for name, _ in headers)
            # What is too old or in another form is rejected for that, and not for its signature.
            if set(expect) <= SUCCESS or (has_timestamp and case["group"] in ("timestamp", "age")):
                signed += 1
                if not is_signed(headers, body):
                    wrong.append(f"{case['id']} must have a right signature, and it is not right")
            elif expect == ["401"] and case["group"] in ("signature", "repeated-header"):
                unsigned += 1
                if is_signed(headers, body):
                    wrong.append(f"{case['id']} must be rejected for its signature, and that is right")
    print(f"{signed} requests are signed, {unsigned} are not, {len(wrong)} are wrong", *wrong, sep="\n")
    return 1 if wrong else 0


def sign(body, timestamp=str(VECTORS["clock"])):
    headers = {"X-Webhook-Timestamp": timestamp, "X-Webhook-Signature": signature(timestamp.encode(), body.encode())}
    print(json.dumps(list(headers.items())))
    return 0


if __name__ == "__main__":
    sys.exit(sign(*sys.argv[2:]) if sys.argv[1:2] == ["sign"] else check())
