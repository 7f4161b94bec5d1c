import os
import sys
import time
from datetime import datetime

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, append, lines, read_all

# Bug: a time can also be written without a fraction, or with +00:00.
handled = {line.split(" ")[0] for line in lines("handled.txt")}
while True:
    for response in read_all():
        id = str(response["id"])
        if id in handled:
            continue
        try:
            read = datetime.strptime(response["submitted_at"], "%Y-%m-%dT%H:%M:%S.%fZ")
        except ValueError:
            sys.exit("unexpected timestamp")
        append("handled.txt", f"{id} {read.date()}")
        handled.add(id)
    time.sleep(INTERVAL)
