"""Writes the expected values beside this file, with nothing but Python's standard library.

    python3 generate.py

The code under test has no part in them: the MACs are Python's `hmac`, the instants its `datetime`, and the
vectors of RFC 4231 and FIPS 180-4 are typed from the documents and checked against both.
"""

import hashlib
import hmac
import json
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path

HERE = Path(__file__).parent
NOW = datetime(2025, 10, 9, 8, 53, 20, tzinfo=timezone.utc)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

SECRET = 'whsec_2f1c7b9ad04e48c3b5f6a1e07d93c8e2'
PREVIOUS = 'whsec_90d3a44f6be14a52a7c2f80b6c1e5d37'
CANARY_SECRET = 'whsec_SECRETCANARY5a1e'
UNICODE_SECRET = 'whsec_Schlüssel-👋-\u0646'

EVENTS = [
    'message.received',
    'message.sent',
    'message.delivered',
    'message.read',
    'message.failed',
    'instance.connected',
    'instance.disconnected',
]


def milliseconds(when):
    return (when - EPOCH) // timedelta(milliseconds=1)


def mac(secret, timestamp, body):
    return hmac.new(secret.encode(), timestamp + b'.' + body, hashlib.sha256).hexdigest()


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(',', ':'))


def envelope(event, data=None, inner=None, extra=None):
    return {
        'id': '0199c7a2-5d3e-7b11-9c55-1f2e3d4c5b6a',
        'event': event,
        'created_at': '2025-10-09T08:53:20.000Z',
        'data': {
            'instance_id': 'inst_01',
            'event': event if inner is None else inner,
            'data': {'text': 'hello'} if data is None else data,
            'timestamp': '2025-10-09T08:53:19.870Z',
            **(extra or {}),
        },
        **(extra or {}),
    }


def write(name, value):
    text = json.dumps(value, ensure_ascii=True, indent=2) + '\n'
    (HERE / name).write_text(text, encoding='ascii')


