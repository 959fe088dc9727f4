"""Signs as the services do, written from their documentation and not from the values: the independent side of the judges.

Reads one JSON object a line: {service, secret, body, id, time, url} with the body in base64; writes the headers a line.
"""
import base64
import hashlib
import hmac
import json
import re
import sys
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qsl

try:
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, padding
except ImportError:
    serialization = None


def b64(data):
    return base64.b64encode(data).decode()


def b64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def mac(secret, content):
    return hmac.new(secret.encode(), content, hashlib.sha256).digest()


def mac_of_base64(secret, content):
    return hmac.new(base64.b64decode(secret.removeprefix("whsec_")), content, hashlib.sha256).digest()


def mac_of_sha512(secret, content):
    return hmac.new(secret.encode(), content, hashlib.sha512).digest()


def mac_of_hex(secret, content):
    return hmac.new(bytes.fromhex(secret), content, hashlib.sha256).digest()


def ed25519(key, content):
    return key.sign(content)


def ecdsa(key, content):
    return key.sign(content, ec.ECDSA(hashes.SHA256()))


def rsa(key, content):
    return key.sign(content, padding.PKCS1v15(), hashes.SHA256())


def private(pem):
    if serialization is None:
        raise SystemExit("Public-key signatures need the Python package cryptography.")
    return serialization.load_pem_private_key(pem.encode(), None)


def signer(content, headers, encode=bytes.hex, sign=mac, zone=timezone.utc, fraction=""):
    """`content` is what is signed, and `headers` are what is sent: texts with the parts of the request in braces."""
    before, after = content.split("{body}")

    def headers_of(secret, body, private_key=None, **parts):
        sent = datetime.fromtimestamp(int(parts["time"]), zone).isoformat()
        parts["rfc3339"] = sent.replace("+00:00", fraction + "Z")
        key = private(private_key) if private_key else secret
        signed = before.format(**parts).encode() + body + after.format(**parts).encode()
        parts["signature"] = encode(sign(key, signed))
        return {name: text.format(**parts) for name, text in headers.items()}
    return headers_of


def standard(prefix, sign=mac_of_base64, more={}):
    headers = {f"{prefix}-id": "{id}", f"{prefix}-timestamp": "{time}", **more}
    symmetric, asymmetric = (
        signer("{id}.{time}.{body}", {**headers, f"{prefix}-signature": version + ",{signature}"}, b64, method)
        for version, method in (("v1", sign), ("v1a", ed25519))
    )
    return lambda private_key=None, **request: (
        asymmetric(private_key=private_key, **request) if private_key else symmetric(**request)
    )


def twilio(secret, body, id, time, url):
    content = url.encode()
    if "bodySHA256=" not in url:
        fields = {}
        for name, value in parse_qsl(body.decode(), keep_blank_values=True):
            fields.setdefault(name, set()).add(value)
        for name in sorted(fields):
            content += "".join(name + value for value in sorted(fields[name])).encode()
    signature = hmac.new(secret.encode(), content, hashlib.sha1).digest()
    return {"x-twilio-signature": b64(signature), "i-twilio-idempotency-token": id}


def hubspot(url, **request):
    # The table of its page "Validate requests", whose digits may be in any case.
    signed = re.sub("%(3a|2f|3f|40|21|24|27|28|29|2a|2c|3b)", lambda escape: chr(int(escape[1], 16)), url, flags=re.I)
    headers = {"x-hubspot-signature-v3": "{signature}", "x-hubspot-request-timestamp": "{time}000"}
    return signer("POST{url}{body}{time}000", headers, b64)(url=signed, **request)


DISCORD = signer("{time}{body}", {"x-signature-ed25519": "{signature}", "x-signature-timestamp": "{time}"}, sign=ed25519)
SENDGRID = "x-twilio-email-event-webhook"
TWITCH = "twitch-eventsub-message"

STANDARD = (
    "standard-webhooks", "openai", "anthropic", "replicate", "gitlab", "supabase", "polar", "liveblocks", "dodo", "creem"
)

