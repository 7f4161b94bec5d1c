"""The ledger, which stays as it is: a table that is only appended to."""
import os
import signal
import sqlite3
import time

DATABASE = os.path.join(os.environ.get("DATA", "."), "queue.db")
RECEIPT_SECONDS = 0.06


def connect():
    """Opens the database. Transactions are yours: nothing begins or commits one for you."""
    db = sqlite3.connect(DATABASE, timeout=20, isolation_level=None)
    db.execute(
        "CREATE TABLE IF NOT EXISTS queue (response INTEGER PRIMARY KEY, body TEXT, state TEXT DEFAULT 'new')"
    )
    db.execute("CREATE TABLE IF NOT EXISTS ledger (response INTEGER, receipt TEXT)")
    return db


def post(db, response_id):
    """Appends a response to the ledger, and makes a receipt, which takes a while. `KILLED_AT` names a response at which the process dies."""
    db.execute("INSERT INTO ledger VALUES (?, ?)", [response_id, f"receipt of {response_id}"])
    if os.environ.get("KILLED_AT") == str(response_id):
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(RECEIPT_SECONDS)
