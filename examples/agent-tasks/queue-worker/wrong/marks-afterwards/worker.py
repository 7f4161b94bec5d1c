import fcntl
import time

from ledger import DATABASE, connect, post

db = connect()
lock = open(DATABASE + ".lock", "w")


def work():
    # One worker at a time, but without a transaction: a kill between the two statements posts the response again.
    fcntl.flock(lock, fcntl.LOCK_EX)
    row = db.execute("SELECT response FROM queue WHERE state = 'new' ORDER BY response LIMIT 1").fetchone()
    if row:
        post(db, row[0])
        db.execute("UPDATE queue SET state = 'done' WHERE response = ?", row)
    fcntl.flock(lock, fcntl.LOCK_UN)
    return row is not None


while True:
    if not work():
        time.sleep(0.1)
