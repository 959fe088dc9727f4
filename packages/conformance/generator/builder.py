"""Builds one case at a time: a delivery, its signature, and the request that carries them."""

import base64
import calendar
import hashlib
import hmac
import json
import uuid

# 32 characters of the base64 alphabet after the prefix, so that "decode the key first" is a mistake that can be made.
SECRET = "whsec_VectorsOnlyNeverUseThisAnywhere1"
PATH = "/webhooks"
CLOCK = calendar.timegm((2026, 3, 10, 12, 0, 0))
TOLERANCE = 300
LIMIT = 1_048_576
NOW = str(CLOCK)

_NAMES = uuid.UUID("6f1d0b52-2c0e-4a55-9a57-0d7d3f0c9b11")


def mac(message, secret=SECRET, algorithm=hashlib.sha256):
    key = secret if isinstance(secret, bytes) else secret.encode()
    return hmac.new(key, message, algorithm)


def digest(body, timestamp=NOW, secret=SECRET):
    return mac(wire(timestamp) + b"." + body, secret).hexdigest()


def sign(body, timestamp=NOW, secret=SECRET):
    return "sha256=" + digest(body, timestamp, secret)


def wire(text):
    """The bytes of a header value: one byte a character."""
    return text.encode("latin-1")


def as_latin1(text):
    """A header value whose bytes on the wire are the UTF-8 of `text`."""
    return text.encode().decode("latin-1")


def identifier(name):
    return str(uuid.uuid5(_NAMES, name))


def delivery(name, event="message.received", content=None):
    return {
        "id": identifier(name),
        "event": event,
        "created_at": "2026-03-10T12:00:00.000Z",
        "data": {
            "instance_id": "inst_7f3a",
            "event": event,
            "data": {"text": "Good morning", "to": "+15550123"} if content is None else content,
            "timestamp": "2026-03-10T11:59:59.250Z",
        },
    }


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def with_content(name, raw):
    """A delivery whose `data.data` is {"x": <raw>}, with `raw` put in as bytes."""
    return compact(delivery(name, content={"x": "@@"})).replace(b'"@@"', raw)


def b64(data):
    return base64.b64encode(data).decode()


class Generated:
    """A big body, written as prefix + unit * times + suffix."""

    def __init__(self, prefix, unit, times, suffix=b""):
        self.prefix, self.unit, self.times, self.suffix = prefix, unit, times, suffix

    def bytes(self):
        return self.prefix + self.unit * self.times + self.suffix

    def json(self):
        return {
            "generate": {
                "prefix": b64(self.prefix),
                "unit": b64(self.unit),
                "times": self.times,
                "suffix": b64(self.suffix),
            }
        }


def padded(name, size):
    """A genuine delivery brought to `size` bytes with spaces after the JSON text."""
    text = compact(delivery(name))
    return Generated(text, b" ", size - len(text))


def body_bytes(body):
    return body.bytes() if isinstance(body, Generated) else body


def body_json(body):
    return body.json() if isinstance(body, Generated) else {"base64": b64(body)}


def standard_headers(name, timestamp, signature, content_type="application/json", webhook_id=""):
    headers = [] if content_type is None else [["Content-Type", content_type]]
    if webhook_id is not None:
        headers.append(["X-Webhook-Id", webhook_id or "dlv-" + name])
    if timestamp is not None:
        headers.append(["X-Webhook-Timestamp", timestamp])
    if signature is not None:
        headers.append(["X-Webhook-Signature", signature])
    return headers


def head(headers, method="POST", path=PATH, http="HTTP/1.1", host="localhost"):
    lines = [f"{method} {path} {http}"]
    if host is not None:
        lines.append(f"Host: {host}")
    lines += [f"{name}: {value}" for name, value in headers]
    return wire("\r\n".join(lines) + "\r\n\r\n")


def request(name, body=None, timestamp=NOW, signature="", extra=(), method="POST", path=PATH):
    """A whole request in bytes: the form that the steps of a sequence take."""
    body = compact(delivery(name)) if body is None else body
    signature = sign(body, timestamp) if signature == "" else signature
    headers = standard_headers(name, timestamp, signature) + [list(pair) for pair in extra]
    return head(headers + [["Content-Length", str(len(body))]], method, path) + body


def step(data, *expect, body=None, new_connection=False):
    made = {"raw_base64": b64(data), "expect": list(expect)}
    if body is not None:
        made["body"] = body_json(body)
    if new_connection:
        made["new_connection"] = True
    return made


def runs(outcomes):
    """How often the handler may run, where a case does not say it: once if accepted, never if rejected, else any number of times."""
    if outcomes == ["accepted"]:
        return 1
    return None if {"accepted", "sequence", "pipeline", "concurrent"} & set(outcomes) else 0


class Cases:
    def __init__(self):
        self.all = []
        self._seen = set()

    def add(
        self,
        group,
        name,
        description,
        why,
        expect,
        *,
        calls=None,
        body=None,
        timestamp=NOW,
        secret=SECRET,
        signature="",
        signed_body=None,
        headers=None,
        extra=(),
        content_type="application/json",
        webhook_id="",
        method="POST",
        path=PATH,
        http="HTTP/1.1",
        framing="content-length",
        policy=False,
        raw=None,
        steps=None,
        send=None,
        content_length=None,
        needs_store=False,
        processed=None,
    ):
        if name in self._seen:
            raise ValueError(f"two cases are named {name}")
        self._seen.add(name)
        body = compact(delivery(name)) if body is None else body
        if signature == "":
            signed = body_bytes(body) if signed_body is None else signed_body
            signature = sign(signed, timestamp or "", secret)
        if headers is None:
            headers = standard_headers(name, timestamp, signature, content_type, webhook_id)
            headers += [list(pair) for pair in extra]
        outcomes = [expect] if isinstance(expect, str) else list(expect)
        case = {
            "id": name,
            "group": group,
            "description": description,
            "why": why,
            "method": method,
            "path": path,
            "http": http,
            "host": True,
            "headers": headers,
            "body": body_json(body),
            "framing": framing,
            "timestamp": timestamp,
            "secret": secret,
            "expect": outcomes,
            "handler_calls": runs(outcomes) if calls is None else calls,
            "policy": policy,
        }
        if raw is not None:
            case["raw_base64"] = b64(raw)
        optional = {
            "steps": steps,
            "send": send,
            "content_length": content_length,
            "processed": processed,
        }
        case.update({key: value for key, value in optional.items() if value is not None})
        if needs_store:
            case["needs_store"] = True
        self.all.append(case)
