import base64
import hashlib
import hmac
import json


def test_a_failing_receiver_gets_the_delivery_again(formwire):
    form = formwire.app(
        "POST",
        "/forms",
        {"title": "Feedback", "questions": [{"id": "stars", "type": "rating", "title": "How was it?"}]},
    )
    formwire.app("POST", f"/forms/{form['id']}/publish")

    # A receiver that fails twice. The endpoint's secret exists only once the receiver has a URL.
    receiver = formwire.app("POST", "/receivers", {"script": ["500", "reset", "200"]})
    endpoint = formwire.app("POST", f"/forms/{form['id']}/webhooks", {"url": receiver["url"]})
    formwire.app("PUT", f"/receivers/{receiver['id']}", {"secret": endpoint["secret"]})

    answers = [{"question_id": "stars", "value": 5}]
    formwire.app("POST", f"/forms/{form['id']}/responses", {"answers": answers, "deliver": True})
    formwire.wait("delivery", attempts=1)
    formwire.advance("6m")  # the retries after 1 minute and 5 more

    delivery = formwire.wait("delivery", status="delivered")
    assert delivery["attempts"] == 3

    received = formwire.app("GET", f"/receivers/{receiver['id']}/deliveries")
    assert [one["status"] for one in received] == [500, None, 200]
    assert all(one["verified"] for one in received)
    assert {one["delivery_id"] for one in received} == {delivery["id"]}

    # What your own receiver checks: HMAC-SHA256 of the timestamp, a dot and the raw body.
    last = received[-1]
    body = base64.b64decode(last["body_base64"])
    signed = last["headers"]["x-service-timestamp"].encode() + b"." + body
    digest = hmac.new(endpoint["secret"].encode(), signed, hashlib.sha256).hexdigest()
    assert last["headers"]["x-service-signature"] == f"sha256={digest}"
    assert json.loads(body)["response"]["answers"][0]["value"] == 5


def test_a_closed_form_refuses_responses(formwire):
    form = formwire.app("POST", "/forms", {"title": "Feedback"})
    formwire.app("POST", f"/forms/{form['id']}/publish")
    formwire.app("POST", f"/forms/{form['id']}/close")
    assert formwire.app("GET", f"/forms/{form['id']}")["status"] == "closed"
