import json
import os
import sys
import threading

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import path_of, receive

os.makedirs(path_of("responses"), exist_ok=True)


# One file a response, complete before it has its name.
def handle(event):
    if event["event"] != "response.submitted":
        return
    id = event["response"]["id"]
    temporary = path_of(f"{id}.{os.getpid()}.{threading.get_ident()}")
    with open(temporary, "w") as file:
        json.dump(event["response"], file)
    try:
        os.link(temporary, path_of(f"responses/{id}"))
    except FileExistsError:
        pass
    os.unlink(temporary)


receive(handle)
