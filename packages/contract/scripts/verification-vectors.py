"""Writes vectors/webhooks.json: deliveries that a receiver must accept or refuse, and why.

Signed with Python's hmac and hashlib, so that no expected result depends on our code. Run from packages/contract:
python3 scripts/verification-vectors.py. With --check it only compares.
"""
import base64
import hashlib
import hmac
import json
import sys
from pathlib import Path

FILE = Path(__file__).parent.parent / "vectors" / "webhooks.json"
SECRET = "whsec_4f1d2c8e9a7b6053f1e2d3c4b5a69788"
NEXT_SECRET = "whsec_0c9b8a7f6e5d4c3b2a190817f6e5d4c3"
SIGNED_AT = 1795253400
EVENT, DELIVERY = "X-Service-Event", "X-Service-Delivery"
TIMESTAMP, SIGNATURE = "X-Service-Timestamp", "X-Service-Signature"


def event(name="response.submitted", **response):
    return {
        "event": name,
        "form": {"id": "Fm3xAmpLe0Id", "title": "Customer survey"},
        "response": {
            "id": 4711,
            "submitted_at": "2026-11-21T09:30:00.000Z",
            "answers": [{"question_id": "q_1", "title": "How was it?", "type": "rating", "value": 5, "text": "5"}],
            "score": None,
            "max_score": None,
            "meta": {"device": "desktop", "utm": {"source": "newsletter"}},
            **response,
        },
    }


def without(value, *path):
    *parents, last = path
    inner = value
    for key in parents:
        inner = inner[key]
    del inner[last]
    return value


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def sign(body, timestamp=SIGNED_AT, secret=SECRET):
    digest = hmac.new(secret.encode(), str(timestamp).encode() + b"." + body, hashlib.sha256).hexdigest()
    return "sha256=" + digest


def signed(body, name="response.submitted", timestamp=SIGNED_AT, secret=SECRET, **changes):
    """The headers of a delivery. A change to None leaves the header out."""
    headers = {EVENT: name, DELIVERY: "dlv_1", TIMESTAMP: str(timestamp), SIGNATURE: sign(body, timestamp, secret)}
    headers.update({f"X-Service-{key}": value for key, value in changes.items()})
    return {key: value for key, value in headers.items() if value is not None}


vectors = []


def vector(name, expect, body, headers, secrets=(SECRET,), now=SIGNED_AT, tolerance=300):
    assert name not in {each["name"] for each in vectors}, name
    vectors.append({
        "name": name,
        "secrets": list(secrets),
        "headers": headers,
        "body_base64": base64.b64encode(body).decode(),
        "now": now,
        "tolerance_seconds": tolerance,
        "expect": expect,
    })


def accept(name, body, headers=None, type="response.submitted", **rest):
    vector(name, {"ok": True, "type": type}, body, headers or signed(body, type), **rest)


def refuse(name, code, body, headers=None, **rest):
    vector(name, {"ok": False, "code": code}, body, headers or signed(body), **rest)


BODY = compact(event())
GOOD = sign(BODY)
DIGITS = GOOD[len("sha256="):]

# Accepted.
accept("a submitted response", BODY)
accept("a test event, whose response id is 0", compact(event("test.ping", id=0)), type="test.ping")
accept("an event type that was added later",
       compact({"event": "form.closed", "form": {"id": "Fm3xAmpLe0Id"}}), type="form.closed")
accept("an event of a later type without form and response", b'{"event":"workspace.renamed"}', type="workspace.renamed")
accept("unknown fields at every level", compact({
    **event(answers=[{"question_id": "q_1", "title": "How was it?", "type": "hologram", "value": {"x": [1]}, "text": "", "extra": 1}], language="en"),
    "form": {"id": "Fm3xAmpLe0Id", "title": "Customer survey", "folder": None},
    "version": 2,
}))
accept("no answers", compact(event(answers=[])))
accept("white space and a final newline in the body", json.dumps(event(), indent=2).encode() + b"\n")
accept("members in another order", compact(dict(reversed(event().items()))))
accept("text in several scripts", compact(event(answers=[
    {"question_id": "q_1", "title": "Grüße, 満足度, رضا", "type": "long_text", "value": "👩🏽‍🚀 é e\u0301 \u2028", "text": "👩🏽‍🚀 é e\u0301 \u2028"}])))
