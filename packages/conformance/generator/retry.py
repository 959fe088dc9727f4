"""The same delivery more than once: what holds only with a store behind the receiver."""

from builder import NOW, compact, delivery, request, step


def add(cases):
    def repeated(name, description, why, steps, processed, kind="sequence", **rest):
        cases.add("retry", name, description, why, kind, steps=steps, needs_store=True, processed=processed, **rest)

    def new(data, *expect):
        return step(data, *expect, new_connection=True)

    earlier = str(int(NOW) - 30)
    bad_mac = "sha256=" + "0" * 64
    once = "a service may deliver more than once; the effect happens once"
    repeated("same-bytes", "one request sent again, unchanged", once, [new(request("same-bytes-x"), "accepted")] * 2, 1)
    repeated("same-bytes-one-connection", "the same bytes twice on one connection", once, [step(request("same-one-x"), "accepted")] * 2, 1)
    repeated("signed-again", "a retry that was signed again", once, [new(request("again-x", timestamp=earlier), "accepted"), new(request("again-x"), "accepted")], 1)
    name = "written-again"
    spaced = compact(delivery("written-x")).replace(b",", b", ")
    repeated(name, "a retry with other white space", "the id names the delivery, not its bytes", [new(request("written-x"), "accepted"), new(request("written-x", body=spaced), "accepted")], 1)
    unsigned_id = "no signature covers the header id, so it cannot tell deliveries apart"
    body = compact(delivery("header-id-x"))
    repeated("header-id-changes", "the same body under two values of X-Webhook-Id", unsigned_id, [new(request("header-id-a", body=body), "accepted"), new(request("header-id-b", body=body), "accepted")], 1)
    first, second = (compact(delivery(f"header-id-{n}")) for n in (1, 2))
    repeated("header-id-stays", "two bodies under one X-Webhook-Id", unsigned_id, [new(request("header-id-same", body=first), "accepted"), new(request("header-id-same", body=second), "accepted")], 2)
    proof = "what was not verified claims nothing"
    forged = new(request("forged-x", signature=bad_mac), "401")
    repeated("forged-first", "a forgery with the same id, then the delivery", proof, [forged, new(request("forged-x"), "accepted")], 1)
    stale = str(int(NOW) - 4000)
    repeated("stale-first", "a stale copy, then the delivery", proof, [new(request("stale-x", timestamp=stale), "401"), new(request("stale-x"), "accepted")], 1)
    repeated("forged-after", "the delivery, then a forgery with the same id", proof, [new(request("forged-y"), "accepted"), new(request("forged-y", signature=bad_mac), "401")], 1)
    unknown = compact(delivery("unknown-x", "message.reacted"))
    repeated("unknown-event-twice", "an unknown event twice", once, [new(request("unknown-x", body=unknown), "accepted")] * 2, 1)
    repeated(
        "at-once",
        "20 copies at the same time",
        "one claims it; the others are acknowledged or told to come back",
        [new(request("at-once-x"), "accepted", "409", "425", "429", "503")] * 20,
        1,
        "concurrent",
    )
    boom = compact(delivery("failed-x", content={"boom": True}))
    cases.add(
        "retry",
        "failed-then-again",
        "a delivery whose handler fails, twice",
        "a failure releases the claim, so that the retry runs",
        "sequence",
        steps=[new(request("failed-x", body=boom), "5xx")] * 2,
        needs_store=True,
        processed=0,
        calls=2,
    )
