import hashlib
import hmac
import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

INTERVAL = 0.05
ENV = os.environ


def path_of(name):
    return os.path.join(ENV["FORMWIRE_REHEARSAL_DIR"], name)


def append(name, line):
    with open(path_of(name), "a") as file:
        file.write(f"{line}\n")


def lines(name):
    if not os.path.exists(path_of(name)):
        return []
    with open(path_of(name)) as file:
        return file.read().split("\n")[:-1]


def replace(name, text):
    with open(path_of(name + ".new"), "w") as file:
        file.write(text)
    os.replace(path_of(name + ".new"), path_of(name))


def receive(handle):
    """Receives deliveries, and acknowledges each once `handle` has returned."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = 401
            if is_genuine(self.headers, body):
                handle(json.loads(body))
                status = 200
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    ThreadingHTTPServer.request_queue_size = 128
    ThreadingHTTPServer(("127.0.0.1", int(ENV["PORT"])), Handler).serve_forever()


def is_genuine(headers, body):
    timestamp = headers["X-Service-Timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = ENV["FORMWIRE_WEBHOOK_SECRET"].encode()
    digest = hmac.new(key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest("sha256=" + digest, headers["X-Service-Signature"])


def request(**query):
    """Requests a page of responses once."""
    known = {name: value for name, value in query.items() if value is not None}
    url = f"{ENV['FORMWIRE_BASE_URL']}/api/v1/forms/{ENV['FORMWIRE_FORM_ID']}/responses"
    headers = {"Authorization": f"Bearer {ENV['FORMWIRE_API_KEY']}"}
    call = urllib.request.Request(f"{url}?{urllib.parse.urlencode(known)}", headers=headers)
    with urllib.request.urlopen(call, timeout=5) as answer:
        return json.load(answer)


def read_page(**query):
    """Reads a page of responses, and tries again until it has it."""
    while True:
        pause = 0.1
        try:
            return request(**query)
        except urllib.error.HTTPError as error:
            pause = float(error.headers.get("Retry-After") or pause)
        except (OSError, ValueError, EOFError, http.client.HTTPException):
            pass
        time.sleep(pause)


def read_all(read=read_page, **query):
    """Reads all pages of responses, again when rows were added or deleted meanwhile."""
    while True:
        by_id, totals, page, rows = {}, set(), 1, 100
        while rows == 100:
            answer = read(**query, page=page, per_page=100)
            rows = len(answer["data"])
            by_id.update((response["id"], response) for response in answer["data"])
            totals.add(answer["meta"]["total"])
            page += 1
        if len(totals) == 1:
            return list(reversed(by_id.values()))


def follow(read):
    """Writes a line for each new response, for ever."""
    handled = set(lines("handled.txt"))
    while True:
        for response in read_all(read):
            id = str(response["id"])
            if id not in handled:
                append("handled.txt", id)
                handled.add(id)
        time.sleep(INTERVAL)
