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
    with urllib.request.urlopen(request, timeout=5) as response:
        return json.load(response)["data"]


def handle(response):
    with open(HANDLED, "a") as file:
        file.write(f"{response['id']}\n")


since, seen = "1970-01-01", set()
while True:
    for response in reversed(get({"since": since, "per_page": 100})):
        if response["id"] not in seen:
            handle(response)
            seen.add(response["id"])
        since = response["submitted_at"]
    time.sleep(float(os.environ.get("POLL_SECONDS", 5)))