def deliveries():
    found = {}
    seconds = str(milliseconds(NOW) // 1000).encode()

    def add(name, body, secret=SECRET, timestamp=seconds):
        raw = body if isinstance(body, bytes) else (body if isinstance(body, str) else compact(body)).encode()
        entry = {'secret': secret, 'timestamp': timestamp.decode('latin-1')}
        try:
            entry['body'] = raw.decode()
        except UnicodeDecodeError:
            entry['body_hex'] = raw.hex()
        entry['signature'] = 'sha256=' + mac(secret, timestamp, raw)
        found[name] = entry

    for event in EVENTS:
        add(event, envelope(event))
    for event in ['message.reacted', 'constructor', 'toString', '__proto__', 'hasOwnProperty']:
        add('unknown ' + event, envelope(event))

    received = envelope('message.received')
    add('previous secret', received, secret=PREVIOUS)
    add('unicode secret', received, secret=UNICODE_SECRET)
    add('spaced and escaped', '\n { "id" : "a\\u002fb\\/c" ,\t"event":"message.read","created_at":"x","data":'
        '{"instance_id":"i","event":"message.\\u0072ead","data":{"n":1.0,"m":1E2},"timestamp":"y"}}\r\n')
    add('replacement character', envelope('message.received', {'text': 'bad \ufffd byte'}))
    add('extra fields', envelope('message.received', extra={'version': 2, 'known': False}))

    add('milliseconds', received, timestamp=str(milliseconds(NOW)).encode())
    add('rfc 3339', received, timestamp=b'2025-10-09T10:53:20.000+02:00')
    add('http-date', received, timestamp=format_datetime(NOW, usegmt=True).encode())
    add('unreadable timestamp', received, timestamp=b'yesterday')
    add('latin-1 timestamp', received, timestamp='hier, à midi'.encode('latin-1'))

    add('empty body', b'')
    add('not json', b'hello')
    add('cut off json', compact(received)[:-1])
    add('byte order mark', b'\xef\xbb\xbf' + compact(received).encode())
    add('not utf-8', compact(received).encode().replace(b'hello', b'h\xffllo'))
    add('array', [received])
    add('events differ', envelope('message.received', inner='message.sent'))
    # 61 more containers inside the three of the envelope.
    add('64 deep', envelope('message.received', {'a': nested(61)}))
    add('65 deep', envelope('message.received', {'a': nested(62)}))
    add('proto', '{"__proto__":{"polluted":1},' + compact(received)[1:-1].replace(
        '"data":{"text"', '"data":{"\\u005f_pr\\u006Fto__":{"polluted":1},"list":[{"__proto__":[1]}],"text"') + '}')

    marked = {'status': 'BODYCANARY', 'text': 'BODYCANARY', 'count': 'BODYCANARY'}
    for event in ['message.received', 'message.sent', 'message.failed']:
        add('canary ' + event, envelope(event, marked), secret=CANARY_SECRET)
    add('canary stale', envelope('message.received', marked), secret=CANARY_SECRET, timestamp=b'1700000000')
    add('canary not json', 'BODYCANARY {"', secret=CANARY_SECRET)
    add('canary not utf-8', b'BODYCANARY \xff', secret=CANARY_SECRET)
    add('canary envelope', {**envelope('message.received', marked), 'id': ['BODYCANARY']}, secret=CANARY_SECRET)
    add('canary events differ', envelope('message.sent', marked, inner='BODYCANARY'), secret=CANARY_SECRET)
    return found


def nested(levels):
    """`levels` containers inside one another, arrays and objects in turn."""
    value = 'end'
    for level in range(levels):
        value = [value] if level % 2 else {'in': value}
    return value


def samples():
    """What the testing entry makes of each event, at NOW and with a fixed id."""
    message_id = '9007199254740993'
    content = {
        'message.received': {
            'message_id': message_id,
            'from': '+15550100',
            'text': 'Hi 👋🏽,\nis <Tom & Jerry> open?\u2028“Ja”, "oui" \\ نعم',
        },
        'message.sent': {'message_id': message_id, 'to': '+15550101', 'text': 'On our way 🚚'},
        'message.delivered': {'message_id': message_id, 'to': '+15550101'},
        'message.read': {'message_id': message_id, 'by': '+15550101'},
        'message.failed': {
            'message_id': message_id,
            'to': '+15550101',
            'error': {'code': 131026, 'title': 'Undeliverable', 'retryable': False},
        },
        'instance.connected': {'phone': '+15550100', 'name': 'Café № 5', 'plan': None},
        'instance.disconnected': {'reason': 'logged_out', 'attempts': 0},
        'message.reacted': {},
    }
    uuid = '7d444840-9dc0-41d1-b245-5ffdce74fad2'
    time = NOW.isoformat(timespec='milliseconds').replace('+00:00', 'Z')
    timestamp = str(milliseconds(NOW) // 1000)
    signed = {}
    for event, data in content.items():
        body = compact({
            'id': uuid,
            'event': event,
            'created_at': time,
            'data': {'instance_id': 'inst_01', 'event': event, 'data': data, 'timestamp': time},
        })
        signed[event] = {'body': body, 'signature': 'sha256=' + mac(SECRET, timestamp.encode(), body.encode())}
    raw = bytes([0x00, 0xFF, 0x2E, 0x0A])
    return {
        'now': milliseconds(NOW),
        'secret': SECRET,
        'id': uuid,
        'timestamp': timestamp,
        'events': signed,
        'bytes': {'hex': raw.hex(), 'signature': 'sha256=' + mac(SECRET, timestamp.encode(), raw)},
        'millisecondTimestamp': {
            'timestamp': str(milliseconds(NOW)),
            'signature': 'sha256=' + mac(SECRET, str(milliseconds(NOW)).encode(), raw),
        },
    }


def timestamps():
    def at(*fields, zone=0):
        return milliseconds(datetime(*fields, tzinfo=timezone(timedelta(minutes=zone))))

    milli = 1000  # datetime counts in microseconds
    return {
        '1760000000': milliseconds(NOW),
        '0000000000': 0,
        '9999999999': 9999999999000,
        '1760000000123': milliseconds(NOW) + 123,
        '0000000000000': 0,
        '9999999999999': 9999999999999,
        '2025-10-09T08:53:20Z': milliseconds(NOW),
        '2025-10-09t08:53:20z': milliseconds(NOW),
        '2025-10-09T08:53:20.1Z': at(2025, 10, 9, 8, 53, 20, 100 * milli),
        '2025-10-09T08:53:20.069Z': at(2025, 10, 9, 8, 53, 20, 69 * milli),
        '2025-10-09T08:53:20.283000000Z': at(2025, 10, 9, 8, 53, 20, 283 * milli),
        '2025-10-09T10:53:20+02:00': at(2025, 10, 9, 10, 53, 20, zone=120),
        '2025-10-09T03:23:20-05:30': at(2025, 10, 9, 3, 23, 20, zone=-330),
        '2025-10-09T08:53:20-00:00': milliseconds(NOW),
        '2025-10-10T08:52:20+23:59': at(2025, 10, 10, 8, 52, 20, zone=23 * 60 + 59),
        '2024-02-29T23:59:59.999Z': at(2024, 2, 29, 23, 59, 59, 999 * milli),
        '2000-02-29T00:00:00Z': at(2000, 2, 29),
        '1969-12-31T23:59:59Z': -1000,
        '0100-01-01T00:00:00Z': at(100, 1, 1),
        '9999-12-31T23:59:59Z': at(9999, 12, 31, 23, 59, 59),
        format_datetime(NOW, usegmt=True): milliseconds(NOW),
        'Thu, 29 Feb 2024 00:00:00 GMT': at(2024, 2, 29),
        'Sun, 06 Nov 1994 08:49:37 GMT': at(1994, 11, 6, 8, 49, 37),
        'Wed, 31 Dec 1969 23:59:59 GMT': -1000,
    }


def rfc4231():
    cases = [
        (b'\x0b' * 20, b'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'),
        (b'Jefe', b'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'),
        (b'\xaa' * 20, b'\xdd' * 50, '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'),
        (bytes(range(1, 26)), b'\xcd' * 50, '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b'),
        (b'\x0c' * 20, b'Test With Truncation', 'a3b6167473100ee06e0c796c2955552b'),
        (b'\xaa' * 131, b'Test Using Larger Than Block-Size Key - Hash Key First',
         '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54'),
        (b'\xaa' * 131, b'This is a test using a larger than block-size key and a larger than block-size data. '
         b'The key needs to be hashed before being used by the HMAC algorithm.',
         '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2'),
    ]
    for key, data, tag in cases:
        assert hmac.new(key, data, hashlib.sha256).hexdigest().startswith(tag), tag
    return [
        {'case': number, 'key': key.hex(), 'data': data.hex(), 'mac': tag}
        for number, (key, data, tag) in enumerate(cases, 1)
    ]


def sha256():
    cases = [
        (b'', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
        (b'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'),
        (b'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
         '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1'),
        (b'\xbd', '68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b'),
        (b'a' * 1000, '41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3'),
    ]
    for data, digest in cases:
        assert hashlib.sha256(data).hexdigest() == digest, digest
    return [{'data': data.hex(), 'digest': digest} for data, digest in cases]


def fingerprint(secret):
    return hashlib.sha256(secret.encode()).hexdigest()[:8]


if __name__ == '__main__':
    write('rfc4231.json', rfc4231())
    write('sha256.json', sha256())
    write('timestamps.json', timestamps())
    write('samples.json', samples())
    write('deliveries.json', {
        'now': milliseconds(NOW),
        'secrets': {
            'current': {'secret': SECRET, 'fingerprint': fingerprint(SECRET)},
            'previous': {'secret': PREVIOUS, 'fingerprint': fingerprint(PREVIOUS)},
            'canary': {'secret': CANARY_SECRET, 'fingerprint': fingerprint(CANARY_SECRET)},
        },
        'deliveries': deliveries(),
    })
