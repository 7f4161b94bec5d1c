import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, append, lines, read_all

# Bug: two processes do the same work without a lease.
os.fork()
while True:
    for response in read_all():
        id = str(response["id"])
        if id not in lines("handled.txt"):
            time.sleep(0.002)
            append("handled.txt", id)
    time.sleep(INTERVAL)
