"""Repeated headers, the forms a timestamp may have, and how old it may be."""

from builder import CLOCK, NOW, as_latin1, compact, delivery, mac, sign
from datetime import datetime, timedelta, timezone

BASE = datetime.fromtimestamp(CLOCK, timezone.utc)
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def add(cases):
    repeated(cases)
    forms(cases)
    ages(cases)


def repeated(cases):
    def refused(name, description, why, headers, **rest):
        cases.add("repeated-header", name, description, why, "401", headers=headers, **rest)

    joined = "which of the two would count is anyone's guess"
    zeros = "sha256=" + "0" * 64
    for name, description, make in [
        ("signature-twice", "the right signature on two lines", lambda good: [good, good]),
        ("signature-right-wrong", "the right signature, then a wrong one", lambda good: [good, zeros]),
        ("signature-wrong-right", "a wrong signature, then the right one", lambda good: [zeros, good]),
        ("signature-right-empty", "the right signature, then an empty one", lambda good: [good, ""]),
        ("signature-ten-times", "ten signatures, the last one right", lambda good: [zeros] * 9 + [good]),
    ]:
        values = make(sign(compact(delivery(name))))
        refused(name, description, joined, [["X-Webhook-Timestamp", NOW]] + [["X-Webhook-Signature", value] for value in values])
    name = "signature-twice-two-cases"
    good = sign(compact(delivery(name)))
    refused(name, "the right signature under two spellings of the name", joined, [["X-Webhook-Timestamp", NOW], ["X-Webhook-Signature", good], ["x-webhook-signature", good]])

    stale = str(CLOCK - 9000)
    split = "age taken from one line and the MAC from the other"
    for name, description, why, stamps, signed_with in [
        ("timestamp-twice", "the same timestamp on two lines", joined, [NOW, NOW], NOW),
        ("timestamp-twice-joined", "two equal timestamps, signed as one value with a comma", joined, [NOW, NOW], f"{NOW}, {NOW}"),
        ("timestamp-fresh-stale", "a fresh timestamp, then the stale one that was signed", split, [NOW, stale], stale),
        ("timestamp-stale-fresh", "the stale timestamp that was signed, then a fresh one", split, [stale, NOW], stale),
    ]:
        signature = sign(compact(delivery(name)), signed_with)
        refused(name, description, why, [["X-Webhook-Timestamp", value] for value in stamps] + [["X-Webhook-Signature", signature]])
    name = "content-type-twice"
    cases.add("repeated-header", name, "Content-Type on two lines, JSON and HTML", "the media type decides nothing", ["accepted", "415"], extra=[("Content-Type", "text/html")], policy=True)


