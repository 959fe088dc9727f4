"""Signs requests of any scheme from its value, and says what was signed: an implementation that shares nothing with ours."""
import base64
import hashlib
import hmac
import json
import sys
from urllib.parse import parse_qsl


def content_of(value, request):
    content = b""
    for part in value["signed"]:
        if part == "timestamp":
            content += request["time"].encode("ascii")
        elif part == "url":
            content += request["url"].encode("latin-1")
        elif part == "body":
            content += request["body"]
        elif part == "form":
            fields = {}
            for name, text in parse_qsl(request["body"].decode(), keep_blank_values=True):
                fields.setdefault(name, set()).add(text)
            for name in sorted(fields, key=lambda text: text.encode("utf-16-be")):
                for text in sorted(fields[name], key=lambda text: text.encode("utf-16-be")):
                    content += (name + text).encode()
        elif "text" in part:
            content += part["text"].encode()
        else:
            content += request["id"].encode("latin-1")
    return content


def headers_of(value, request):
    key, signature = value["keys"][0], value["signature"]
    secret = request["secret"]
    raw = secret.encode() if key["secret"] == "text" else base64.b64decode(secret)
    digest = hmac.new(raw, content_of(value, request), getattr(hashlib, key["algorithm"].removeprefix("hmac-"))).digest()
    text = {
        "hex": lambda: digest.hex(),
        "base64": lambda: base64.b64encode(digest).decode(),
        "base64url": lambda: base64.urlsafe_b64encode(digest).decode().rstrip("="),
    }[signature["encoding"]]()
    text = key.get("prefix", "") + text
    headers = {"x-id": request["id"]}
    at = value.get("timestamp", {}).get("at", {})
    if "header" in at:
        headers[at["header"]] = request["time"]
    if "field" in signature:
        pairs = [f'{at["field"]}={request["time"]}'] if "field" in at else []
        text = signature["separator"].join([*pairs, f'{signature["field"]}={text}'])
    return {**headers, signature["header"]: text}


for line in sys.stdin:
    value, request = json.loads(line)
    request["body"] = base64.b64decode(request["body"])
    content = base64.b64encode(content_of(value, request)).decode()
    print(json.dumps({"headers": headers_of(value, request), "content": content}), flush=True)
