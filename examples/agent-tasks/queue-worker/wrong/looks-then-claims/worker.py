import time

from ledger import connect, post

db = connect()


def work():
    # Two workers look at the same time, and both find the same response.
    row = db.execute("SELECT response FROM queue WHERE state = 'new' ORDER BY response LIMIT 1").fetchone()
    if row:
        db.execute("BEGIN IMMEDIATE")
        post(db, row[0])
        db.execute("UPDATE queue SET state = 'done' WHERE response = ?", row)
        db.execute("COMMIT")
    return row is not None


while True:
    if not work():
        time.sleep(0.1)
