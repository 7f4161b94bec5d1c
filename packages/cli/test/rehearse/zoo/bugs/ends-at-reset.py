import os
import sys
import time
import urllib.error

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import follow, request


# Bug: a connection can be lost as well.
def read(**query):
    while True:
        try:
            return request(**query)
        except urllib.error.HTTPError as error:
            time.sleep(float(error.headers.get("Retry-After") or 0.1))


follow(read)
