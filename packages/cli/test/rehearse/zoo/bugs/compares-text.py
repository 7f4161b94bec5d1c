import os
import sys
import time
from datetime import datetime

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, append, lines, read_all

# Bug: written with milliseconds and Z, a time is only in order with others that are written like this.
handled = [line.split(" ") for line in lines("handled.txt")]
ids = {id for id, _ in handled}
newest = handled[-1][1] if handled else ""
while True:
    for response in read_all():
        id = str(response["id"])
        if response["submitted_at"] < newest or id in ids:
            continue
        read = datetime.fromisoformat(response["submitted_at"].replace("Z", "+00:00"))
        newest = read.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        append("handled.txt", f"{id} {newest}")
        ids.add(id)
    time.sleep(INTERVAL)
