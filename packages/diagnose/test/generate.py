"""Writes written.json: bodies that Python's json wrote, each signed over what was sent before it was rewritten.

Python's own json and hmac, so that nothing of the code under test takes part.
"""

import hashlib
import hmac
import json
import pathlib

SECRET = "whsec_2f1c7b9ad04e48c3b5f6a1e07d93c8e2"
TIMESTAMP = "1760000000"
DELIVERY = {
    "id": "0199c7a2-5d3e-7b11-9c55-1f2e3d4c5b6a",
    "event": "message.received",
    "created_at": "2025-10-09T08:53:20.000Z",
    "data": {
        "instance_id": "inst_01",
        "event": "message.received",
        "data": {
            "text": "Caf\u00e9 \u201cJa\u201d <Tom & Jerry> a/b it's \"so\" \\ \U0001f44b\u2028\n",
            "9": 9007199254740993,
            "ratio": 1.50,
            "exact": 10.0,
            "list": [1, {}, [], None, True],
            "empty": {},
        },
        "timestamp": "2025-10-09T08:53:19.870Z",
    },
}
COMPACT = (",", ":")


def dumps(**options):
    return json.dumps(DELIVERY, **options)


WRITTEN = {
    "compact": dumps(ensure_ascii=False, separators=COMPACT),
    "default": dumps(),
    "default, literal": dumps(ensure_ascii=False),
    "compact, ascii": dumps(separators=COMPACT),
    "2 spaces": dumps(ensure_ascii=False, indent=2),
    "4 spaces": dumps(ensure_ascii=False, indent=4),
    "tabs": dumps(ensure_ascii=False, indent="\t"),
    "2 spaces, ascii": dumps(indent=2),
    "sorted": dumps(ensure_ascii=False, separators=COMPACT, sort_keys=True),
    "sorted, default": dumps(sort_keys=True),
}


def signature(body):
    signed = TIMESTAMP.encode() + b"." + body.encode()
    return "sha256=" + hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()


pathlib.Path(__file__).with_name("written.json").write_text(
    json.dumps(
        {
            "secret": SECRET,
            "timestamp": TIMESTAMP,
            "bodies": {
                name: {"body": body, "signature": signature(body)} for name, body in WRITTEN.items()
            },
        },
        indent=2,
    )
    + "\n"
)