accept("the same text as escape sequences", json.dumps(event(answers=[
    {"question_id": "q_1", "title": "Grüße, 満足度, رضا", "type": "long_text", "value": "👩🏽‍🚀", "text": "👩🏽‍🚀"}])).encode())
accept("a body of 100 kB", compact(event(answers=[
    {"question_id": "q_1", "title": "Why?", "type": "long_text", "value": "y" * 99_600, "text": ""}])))
accept("without the event header", BODY, signed(BODY, Event=None))
accept("without the delivery header", BODY, signed(BODY, Delivery=None))
accept("header names in lower case", BODY, {key.lower(): value for key, value in signed(BODY).items()})
accept("header names in upper case", BODY, {key.upper(): value for key, value in signed(BODY).items()})
accept("other headers beside them", BODY, {
    "Content-Type": "application/json", "Content-Length": str(len(BODY)), "User-Agent": "Formwire", **signed(BODY)})
accept("as old as the tolerance", BODY, now=SIGNED_AT + 300)
accept("as far ahead as the tolerance", BODY, now=SIGNED_AT - 300)
accept("a tolerance of zero, in the same second", BODY, tolerance=0)
accept("an hour old, with a tolerance of an hour", BODY, now=SIGNED_AT + 3600, tolerance=3600)
accept("rotation: signed with the old secret", BODY, secrets=(NEXT_SECRET, SECRET))
accept("rotation: signed with the new secret", BODY, signed(BODY, secret=NEXT_SECRET), secrets=(NEXT_SECRET, SECRET))
accept("a secret longer than a SHA-256 block", BODY, signed(BODY, secret="whsec_" + "c" * 94), secrets=("whsec_" + "c" * 94,))
accept("a secret that is not ASCII", BODY, signed(BODY, secret="whsec_schlüssel-🔑"), secrets=("whsec_schlüssel-🔑",))
accept("a secret with a final newline, which is part of the key", BODY, signed(BODY, secret=SECRET + "\n"), secrets=(SECRET + "\n",))

# Refused: headers.
refuse("the signature header is missing", "missing_header", BODY, signed(BODY, Signature=None))
refuse("the timestamp header is missing", "missing_header", BODY, signed(BODY, Timestamp=None))
refuse("no headers", "missing_header", BODY, {"Content-Type": "application/json"})
refuse("the signature without its prefix", "malformed_header", BODY, signed(BODY, Signature=DIGITS))
refuse("the signature with another prefix", "malformed_header", BODY, signed(BODY, Signature="sha512=" + DIGITS))
refuse("the prefix of the signature in upper case", "malformed_header", BODY, signed(BODY, Signature="SHA256=" + DIGITS))
refuse("uppercase hex digits in the signature", "malformed_header", BODY, signed(BODY, Signature="sha256=" + DIGITS.upper()))
refuse("the signature truncated to eight digits", "malformed_header", BODY, signed(BODY, Signature=GOOD[:15]))
refuse("the signature with one more digit", "malformed_header", BODY, signed(BODY, Signature=GOOD + "0"))
refuse("the signature with a letter that is not hex", "malformed_header", BODY, signed(BODY, Signature=GOOD[:-1] + "g"))
refuse("the signature in base64", "malformed_header", BODY,
       signed(BODY, Signature="sha256=" + base64.b64encode(bytes.fromhex(DIGITS)).decode()))
refuse("an empty signature header", "malformed_header", BODY, signed(BODY, Signature=""))
refuse("a space after the prefix of the signature", "malformed_header", BODY, signed(BODY, Signature="sha256= " + DIGITS))
refuse("the signature header given twice", "malformed_header", BODY, signed(BODY, Signature=[GOOD, GOOD]))
refuse("a second signature header with another value", "malformed_header", BODY,
       signed(BODY, Signature=[GOOD, "sha256=" + "0" * 64]))
