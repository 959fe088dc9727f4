"""Signs as the services do, written from their documentation and not from the values: the independent side of the judges and the fuzzer.

Reads one JSON object a line: {service | value, secret, body, id, time, url} with the body in base64; writes {headers} a line.
"""
import base64
import hashlib
import hmac
import json
import sys
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qsl

try:
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, padding
except ImportError:
    serialization = None


def mac(name, key, content):
    return hmac.new(key, content, getattr(hashlib, name)).digest()


def private(pem):
    if serialization is None:
        raise SystemExit("Public-key signatures need the Python package cryptography.")
    return serialization.load_pem_private_key(pem.encode(), None)


def b64(data):
    return base64.b64encode(data).decode()


def standard(prefix):
    def sign(secret, body, id, time, url, private_key=None):
        content = f"{id}.{time}.".encode() + body
        if private_key:
            signature = "v1a," + b64(private(private_key).sign(content))
        else:
            signature = "v1," + b64(mac("sha256", base64.b64decode(secret.removeprefix("whsec_")), content))
        return {f"{prefix}-id": id, f"{prefix}-timestamp": time, f"{prefix}-signature": signature}
    return sign


def stripe(secret, body, id, time, url):
    return {"stripe-signature": f"t={time},v1=" + mac("sha256", secret.encode(), f"{time}.".encode() + body).hex()}


def github(secret, body, id, time, url):
    return {"x-hub-signature-256": "sha256=" + mac("sha256", secret.encode(), body).hex(), "x-github-delivery": id, "x-github-event": "push"}


def slack(secret, body, id, time, url):
    signature = mac("sha256", secret.encode(), f"v0:{time}:".encode() + body).hex()
    return {"x-slack-request-timestamp": time, "x-slack-signature": "v0=" + signature}


def twilio(secret, body, id, time, url):
    content = url.encode()
    if "bodySHA256=" not in url:
        fields = {}
        for name, value in parse_qsl(body.decode(), keep_blank_values=True):
            fields.setdefault(name, set()).add(value)
        for name in sorted(fields):
            content += "".join(name + value for value in sorted(fields[name])).encode()
    return {"x-twilio-signature": b64(mac("sha1", secret.encode(), content)), "i-twilio-idempotency-token": id}


def paddle(secret, body, id, time, url):
    return {"paddle-signature": f"ts={time};h1=" + mac("sha256", secret.encode(), f"{time}:".encode() + body).hex()}


def square(secret, body, id, time, url):
    return {"x-square-hmacsha256-signature": b64(mac("sha256", secret.encode(), url.encode() + body))}


def linear(secret, body, id, time, url):
    return {"linear-signature": mac("sha256", secret.encode(), body).hex(), "linear-delivery": id}


def line(secret, body, id, time, url):
    return {"x-line-signature": b64(mac("sha256", secret.encode(), body))}


def sanity(secret, body, id, time, url):
    signature = mac("sha256", secret.encode(), f"{time}000.".encode() + body)
    text = base64.urlsafe_b64encode(signature).decode().rstrip("=")
    return {"sanity-webhook-signature": f"t={time}000,v1={text}", "idempotency-key": id}


def shopify(secret, body, id, time, url):
    signature = b64(mac("sha256", secret.encode(), body))
    return {"x-shopify-hmac-sha256": signature, "x-shopify-webhook-id": id, "x-shopify-topic": "orders/paid"}


def sendgrid(secret, body, id, time, url, private_key):
    signature = private(private_key).sign(time.encode() + body, ec.ECDSA(hashes.SHA256()))
    name = "x-twilio-email-event-webhook"
    return {f"{name}-signature": b64(signature), f"{name}-timestamp": time}


def zoom(secret, body, id, time, url):
    signature = mac("sha256", secret.encode(), f"v0:{time}:".encode() + body).hex()
    return {"x-zm-request-timestamp": time, "x-zm-signature": "v0=" + signature}


def meta(secret, body, id, time, url):
    return {"x-hub-signature-256": "sha256=" + mac("sha256", secret.encode(), body).hex()}


def discord(secret, body, id, time, url, private_key):
    signature = private(private_key).sign(time.encode() + body)
    return {"x-signature-ed25519": signature.hex(), "x-signature-timestamp": time}


def wise(secret, body, id, time, url, private_key):
    signature = private(private_key).sign(body, padding.PKCS1v15(), hashes.SHA256())
    return {"x-signature-sha256": b64(signature), "x-delivery-id": id}


