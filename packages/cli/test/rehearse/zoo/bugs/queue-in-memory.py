import os
import sys
import threading
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import append, lines, receive

handled = set(lines("handled.txt"))
lock = threading.Lock()
queue = []


def work():
    while True:
        time.sleep(0.3)
        with lock:
            batch = queue[:]
            queue.clear()
        for id in batch:
            append("handled.txt", id)


# Bug: what was acknowledged waits in memory for the next batch.
def handle(event):
    id = str(event["response"]["id"])
    with lock:
        if event["event"] == "response.submitted" and id not in handled:
            handled.add(id)
            queue.append(id)


threading.Thread(target=work, daemon=True).start()
receive(handle)
