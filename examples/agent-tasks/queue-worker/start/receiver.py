"""The receiver, which stays as it is: verifies a delivery, puts its response into the queue once, and responds."""
import hashlib
import hmac
import json
import os
import time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ledger import connect

SECRET = os.environ["FORMWIRE_WEBHOOK_SECRET"].encode()


def is_genuine(headers, body):
    timestamp = headers.get("X-Service-Timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest("sha256=" + digest, headers.get("X-Service-Signature", ""))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_genuine(self.headers, body):
            return self.respond(401)
        event = json.loads(body)
        if event["event"] == "response.submitted":
            with closing(connect()) as db:
                values = [event["response"]["id"], body.decode()]
                db.execute("INSERT OR IGNORE INTO queue (response, body) VALUES (?, ?)", values)
        self.respond(200)

    def respond(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


connect().close()
ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4000))), Receiver).serve_forever()
