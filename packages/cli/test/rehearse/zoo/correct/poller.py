import json
import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, lines, read_all, replace

state = json.loads("".join(lines("state.json")) or '{"since": null, "ids": []}')
while True:
    for response in read_all(since=state["since"]):
        if response["id"] not in state["ids"]:
            state["since"] = response["submitted_at"]
            state["ids"].append(response["id"])
            replace("state.json", json.dumps(state) + "\n")
    time.sleep(INTERVAL)
