import time

from ledger import connect, post

db = connect()


def work():
    """Posts the next response. Returns whether there was one."""
    # IMMEDIATE takes the lock before it looks: no other worker can see the same response. A kill before COMMIT undoes all.
    db.execute("BEGIN IMMEDIATE")
    row = db.execute("SELECT response FROM queue WHERE state = 'new' ORDER BY response LIMIT 1").fetchone()
    if row:
        post(db, row[0])
        db.execute("UPDATE queue SET state = 'done' WHERE response = ?", row)
    db.execute("COMMIT")
    return row is not None


while True:
    if not work():
        time.sleep(0.1)
