import time

from ledger import connect, post

db = connect()


def work():
    db.execute("BEGIN IMMEDIATE")
    row = db.execute("SELECT response FROM queue WHERE state = 'new' ORDER BY response LIMIT 1").fetchone()
    if row:
        db.execute("UPDATE queue SET state = 'taken' WHERE response = ?", row)
    db.execute("COMMIT")
    if row:
        # What is taken when the worker is killed stays taken.
        db.execute("BEGIN IMMEDIATE")
        post(db, row[0])
        db.execute("UPDATE queue SET state = 'done' WHERE response = ?", row)
        db.execute("COMMIT")
    return row is not None


while True:
    if not work():
        time.sleep(0.1)