def forms(cases):
    def accepted(name, description, value):
        cases.add("timestamp", name, description, "one of four forms that cannot be mistaken for each other", "accepted", timestamp=value, policy=True)

    def either(name, description, why, value):
        cases.add("timestamp", name, description, why, ["accepted", "401"], timestamp=value, policy=True)

    def refused(name, description, value, why="a form that is not known is refused, never guessed", policy=False):
        cases.add("timestamp", name, description + ", correctly signed", why, "401", timestamp=value, policy=policy)

    accepted("form-seconds", "Unix seconds", NOW)
    accepted("form-milliseconds", "Unix milliseconds", NOW + "000")
    accepted("form-milliseconds-odd", "Unix milliseconds that are not a whole second", NOW + "417")
    accepted("form-rfc3339", "RFC 3339 in UTC", "2026-03-10T12:00:00Z")
    for digits in ["5", "25", "125", "123456", "123456789"]:
        accepted(f"form-rfc3339-fraction-{len(digits)}", f"RFC 3339 with {len(digits)} digits of a second", f"2026-03-10T12:00:00.{digits}Z")
    accepted("form-rfc3339-east", "RFC 3339 at +05:45", "2026-03-10T17:45:00+05:45")
    accepted("form-rfc3339-west", "RFC 3339 at -09:30", "2026-03-10T02:30:00-09:30")
    accepted("form-rfc3339-zero", "RFC 3339 at +00:00", "2026-03-10T12:00:00+00:00")
    accepted("form-rfc3339-next-day", "RFC 3339 whose local date is another day", "2026-03-11T01:00:00+13:00")
    accepted("form-http-date", "an HTTP date", "Tue, 10 Mar 2026 12:00:00 GMT")
    permitted = "RFC 3339 lets an application choose"
    either("form-rfc3339-lower", "RFC 3339 in lower case", permitted, "2026-03-10t12:00:00z")
    either("form-rfc3339-unknown-zone", "RFC 3339 at -00:00", permitted, "2026-03-10T12:00:00-00:00")
    either("form-rfc3339-fraction-20", "RFC 3339 with 20 digits of a second", "no clock has them, no grammar forbids them", "2026-03-10T12:00:00.12345678901234567890Z")

    number = "a number has 10 or 13 digits and nothing else"
    for name, description, value in [
        ("nan", "NaN", "NaN"),
        ("infinity", "Infinity", "Infinity"),
        ("minus-infinity", "-Infinity", "-Infinity"),
        ("null", "the word null", "null"),
        ("undefined", "the word undefined", "undefined"),
        ("true", "the word true", "true"),
        ("minus", "a minus sign before the seconds", "-" + NOW),
        ("plus", "a plus sign before the seconds", "+" + NOW),
        ("point", "a point after the seconds", NOW + "."),
        ("point-zero", "seconds with a decimal", NOW + ".0"),
        ("point-first", "a point before the digits", "." + NOW),
        ("exponent", "an exponent", "1.773144e9"),
        ("hexadecimal", "hexadecimal", hex(CLOCK)),
        ("octal", "octal", oct(CLOCK)),
        ("binary", "binary", bin(CLOCK)),
        ("underscores", "digits in groups with underscores", "1_773_144_000"),
        ("commas", "digits in groups with commas", "1,773,144,000"),
        ("apostrophes", "digits in groups with apostrophes", "1'773'144'000"),
        ("letters-after", "letters after the seconds", NOW + "abc"),
        ("letters-before", "a letter before the seconds", "t" + NOW),
        ("bigint", "seconds with an n", NOW + "n"),
        ("unit", "seconds with an s", NOW + "s"),
        ("two-numbers", "two numbers with a space", f"{NOW} {NOW}"),
        ("digits-1", "a single zero", "0"),
        ("digits-9", "nine digits", NOW[:9]),
        ("digits-11", "eleven digits", NOW + "0"),
        ("digits-11-leading-zero", "a zero before the seconds", "0" + NOW),
        ("digits-12", "twelve digits", NOW + "00"),
        ("digits-14", "fourteen digits", NOW + "0000"),
        ("digits-16", "microseconds", NOW + "000000"),
        ("digits-19", "nanoseconds", NOW + "000000000"),
        ("digits-400", "400 digits", "9" * 400),
        ("digits-8000", "8,000 digits", "1" * 8000),
        ("above-2-53", "a number above 2^53", "9007199254740993"),
        ("quoted", "seconds in quotes", f'"{NOW}"'),
        ("json-object", "a JSON object", '{"seconds":1}'),
        ("json-list", "a JSON list", f"[{NOW}]"),
        ("proto", "__proto__", "__proto__"),
        ("arabic-digits", "Arabic-Indic digits in UTF-8", as_latin1("".join(chr(0x660 + int(d)) for d in NOW))),
        ("full-width-digits", "full-width digits in UTF-8", as_latin1("".join(chr(0xFF10 + int(d)) for d in NOW))),
        ("superscript-digits", "superscript digits as high bytes", "\u00b9\u00b2\u00b3" + NOW[3:]),
    ]:
        refused("not-a-time-" + name, description, value, number, policy=name in ("digits-16", "digits-19", "point-zero"))
    zone = "local time means another instant on another machine"
    for name, description, value in [
        ("no-zone", "no zone", "2026-03-10T12:00:00"),
        ("date-only", "a date alone", "2026-03-10"),
        ("space", "a space in place of T", "2026-03-10 12:00:00Z"),
        ("underscore", "an underscore in place of T", "2026-03-10_12:00:00Z"),
    ]:
        refused("not-rfc3339-" + name, "RFC 3339 with " + description, value, zone, policy=True)
    exact = "a date that does not exist, or a spelling RFC 3339 does not have"
    for name, description, value in [
        ("basic", "the basic format", "20260310T120000Z"),
        ("february-30", "30 February", "2026-02-30T12:00:00Z"),
        ("february-29", "29 February of a common year", "2026-02-29T12:00:00Z"),
        ("month-0", "month 0", "2026-00-10T12:00:00Z"),
        ("month-13", "month 13", "2026-13-10T12:00:00Z"),
        ("day-0", "day 0", "2026-03-00T12:00:00Z"),
        ("hour-24", "hour 24 of the day before", "2026-03-09T24:00:00Z"),
        ("hour-36", "hour 36 of the day before", "2026-03-09T36:00:00Z"),
        ("minute-60", "minute 60", "2026-03-10T11:60:00Z"),
        ("second-60", "second 60", "2026-03-10T11:59:60Z"),
        ("no-seconds", "no seconds", "2026-03-10T12:00Z"),
        ("one-digit", "one-digit fields", "2026-3-10T12:0:0Z"),
        ("week", "a week date", "2026-W11-2T12:00:00Z"),
        ("ordinal", "a day of the year", "2026-069T12:00:00Z"),
        ("comma", "a decimal comma", "2026-03-10T12:00:00,5Z"),
        ("empty-fraction", "a point and no digits", "2026-03-10T12:00:00.Z"),
        ("offset-99", "an offset of 99:99", "2026-03-10T12:00:00+99:99"),
        ("offset-24", "an offset of 24 hours", "2026-03-11T12:00:00+24:00"),
        ("offset-60-minutes", "an offset of 60 minutes", "2026-03-10T13:00:00+00:60"),
        ("offset-hours", "an offset in hours alone", "2026-03-10T14:00:00+02"),
        ("offset-no-colon", "an offset without a colon", "2026-03-10T14:00:00+0200"),
        ("two-zones", "two zones", "2026-03-10T12:00:00Z+00:00"),
        ("zone-name", "the name of a zone", "2026-03-10T12:00:00 UTC"),
        ("zone-bracket", "a zone in brackets", "2026-03-10T12:00:00Z[UTC]"),
        ("long-year", "a year of six digits", "+002026-03-10T12:00:00Z"),
        ("text-after", "text after the zone", "2026-03-10T12:00:00Zabc"),
    ]:
        refused("not-rfc3339-" + name, description, value, exact)
    only = "of the HTTP dates only the one form that is sent today is read"
    for name, description, value in [
        ("asctime", "the form of asctime", "Tue Mar 10 12:00:00 2026"),
        ("rfc850", "the form of RFC 850", "Tuesday, 10-Mar-26 12:00:00 GMT"),
        ("weekday", "a day of the week that is not that day's", "Mon, 10 Mar 2026 12:00:00 GMT"),
        ("no-weekday", "no day of the week", "10 Mar 2026 12:00:00 GMT"),
        ("utc", "UTC in place of GMT", "Tue, 10 Mar 2026 12:00:00 UTC"),
        ("numeric-zone", "a numeric zone", "Tue, 10 Mar 2026 12:00:00 +0000"),
        ("lower", "lower case", "tue, 10 mar 2026 12:00:00 gmt"),
        ("short-year", "a year of two digits", "Tue, 10 Mar 26 12:00:00 GMT"),
        ("february-30", "30 February", "Mon, 30 Feb 2026 12:00:00 GMT"),
    ]:
        refused("not-http-date-" + name, "an HTTP date with " + description, value, only)
    for name, description, value in [
        ("us", "a date with slashes", "3/10/2026"),
        ("us-time", "a date with slashes and a time", "03/10/2026 12:00:00"),
        ("javascript", "the text of a JavaScript date", "Tue Mar 10 2026 12:00:00 GMT+0000 (Coordinated Universal Time)"),
        ("word", "the word now", "now"),
    ]:
        refused("not-a-date-" + name, description, value, "the platform's own parser would read it, and differently on each machine")

    refused("timestamp-empty", "an empty timestamp", "", "an absent time is not a fresh one")
    for name, description, message in [
        ("timestamp-missing", "no X-Webhook-Timestamp, a MAC over dot and body", b"."),
        ("timestamp-missing-plain", "no X-Webhook-Timestamp, a MAC over the body", b""),
        ("timestamp-missing-undefined", 'no X-Webhook-Timestamp, a MAC over "undefined", dot and body', b"undefined."),
    ]:
        signature = "sha256=" + mac(message + compact(delivery(name))).hexdigest()
        cases.add("timestamp", name, description, "an absent time is not a fresh one", "401", timestamp=None, signature=signature)


