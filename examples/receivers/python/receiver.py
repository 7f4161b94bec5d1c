"""Receives Formwire webhooks with Python's standard library: verifies, stores each response once, responds at once."""
import contextlib, hashlib, hmac, json, os, re, sqlite3, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
MAX_BODY = 2_621_440
class Refused(ValueError): pass

def verify(secrets, get_all, body, now, tolerance=300):
    """Returns the event or raises Refused. `get_all(name)` returns every value of a header, `body` is the raw bytes."""
    values = [get_all("X-Service-" + name) or [] for name in ("Signature", "Timestamp", "Event", "Delivery")]
    if not values[0] or not values[1]: raise Refused("missing_header")
    signature, timestamp, event_name, delivery = map(", ".join, values)
    well_formed = re.fullmatch("sha256=[0-9a-f]{64} (0|[1-9][0-9]{0,12})", f"{signature} {timestamp}")
    if not well_formed or "," in event_name + delivery: raise Refused("malformed_header")
    if any(re.fullmatch(r"[\s\0]*", key) for key in secrets): raise Refused("invalid_secret")
    if abs(age := now - int(timestamp)) > tolerance: raise Refused("timestamp_too_old" if age > 0 else "timestamp_in_future")
    macs = (hmac.new(key.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest() for key in secrets)
    if not any(hmac.compare_digest("sha256=" + mac, signature) for mac in macs): raise Refused("no_match")
    try: event = json.loads(body.decode())
    except (ValueError, RecursionError): raise Refused("invalid_json")
    if not isinstance(event, dict) or not isinstance(event.get("event"), str): raise Refused("unexpected_payload")
    if event_name and event_name != event["event"]: raise Refused("event_mismatch")
    if event["event"] in ("response.submitted", "test.ping"):
        form, response = (each if isinstance(each, dict) else {} for each in (event.get("form"), event.get("response")))
        types = type(form.get("id")), type(response.get("id")), type(response.get("answers"))
        if types != (str, int, list) or abs(response["id"]) >= 2**53: raise Refused("unexpected_payload")
    return event

def inbox(sql, *values):
    """Runs one statement. A worker of yours reads the inbox: long work happens after the response."""
    with contextlib.closing(sqlite3.connect(os.environ.get("INBOX", "inbox.db"), timeout=5)) as db, db:
        db.execute("CREATE TABLE IF NOT EXISTS inbox (form TEXT, response INTEGER, body BLOB, PRIMARY KEY (form, response))")
        return db.execute(sql, values).fetchone()

class Receiver(BaseHTTPRequestHandler):
    timeout = 10
    def read_body(self):
        length, chunked = self.headers.get("Content-Length", ""), "Transfer-Encoding" in self.headers
        body = self.rfile.read(min(int(length), MAX_BODY + 1) if length.isdecimal() else 0)
        while chunked and len(body) <= MAX_BODY and (size := int(self.rfile.readline(20).split(b";")[0], 16)) > 0:
            body += self.rfile.read(min(size + 2, MAX_BODY))[:size]
        if len(body) > MAX_BODY: raise Refused("body_too_large")
        return body
    def do_POST(self):
        if self.path != "/webhooks": return self.respond(404)
        try: event = verify(os.environ["FORMWIRE_WEBHOOK_SECRET"].split(), self.headers.get_all, body := self.read_body(), time.time())
        except ValueError as error: return self.respond({"no_match": 401, "body_too_large": 413}.get(str(error), 400), error)
        if event["event"] == "response.submitted":  # form and response id are signed; the delivery id is not
            inbox("INSERT OR IGNORE INTO inbox VALUES (?, ?, ?)", event["form"]["id"], event["response"]["id"], body)
        self.respond(200)
    def do_GET(self):
        if self.path != "/handled": return self.respond(405)
        self.respond(200, inbox("SELECT count(*) FROM inbox")[0])
    do_PUT = do_GET
    def respond(self, status, text=""):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(str(text).encode())

if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4000))), Receiver).serve_forever()
