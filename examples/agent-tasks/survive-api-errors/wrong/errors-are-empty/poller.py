import datetime
import http.client
import json
import os
import time
import urllib.parse
import urllib.request

URL = f"{os.environ['FORMWIRE_BASE_URL']}/api/v1/forms/{os.environ['FORMWIRE_FORM_ID']}/responses"
HANDLED = os.path.join(os.environ.get("DATA", "."), "handled.txt")


def get(query):
    request = urllib.request.Request(f"{URL}?{urllib.parse.urlencode(query)}")
    request.add_header("Authorization", f"Bearer {os.environ['FORMWIRE_API_KEY']}")
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):
            raise
        time.sleep(float(error.headers.get("Retry-After") or 0))
    except (OSError, http.client.HTTPException, ValueError):
        pass
    return []


def handle(response):
    with open(HANDLED, "a") as file:
        file.write(f"{response['id']}\n")


since, seen = "1970-01-01", set()
while True:
    asked_at = datetime.datetime.now(datetime.timezone.utc).isoformat()
    for response in reversed(get({"since": since, "per_page": 100})):
        if response["id"] not in seen:
            handle(response)
            seen.add(response["id"])
    # An error looks like a list without news, and the next one begins after what was missed.
    since = asked_at
    time.sleep(float(os.environ.get("POLL_SECONDS", 5)))
