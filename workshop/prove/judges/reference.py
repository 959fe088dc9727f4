"""Signs as the services do, written from their documentation and not from the values: the independent side of the judges.

reference.json has what each signs and sends, with the parts of a request in braces. This reads one JSON object a line:
{service, secret, body, id, time, url} with the body in base64; it writes the headers a line. With a `form` in place of a service,
it writes what was signed, too.
"""
import base64
import hmac
import json
import pathlib
import re
import sys
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qsl

try:
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, padding
except ImportError:
    serialization = None

FORMS = json.loads(pathlib.Path(__file__).with_suffix(".json").read_text())

ENCODINGS = {
    "hex": bytes.hex,
    "base64": lambda data: base64.b64encode(data).decode(),
    "base64url": lambda data: base64.urlsafe_b64encode(data).decode().rstrip("="),
}

SECRETS = {
    "text": str.encode,
    "base64": lambda secret: base64.b64decode(secret.removeprefix("whsec_")),
    "hex": bytes.fromhex,
}

ASYMMETRIC = {
    "ed25519": lambda key, content: key.sign(content),
    "ecdsa": lambda key, content: key.sign(content, ec.ECDSA(hashes.SHA256())),
    "rsa": lambda key, content: key.sign(content, padding.PKCS1v15(), hashes.SHA256()),
}


def sign(by, secret, private_key, content):
    if not private_key:
        algorithm, _, form = by.removeprefix("hmac-").partition(" of ")
        return hmac.digest(SECRETS[form or "text"](secret), content, algorithm)
    if serialization is None:
        raise SystemExit("Public-key signatures need the Python package cryptography.")
    return ASYMMETRIC[by](serialization.load_pem_private_key(private_key.encode(), None), content)


def standard(prefix, private_key, by="hmac-sha256 of base64", sent={}):
    version, by = ("v1a", "ed25519") if private_key else ("v1", by)
    sent = {f"{prefix}-id": "{id}", f"{prefix}-timestamp": "{time}", f"{prefix}-signature": version + ",{signature}", **sent}
    return {"signed": "{id}.{time}.{body}", "sent": sent, "encoding": "base64", "by": by}


def fields_of(body, url):
    """What Twilio signs behind the URL: the fields of a form in their order, or nothing if the URL has a digest of the body."""
    if "bodySHA256=" in url:
        return ""
    fields = {}
    for name, value in parse_qsl(body.decode(), keep_blank_values=True):
        fields.setdefault(name, set()).add(value)
    order = {"key": lambda text: text.encode("utf-16-be")}
    return "".join(name + value for name in sorted(fields, **order) for value in sorted(fields[name], **order))


def signed(secret, body, url, time, service=None, form=None, private_key=None, **parts):
    form = form or FORMS[service]
    if "standard" in form:
        form = standard(form["standard"], private_key, **{name: form[name] for name in ("by", "sent") if name in form})
    parts |= {"url": url, "time": time}
    if "{rfc3339}" in form["signed"]:
        sent = datetime.fromtimestamp(int(time), timezone(timedelta(hours=form.get("zone", 0)))).isoformat()
        parts["rfc3339"] = sent.replace("+00:00", form.get("fraction", "") + "Z")
    if service == "hubspot":
        # The table of its page "Validate requests", whose digits may be in any case.
        parts["url"] = re.sub("%(3a|2f|3f|40|21|24|27|28|29|2a|2c|3b)", lambda escape: chr(int(escape[1], 16)), url, flags=re.I)
    if "{form}" in form["signed"]:
        parts["form"] = fields_of(body, url)
    before, with_body, after = form["signed"].partition("{body}")
    content = before.format(**parts).encode() + (body if with_body else b"") + after.format(**parts).encode()
    signature = sign(form.get("by", "hmac-sha256"), secret, private_key, content)
    parts["signature"] = ENCODINGS[form.get("encoding", "hex")](signature)
    return {name: text.format(**parts) for name, text in form["sent"].items()}, content


for line in sys.stdin:
    request = json.loads(line)
    request["body"] = base64.b64decode(request["body"])
    headers, content = signed(**request)
    print(json.dumps({"headers": headers, "content": content.hex()} if "form" in request else headers), flush=True)
