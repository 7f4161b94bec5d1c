"""Starts one Formwire reference server for the test session and resets it before each test."""

import json
import os
import shlex
import signal
import subprocess
import urllib.error
import urllib.request

import pytest

SERVER = shlex.split(
    os.environ.get(
        "FORMWIRE_SERVER", "npx --yes --package @formwire/reference-server formwire-server"
    )
)


class Formwire:
    """Calls the control API (/_app), which does what people do in the web app and controls the server."""

    def __init__(self, url, admin_token):
        self.url = url
        self._token = admin_token

    def app(self, method, path, body=None):
        """Calls the control API and returns "data". Fails the test with the server's message."""
        request = urllib.request.Request(
            f"{self.url}/_app{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as response:
            error = json.load(response)["error"]
        nearest = error.get("details", {}).get("nearest", "")
        pytest.fail(f"{method} {path}: {error['message']}\n{nearest}", pytrace=False)

    def advance(self, by):
        """Advances the clock, such as by "5m", and waits for every attempt that came due."""
        return self.app("POST", "/clock/advance", {"by": by})

    def wait(self, what, **match):
        """Waits for a "request", "delivery" or "response" with these members, and returns it."""
        return self.app("POST", "/wait", {"for": what, "match": match, "timeout_ms": 30_000})


@pytest.fixture(scope="session")
def formwire_server():
    if "FORMWIRE_ADMIN_TOKEN" in os.environ:  # CI has started one already
        yield Formwire(os.environ["FORMWIRE_BASE_URL"], os.environ["FORMWIRE_ADMIN_TOKEN"])
        return
    command = [*SERVER, "--port", "0", "--seed", "empty", "--clock", "manual", "--json"]
    # In a session of its own, so that the signal reaches the server behind npx too.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        first_line = process.stdout.readline()
        assert first_line, "formwire-server did not start; see its message above"
        started = json.loads(first_line)
        yield Formwire(started["url"], started["admin_token"])
        os.killpg(process.pid, signal.SIGTERM)


@pytest.fixture
def formwire(formwire_server):
    formwire_server.app("POST", "/reset")
    return formwire_server