refuse("the timestamp header given twice", "malformed_header", BODY, signed(BODY, Timestamp=[str(SIGNED_AT), str(SIGNED_AT)]))
refuse("the delivery header given twice", "malformed_header", BODY, signed(BODY, Delivery=["dlv_1", "dlv_2"]))
refuse("the event header given twice", "malformed_header", BODY,
       signed(BODY, Event=["response.submitted", "response.submitted"]))
refuse("a timestamp with a fraction, signed as such", "malformed_header", BODY,
       signed(BODY, timestamp=f"{SIGNED_AT}.0"))
refuse("a timestamp with a plus sign, signed as such", "malformed_header", BODY, signed(BODY, timestamp=f"+{SIGNED_AT}"))
refuse("a timestamp with a leading zero, signed as such", "malformed_header", BODY, signed(BODY, timestamp=f"0{SIGNED_AT}"))
# A receiver that signs the number it has read, not the text, accepts these.
refuse("a timestamp with a plus sign, signed without it", "malformed_header", BODY, signed(BODY, Timestamp=f"+{SIGNED_AT}"))
refuse("a timestamp with a leading zero, signed without it", "malformed_header", BODY, signed(BODY, Timestamp=f"0{SIGNED_AT}"))
refuse("a timestamp with a fraction of zero, signed without it", "malformed_header", BODY, signed(BODY, Timestamp=f"{SIGNED_AT}.0"))
refuse("a timestamp with letters after it, signed without them", "malformed_header", BODY, signed(BODY, Timestamp=f"{SIGNED_AT}s"))
refuse("a timestamp in exponent notation, signed as such", "malformed_header", BODY, signed(BODY, timestamp="1.7952534e9"))
refuse("a timestamp in ISO 8601, signed as such", "malformed_header", BODY, signed(BODY, timestamp="2026-11-21T09:30:00Z"))
refuse("a negative timestamp, signed as such", "malformed_header", BODY, signed(BODY, timestamp="-1795253400"))
refuse("an empty timestamp header", "malformed_header", BODY, signed(BODY, Timestamp=""))
refuse("a malformed signature on an old delivery", "malformed_header", BODY, signed(BODY, Signature="sha256=" + DIGITS.upper()), now=SIGNED_AT + 9000)

# Refused: age.
refuse("one second older than the tolerance", "timestamp_too_old", BODY, now=SIGNED_AT + 301)
refuse("one second further ahead than the tolerance", "timestamp_in_future", BODY, now=SIGNED_AT - 301)
refuse("a tolerance of zero, one second later", "timestamp_too_old", BODY, now=SIGNED_AT + 1, tolerance=0)
refuse("a tolerance of zero, one second earlier", "timestamp_in_future", BODY, now=SIGNED_AT - 1, tolerance=0)
refuse("a timestamp in milliseconds, signed as such", "timestamp_in_future", BODY, signed(BODY, timestamp=SIGNED_AT * 1000))
refuse("timestamp zero, signed as such", "timestamp_too_old", BODY, signed(BODY, timestamp=0))
refuse("an old delivery with a wrong signature", "timestamp_too_old", BODY,
       signed(BODY, Signature="sha256=" + "0" * 64), now=SIGNED_AT + 301)

# Refused: signature.
refuse("one character of the body changed", "no_match", BODY.replace(b'"value":5', b'"value":4'), signed(BODY))
refuse("the last character of the body missing", "no_match", BODY[:-1], signed(BODY))
refuse("a newline added to the body", "no_match", BODY + b"\n", signed(BODY))
refuse("the body parsed and serialized again", "no_match", json.dumps(event()).encode(), signed(BODY))
refuse("an empty body with the signature of another", "no_match", b"", signed(BODY))
refuse("another timestamp than the signed one", "no_match", BODY, signed(BODY, Timestamp=str(SIGNED_AT + 1)))
refuse("signed over the body alone", "no_match", BODY,
       signed(BODY, Signature="sha256=" + hmac.new(SECRET.encode(), BODY, hashlib.sha256).hexdigest()))
