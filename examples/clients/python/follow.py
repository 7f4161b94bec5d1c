"""Follows the responses of a form: prints each as a line of JSON, oldest first, without gaps or duplicates while rows come
and go. Standard library only. FORMWIRE_BASE_URL=… FORMWIRE_API_KEY=… python3 follow.py FORM
"""
import datetime, http.client, json, os, sys, time, urllib.parse, urllib.request

BASE_URL = os.environ["FORMWIRE_BASE_URL"].rstrip("/")
API_KEY = os.environ["FORMWIRE_API_KEY"]
PER_PAGE = int(os.environ.get("PER_PAGE", 100))
INTERVAL = float(os.environ.get("INTERVAL", 30))


def get(path, query):
    """Returns the JSON of a GET. Waits as long as the service asks for, and retries what can succeed later until it does."""
    url, pause = f"{BASE_URL}/api/v1{path}?{urllib.parse.urlencode(query)}", 0.5
    while True:
        try:
            request = urllib.request.Request(url, headers={"Authorization": f"Bearer {API_KEY}"})
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except (OSError, http.client.HTTPException, ValueError) as error:  # an HTTPError, or no complete response
            status, seconds = getattr(error, "code", 503), getattr(error, "headers", {}).get("Retry-After", "")
            if status != 429 and status < 500: raise
            print(f"{error}: retrying", file=sys.stderr)
            time.sleep(int(seconds) if seconds.isdecimal() else pause)
            pause = min(pause * 2, 60)


def pages(form, since):
    """Yields the pages of a list that changes meanwhile, newest row first. A row may come twice, but none is skipped."""
    query = {"per_page": PER_PAGE, **({"since": since} if since else {})}
    total = known = 0  # `known`: the index up to which every row was seen
    while True:
        number = known // PER_PAGE + 1
        page = get(f"/forms/{urllib.parse.quote(form, safe='')}/responses", {**query, "page": number})
        # New rows push others to later pages, where they come again. A removed row pulls later ones up, past the page
        # boundary: go back by as many rows as can have been removed since the last page.
        known = max(0, known - max(0, total - page["meta"]["total"]))
        total = page["meta"]["total"]
        start = (number - 1) * PER_PAGE
        if start <= known:
            known = max(known, start + len(page["data"]))
            yield page["data"]
            if known >= total or len(page["data"]) < PER_PAGE:
                return


def instant(row):
    return datetime.datetime.fromisoformat(row["submitted_at"].replace("Z", "+00:00"))


def poll(form, state, handle, save):
    """Handles every response since the state, oldest first. The state moves past a response once it is handled."""
    rows, newest = {}, None
    for page in pages(form, state["since"]):
        newest = newest or max(map(instant, page), default=None)
        # Between rows that arrived during the walk others may be missing: they belong to the next poll.
        rows.update((row["id"], row) for row in page if instant(row) <= newest)
    for row in sorted(rows.values(), key=lambda row: (instant(row), row["id"])):
        if row["id"] in state["ids"]:
            continue  # `since` is inclusive
        handle(row)
        ids = state["ids"] if row["submitted_at"] == state["since"] else []
        state = {"since": row["submitted_at"], "ids": [*ids, row["id"]]}
        save(state)
    return state


def save(state, file=os.environ.get("CHECKPOINT", "checkpoint.json")):
    with open(file + ".new", "w") as new:
        json.dump(state, new)
    os.replace(file + ".new", file)


if __name__ == "__main__":
    try:
        with open(os.environ.get("CHECKPOINT", "checkpoint.json")) as file: state = json.load(file)
    except FileNotFoundError: state = {"since": None, "ids": []}
    while True:
        state = poll(sys.argv[1], state, lambda row: print(json.dumps(row), flush=True), save)
        time.sleep(INTERVAL)