def notion(secret, body, id, time, url):
    return {"x-notion-signature": "sha256=" + mac("sha256", secret.encode(), body).hex()}


def hubspot(secret, body, id, time, url):
    content = f"POST{url}".encode() + body + f"{time}000".encode()
    return {"x-hubspot-signature-v3": b64(mac("sha256", secret.encode(), content)), "x-hubspot-request-timestamp": f"{time}000"}


def atlassian(secret, body, id, time, url):
    return {"x-hub-signature": "sha256=" + mac("sha256", secret.encode(), body).hex()}


def jira(secret, body, id, time, url):
    return {**atlassian(secret, body, id, time, url), "x-atlassian-webhook-identifier": id}


def bitbucket(secret, body, id, time, url):
    return {**atlassian(secret, body, id, time, url), "x-request-uuid": id, "x-event-key": "repo:push"}


def timed(header, field, unit="", separator=","):
    def sign(secret, body, id, time, url):
        time += unit
        signature = mac("sha256", secret.encode(), f"{time}.".encode() + body).hex()
        return {header: f"t={time}{separator}{field}={signature}"}
    return sign


def plain(header, id_header=None):
    def sign(secret, body, id, time, url):
        signed = {header: mac("sha256", secret.encode(), body).hex()}
        return {**signed, id_header: id} if id_header else signed
    return sign


def pusher(secret, body, id, time, url):
    return {**plain("x-pusher-signature")(secret, body, id, time, url), "x-pusher-key": "app", "content-type": "application/json"}


def retell(secret, body, id, time, url):
    signature = mac("sha256", secret.encode(), body + f"{time}000".encode()).hex()
    return {"x-retell-signature": f"v={time}000,d={signature}"}


def telnyx(secret, body, id, time, url, private_key):
    signature = private(private_key).sign(f"{time}|".encode() + body)
    return {"telnyx-signature-ed25519": b64(signature), "telnyx-timestamp": time}


def twitch(secret, body, id, time, url):
    name, sent = "twitch-eventsub-message", rfc3339(time, timezone.utc).replace("+00:00", ".000000000Z")
    signature = mac("sha256", secret.encode(), f"{id}{sent}".encode() + body).hex()
    return {f"{name}-id": id, f"{name}-timestamp": sent, f"{name}-signature": "sha256=" + signature}


def box(secret, body, id, time, url):
    sent = rfc3339(time, timezone(timedelta(hours=-8)))
    headers = {"box-delivery-timestamp": sent, "box-signature-version": "1", "box-signature-algorithm": "HmacSHA256"}
    return {**headers, "box-signature-primary": b64(mac("sha256", secret.encode(), body + sent.encode()))}


def rfc3339(time, zone):
    return datetime.fromtimestamp(int(time), zone).isoformat()


def polar_legacy(secret, body, id, time, url):
    return standard("webhook")("whsec_" + b64(secret.encode()), body, id, time, url)


SERVICES = {
    **{name: standard("webhook") for name in ("openai", "anthropic", "replicate", "gitlab", "supabase", "polar")},
    "polar-legacy": polar_legacy, "notion": notion, "hubspot": hubspot, "jira": jira, "bitbucket": bitbucket,
    "elevenlabs": timed("elevenlabs-signature", "v0"), "mux": timed("mux-signature", "v1"),
    "workos": timed("workos-signature", "v1", unit="000", separator=", "),
    "razorpay": plain("x-razorpay-signature", "x-razorpay-event-id"), "stream": plain("x-signature", "x-webhook-id"),
    "pusher": pusher, "retell": retell, "telnyx": telnyx, "twitch": twitch, "box": box,
    **{name: standard("svix") for name in ("resend", "clerk")},
    "standard-webhooks": standard("webhook"), "svix": standard("svix"), "stripe": stripe, "github": github, "slack": slack,
    "twilio": twilio, "paddle": paddle, "square": square, "linear": linear, "line": line,
    "sanity": sanity, "shopify": shopify, "sendgrid": sendgrid,
    "discord-events": discord, "discord-interactions": discord, "meta": meta, "wise": wise, "zoom": zoom,
}


def main():
    for text in sys.stdin:
        request = json.loads(text)
        service = request.pop("service")
        request["body"] = base64.b64decode(request["body"])
        print(json.dumps(SERVICES[service](**request)), flush=True)


if __name__ == "__main__":
    main()
