import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import append, receive


# Bug: a delivery that comes again is handled again.
def handle(event):
    if event["event"] == "response.submitted":
        append("handled.txt", event["response"]["id"])


receive(handle)