refuse("signed with a dash instead of the dot", "no_match", BODY,
       signed(BODY, Signature="sha256=" + hmac.new(SECRET.encode(), f"{SIGNED_AT}-".encode() + BODY, hashlib.sha256).hexdigest()))
refuse("not a MAC but a plain SHA-256", "no_match", BODY,
       signed(BODY, Signature="sha256=" + hashlib.sha256(SECRET.encode() + f"{SIGNED_AT}.".encode() + BODY).hexdigest()))
refuse("the last digit of the signature changed", "no_match", BODY,
       signed(BODY, Signature=GOOD[:-1] + ("0" if GOOD[-1] != "0" else "1")))
refuse("signed with the secret of another endpoint", "no_match", BODY, signed(BODY, secret=NEXT_SECRET))
refuse("signed with the secret without whsec_", "no_match", BODY, signed(BODY, secret=SECRET[len("whsec_"):]))
refuse("signed with an empty secret", "no_match", BODY, signed(BODY, secret=""))
refuse("rotation: signed with a secret that was removed", "no_match", BODY,
       signed(BODY, secret="whsec_removed"), secrets=(NEXT_SECRET, SECRET))
refuse("a wrong signature on a body that is not JSON", "no_match", b"not json", signed(BODY))

# Refused although the signature is right: anybody can sign with a blank secret.
for what, blank in (("an empty secret", ""), ("a secret of white space", " \t\n"), ("a secret of NUL bytes", "\0\0")):
    refuse(f"{what}, and signed with it", "invalid_secret", BODY, signed(BODY, secret=blank), secrets=(blank,))
refuse("rotation: an empty secret beside another, and signed with it", "invalid_secret", BODY,
       signed(BODY, secret=""), secrets=(SECRET, ""))

# Refused: signed, but not an event.
refuse("a signed body that is not JSON", "invalid_json", b"not json")
refuse("a signed empty body", "invalid_json", b"")
refuse("signed JSON that ends too early", "invalid_json", BODY[:-1])
refuse("signed JSON with something after it", "invalid_json", BODY + b"{}")
refuse("a signed list", "unexpected_payload", b"[]")
refuse("a signed null", "unexpected_payload", b"null")
refuse("a signed string", "unexpected_payload", b'"response.submitted"')
refuse("a signed event without its name", "unexpected_payload", compact(without(event(), "event")), signed(compact(without(event(), "event")), Event=None))
refuse("a signed event whose name is a number", "unexpected_payload", compact(event(1)), signed(compact(event(1)), Event=None))
refuse("a signed response.submitted without form", "unexpected_payload", compact(without(event(), "form")))
refuse("a signed response.submitted without form id", "unexpected_payload", compact(without(event(), "form", "id")))
refuse("a signed response.submitted without response", "unexpected_payload", compact(without(event(), "response")))
refuse("a signed response.submitted without response id", "unexpected_payload", compact(without(event(), "response", "id")))
refuse("a signed response.submitted whose response id is a string", "unexpected_payload", compact(event(id="4711")))
refuse("a signed response.submitted whose response id is true", "unexpected_payload", compact(event(id=True)))
refuse("a signed response.submitted without answers", "unexpected_payload", compact(without(event(), "response", "answers")))
refuse("a signed response.submitted whose answers are an object", "unexpected_payload", compact(event(answers={})))
PING = compact(without(event("test.ping", id=0), "response", "answers"))
refuse("a signed test.ping without answers", "unexpected_payload", PING, signed(PING, "test.ping"))
refuse("an event header that contradicts the signed body", "event_mismatch", BODY, signed(BODY, "test.ping"))
refuse("an event header of a later type that contradicts the signed body", "event_mismatch", BODY, signed(BODY, "form.closed"))

text = json.dumps({"version": 1, "vectors": vectors}, ensure_ascii=False, indent=2) + "\n"
if "--check" in sys.argv:
    if FILE.read_text(encoding="utf-8") != text:
        sys.exit("vectors/webhooks.json is out of date; run scripts/verification-vectors.py")
else:
    FILE.write_text(text, encoding="utf-8")
    accepted = sum(each["expect"]["ok"] for each in vectors)
    print(f"{accepted} accepted, {len(vectors) - accepted} refused")
