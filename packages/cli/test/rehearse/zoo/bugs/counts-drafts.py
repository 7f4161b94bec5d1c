import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, append, lines, read_all

handled = set(lines("handled.txt"))
while True:
    # Bug: a draft is no response yet, and may never be one.
    for response in read_all() + read_all(status="in_progress"):
        id = str(response["id"])
        if id not in handled:
            append("handled.txt", id)
            handled.add(id)
    time.sleep(INTERVAL)