SERVICES = {
    **{name: standard("webhook") for name in STANDARD},
    "mcp-events": standard("webhook", more={"x-mcp-subscription-id": "sub_01"}),
    **{name: standard("svix") for name in ("svix", "resend", "clerk")},
    "polar-legacy": standard("webhook", mac),
    "stripe": signer("{time}.{body}", {"stripe-signature": "t={time},v1={signature}"}),
    "mux": signer("{time}.{body}", {"mux-signature": "t={time},v1={signature}"}),
    "elevenlabs": signer("{time}.{body}", {"elevenlabs-signature": "t={time},v0={signature}"}),
    "workos": signer("{time}000.{body}", {"workos-signature": "t={time}000, v1={signature}"}),
    "sanity": signer("{time}000.{body}", {"sanity-webhook-signature": "t={time}000,v1={signature}", "idempotency-key": "{id}"}, b64url),
    "retell": signer("{body}{time}000", {"x-retell-signature": "v={time}000,d={signature}"}),
    "paddle": signer("{time}:{body}", {"paddle-signature": "ts={time};h1={signature}"}),
    "slack": signer("v0:{time}:{body}", {"x-slack-request-timestamp": "{time}", "x-slack-signature": "v0={signature}"}),
    "zoom": signer("v0:{time}:{body}", {"x-zm-request-timestamp": "{time}", "x-zm-signature": "v0={signature}"}),
    "github": signer("{body}", {"x-hub-signature-256": "sha256={signature}", "x-github-delivery": "{id}", "x-github-event": "push"}),
    "meta": signer("{body}", {"x-hub-signature-256": "sha256={signature}"}),
    "notion": signer("{body}", {"x-notion-signature": "sha256={signature}"}),
    "jira": signer("{body}", {"x-hub-signature": "sha256={signature}", "x-atlassian-webhook-identifier": "{id}"}),
    "bitbucket": signer("{body}", {"x-hub-signature": "sha256={signature}", "x-request-uuid": "{id}", "x-event-key": "repo:push"}),
    "razorpay": signer("{body}", {"x-razorpay-signature": "{signature}", "x-razorpay-event-id": "{id}"}),
    "stream": signer("{body}", {"x-signature": "{signature}", "x-webhook-id": "{id}"}),
    "webflow": signer("{time}000:{body}", {"x-webflow-signature": "{signature}", "x-webflow-timestamp": "{time}000"}),
    "gocardless": signer("{body}", {"webhook-signature": "{signature}"}),
    "coinbase-commerce": signer("{body}", {"x-cc-webhook-signature": "{signature}"}),
    "nango": signer("{body}", {"x-nango-hmac-sha256": "{signature}"}),
    "creem-legacy": signer("{body}", {"creem-signature": "{signature}"}),
    "mollie": signer("{body}", {"x-mollie-signature": "sha256={signature}"}),
    "pagerduty": signer("{body}", {"x-pagerduty-signature": "v1={signature}"}),
    "adyen-platform": signer("{body}", {"hmacsignature": "{signature}", "protocol": "HmacSHA256"}, b64, mac_of_hex),
    "lovable": signer("{time}.{body}", {"x-lovable-signature": "sha256={signature}", "x-lovable-timestamp": "{time}"}),
    "sentry": signer("{body}", {"sentry-hook-signature": "{signature}", "sentry-hook-resource": "issue", "request-id": "{id}"}),
    "lemon-squeezy": signer("{body}", {"x-signature": "{signature}"}),
    "paystack": signer("{body}", {"x-paystack-signature": "{signature}"}, sign=mac_of_sha512),
    "quickbooks": signer("{body}", {"intuit-signature": "{signature}"}, b64),
    "docusign": signer("{body}", {"x-docusign-signature-1": "{signature}"}, b64),
    "asana": signer("{body}", {"x-hook-signature": "{signature}"}),
    "dropbox": signer("{body}", {"x-dropbox-signature": "{signature}"}),
    "pusher": signer("{body}", {"x-pusher-signature": "{signature}", "x-pusher-key": "app", "content-type": "application/json"}),
    "linear": signer("{body}", {"linear-signature": "{signature}", "linear-delivery": "{id}"}),
    "line": signer("{body}", {"x-line-signature": "{signature}"}, b64),
    "shopify": signer(
        "{body}", {"x-shopify-hmac-sha256": "{signature}", "x-shopify-webhook-id": "{id}", "x-shopify-topic": "orders/paid"}, b64
    ),
    "square": signer("{url}{body}", {"x-square-hmacsha256-signature": "{signature}"}, b64),
    "hubspot": hubspot,
    "twitch": signer(
        "{id}{rfc3339}{body}",
        {f"{TWITCH}-id": "{id}", f"{TWITCH}-timestamp": "{rfc3339}", f"{TWITCH}-signature": "sha256={signature}"},
        fraction=".000000000",
    ),
    "box": signer(
        "{body}{rfc3339}",
        {
            "box-delivery-timestamp": "{rfc3339}",
            "box-signature-version": "1",
            "box-signature-algorithm": "HmacSHA256",
            "box-signature-primary": "{signature}",
        },
        b64,
        zone=timezone(timedelta(hours=-8)),
    ),
    "twilio": twilio,
    "telnyx": signer("{time}|{body}", {"telnyx-signature-ed25519": "{signature}", "telnyx-timestamp": "{time}"}, b64, ed25519),
    "discord-events": DISCORD,
    "discord-interactions": DISCORD,
    "sendgrid": signer("{time}{body}", {f"{SENDGRID}-signature": "{signature}", f"{SENDGRID}-timestamp": "{time}"}, b64, ecdsa),
    "wise": signer("{body}", {"x-signature-sha256": "{signature}", "x-delivery-id": "{id}"}, b64, rsa),
}

for line in sys.stdin:
    request = json.loads(line)
    service = request.pop("service")
    request["body"] = base64.b64decode(request["body"])
    print(json.dumps(SERVICES[service](**request)), flush=True)
