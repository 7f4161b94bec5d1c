import os
import sqlite3
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import path_of, receive

with sqlite3.connect(path_of("responses.db")) as database:
    database.execute("pragma journal_mode = wal")
    database.execute("create table if not exists responses (id integer primary key, body text)")


def handle(event):
    if event["event"] != "response.submitted":
        return
    database = sqlite3.connect(path_of("responses.db"), timeout=10)
    with database:
        database.execute(
            "insert into responses values (?, ?) on conflict do nothing",
            (event["response"]["id"], str(event["response"])),
        )
    database.close()


receive(handle)
