import os
import sys
import threading

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import append, receive

handled = set()
lock = threading.Lock()


# Bug: a new process does not know what the one before has handled.
def handle(event):
    id = event["response"]["id"]
    with lock:
        if event["event"] == "response.submitted" and id not in handled:
            append("handled.txt", id)
            handled.add(id)


receive(handle)
