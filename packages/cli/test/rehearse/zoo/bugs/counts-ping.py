import os
import sys
import threading

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import append, lines, receive

handled = set(lines("handled.txt"))
lock = threading.Lock()


# Bug: the event may also be test.ping, with the response id 0.
def handle(event):
    id = str(event["response"]["id"])
    with lock:
        if id not in handled:
            append("handled.txt", id)
            handled.add(id)


receive(handle)