def ages(cases):
    inside, outside = "within the tolerance of 300 s", "outside the tolerance of 300 s, so it may be a replay"

    def aged(name, description, value, accepted, why=None, policy=True):
        cases.add(
            "age",
            name,
            description,
            why or (inside if accepted else outside),
            "accepted" if accepted else "401",
            timestamp=value,
            policy=policy,
        )

    for offset in [5, 290, 299, 300, 301, 310, 3600, 86400, 315360000]:
        for sign_of, word in [(-1, "old"), (1, "ahead")]:
            aged(f"{word}-{offset}s", f"{offset} s {word}, in seconds", str(CLOCK + sign_of * offset), offset <= 300)
    for milliseconds in [299999, 300000, 300001, 300500]:
        for sign_of, word in [(-1, "old"), (1, "ahead")]:
            value = CLOCK * 1000 + sign_of * milliseconds
            text = f"{milliseconds / 1000:.3f} s {word}"
            aged(f"{word}-{milliseconds}ms", text + ", in milliseconds", str(value), milliseconds <= 300000)
            instant = BASE + timedelta(milliseconds=sign_of * milliseconds)
            rfc = instant.strftime("%Y-%m-%dT%H:%M:%S.") + f"{instant.microsecond // 1000:03d}Z"
            aged(f"{word}-{milliseconds}ms-rfc3339", text + ", in RFC 3339", rfc, milliseconds <= 300000)
    for offset in [300, 301, 3600]:
        for sign_of, word in [(-1, "old"), (1, "ahead")]:
            instant = BASE + timedelta(seconds=sign_of * offset)
            aged(f"{word}-{offset}s-http-date", f"{offset} s {word}, as an HTTP date", http_date(instant), offset <= 300)
            local = instant + timedelta(hours=2)
            aged(f"{word}-{offset}s-offset", f"{offset} s {word}, in RFC 3339 at +02:00", local.strftime("%Y-%m-%dT%H:%M:%S+02:00"), offset <= 300)
    applied = "the offset is part of the instant"
    aged("offset-hides-age", "a clock face that shows now, at an offset that makes it hours old", "2026-03-10T12:00:00+05:45", False, applied, False)
    aged("offset-hides-future", "a clock face that shows now, at an offset that puts it hours ahead", "2026-03-10T12:00:00-05:00", False, applied, False)
    unit = "seconds and milliseconds are told apart by their length"
    aged("milliseconds-far", "13 digits that are decades ahead", "2773144000000", False, unit, False)
    aged("milliseconds-of-1970", "seconds with zeros in front, 13 digits", "000" + NOW, False, unit, False)
    aged("seconds-zero", "ten zeros", "0" * 10, False, unit, False)
    aged("seconds-nines", "ten nines", "9" * 10, False, unit, False)


def http_date(instant):
    return f"{DAYS[instant.weekday()]}, {instant.day:02d} {MONTHS[instant.month - 1]} {instant.year} {instant:%H:%M:%S} GMT"
