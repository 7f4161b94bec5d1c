import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, append, lines, read_all, replace

handled = set(lines("handled.txt"))
newest = (lines("since.txt") or [None])[0]
while True:
    responses = read_all(since=newest)
    # Bug: a kill from here on loses what was read.
    if responses:
        newest = responses[-1]["submitted_at"]
        replace("since.txt", newest + "\n")
    for response in responses:
        id = str(response["id"])
        if id not in handled:
            time.sleep(0.05)
            append("handled.txt", id)
            handled.add(id)
    time.sleep(INTERVAL)
