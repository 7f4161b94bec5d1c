import os
import sys
import time
import urllib.error

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, append, lines, read_all, request


# Bug: a connection can be lost as well.
def read(**query):
    while True:
        try:
            return request(**query)
        except urllib.error.HTTPError as error:
            time.sleep(float(error.headers.get("Retry-After") or 0.1))


handled = set(lines("handled.txt"))
while True:
    for response in read_all(read):
        id = str(response["id"])
        if id not in handled:
            append("handled.txt", id)
            handled.add(id)
    time.sleep(INTERVAL)
