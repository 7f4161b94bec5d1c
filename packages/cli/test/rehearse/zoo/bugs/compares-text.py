import os
import sys
import time
from datetime import datetime

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, append, lines, read_all

# Bug: isoformat() writes the same time with six digits and +00:00, so that text is no order.
newest = (lines("handled.txt") or [" "])[-1].split(" ")[1]
while True:
    for response in read_all():
        if response["submitted_at"] > newest:
            newest = datetime.fromisoformat(response["submitted_at"]).isoformat()
            append("handled.txt", f"{response['id']} {newest}")
    time.sleep(INTERVAL)
