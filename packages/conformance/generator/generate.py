#!/usr/bin/env python3
"""Makes vectors/cases.json. With --check nothing is written: the exit status is 1 if the file on disk differs."""

import json
import pathlib
import sys

sys.dont_write_bytecode = True

import envelope
import genuine
import retry
import signature
import timestamp
import transport
from builder import CLOCK, LIMIT, PATH, SECRET, TOLERANCE, Cases

FILE = pathlib.Path(__file__).resolve().parent.parent / "vectors" / "cases.json"

NOTES = [
    "A case is one HTTP request. `headers` go out in this order, one byte a character; the sender puts Host in front (if `host`) and the framing header behind.",
    "A `body` comes as base64; a big one as `generate`, whose unit is repeated `times` times between prefix and suffix, all three in base64.",
    "`framing` is content-length, chunked (one chunk), {chunked: n} (n bytes a chunk) or none; `content_length` replaces the true length.",
    "`raw_base64` is the whole request as bytes and takes the place of headers and body.",
    "`steps` are whole requests for an `expect` of sequence (one after the other, on one connection unless new_connection), pipeline (all written at once on one connection) or concurrent (a connection each, all at once). If a step has a `body`, it follows the bytes of raw_base64.",
    "`send` says how: segment (bytes a write), pieces and gap_ms, half_close, read_after_write, headers_only, expect_100, abort_after_body_bytes, close, rst (abort or close with a reset), max_seconds.",
    "`expect` lists the outcomes that are right: a status, accepted (any 2xx), 5xx, or closed (the connection ended with no response). The first is the one preferred.",
    "`handler_calls` is how often the application may run (null: not looked at). `processed`, with `needs_store`, is the number of times its effect takes place. A handler throws when data.data.boom is true.",
    "`policy` marks what the contract leaves open and this project has decided. `timestamp` and `secret` say what the signature was made with.",
]


def document():
    cases = Cases()
    for group in (genuine, signature, timestamp, envelope, transport, retry):
        group.add(cases)
    return {
        "format": 1,
        "title": "Deliveries with X-Webhook-Signature",
        "clock": CLOCK,
        "tolerance_seconds": TOLERANCE,
        "body_limit_bytes": LIMIT,
        "secret": SECRET,
        "path": PATH,
        "notes": NOTES,
        "counts": counts(cases.all),
        "cases": cases.all,
    }


def counts(cases):
    groups = {}
    for case in cases:
        groups[case["group"]] = groups.get(case["group"], 0) + 1
    return {"total": len(cases), **groups}


def text(made):
    """One case a line, so that a change of one case is a change of one line."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=True)}" for key, value in made.items() if key != "cases"]
    cases = ",\n".join("    " + json.dumps(case, ensure_ascii=True, separators=(",", ":")) for case in made["cases"])
    return "{\n" + ",\n".join(lines) + ',\n  "cases": [\n' + cases + "\n  ]\n}\n"


def main():
    made = text(document())
    if "--check" in sys.argv[1:]:
        on_disk = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
        if on_disk != made:
            print(f"{FILE.name} is not what the generator makes", file=sys.stderr)
            return 1
        return 0
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(made, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
