"""Checks verify() against the test vectors: python3 vectors.py FILE, the vectors/webhooks.json of @formwire/contract."""
import base64, json, sys
from receiver import Refused, verify

def get_all(headers):
    lower = {name.lower(): value if isinstance(value, list) else [value] for name, value in headers.items()}
    return lambda name: lower.get(name.lower())

def result(vector):
    body = base64.b64decode(vector["body_base64"])
    try: event = verify(vector["secrets"], get_all(vector["headers"]), body, vector["now"], vector["tolerance_seconds"])
    except Refused as refused: return {"ok": False, "code": str(refused)}
    return {"ok": True, "type": event["event"]}

with open(sys.argv[1], encoding="utf-8") as file: vectors = json.load(file)["vectors"]
wrong = [f"{vector['name']}: expected {vector['expect']}, got {result(vector)}" for vector in vectors if result(vector) != vector["expect"]]
print("\n".join(wrong) or f"{len(vectors)} vectors pass")
sys.exit(len(wrong) > 0)
