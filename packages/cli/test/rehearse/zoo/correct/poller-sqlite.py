import os
import sqlite3
import sys
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from formwire import INTERVAL, path_of, read_all

database = sqlite3.connect(path_of("responses.db"), timeout=10)
database.execute("pragma journal_mode = wal")
database.execute("create table if not exists responses (id integer primary key, submitted_at text)")
while True:
    (since,) = database.execute("select max(submitted_at) from responses").fetchone()
    with database:
        database.executemany(
            "insert into responses values (?, ?) on conflict do nothing",
            [(response["id"], response["submitted_at"]) for response in read_all(since=since)],
        )
    time.sleep(INTERVAL)
