import http.client
import json
import os
import time
import urllib.parse
import urllib.request

URL = f"{os.environ['FORMWIRE_BASE_URL']}/api/v1/forms/{os.environ['FORMWIRE_FORM_ID']}/responses"
HANDLED = os.path.join(os.environ.get("DATA", "."), "handled.txt")


def get(query):
    """Returns a page of the list, however long that takes. Raises what will not pass: a refused key, an unknown form."""
    pause = 0.1
    while True:
        request = urllib.request.Request(f"{URL}?{urllib.parse.urlencode(query)}")
        request.add_header("Authorization", f"Bearer {os.environ['FORMWIRE_API_KEY']}")
        wait = pause
        try:
            with urllib.request.urlopen(request, timeout=5) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500:
                raise
            wait = max(pause, float(error.headers.get("Retry-After") or 0))
        except (OSError, http.client.HTTPException, ValueError):
            pass  # no response, or half of one
        time.sleep(wait)
        pause = min(pause * 2, 1)


def handle(response):
    with open(HANDLED, "a") as file:
        file.write(f"{response['id']}\n")


def new_responses(since):
    """Returns what came since, oldest first. New responses push others to later pages, where they come again."""
    rows, page = [], 1
    while True:
        data = get({"since": since, "per_page": 100, "page": page})
        rows += data
        if len(data) < 100:
            return reversed(rows)
        page += 1


since, seen = "1970-01-01", set()
while True:
    for response in new_responses(since):
        if response["id"] not in seen:
            handle(response)
            seen.add(response["id"])
        since = response["submitted_at"]
    time.sleep(float(os.environ.get("POLL_SECONDS", 5)))
