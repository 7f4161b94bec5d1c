import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, append, lines, read_all

# Bug: the newest response comes again, since `since` is inclusive.
handled = lines("handled.txt")
newest = handled[-1].split(" ")[1] if handled else None
while True:
    for response in read_all(since=newest):
        append("handled.txt", f"{response['id']} {response['submitted_at']}")
        newest = response["submitted_at"]
    time.sleep(INTERVAL)
