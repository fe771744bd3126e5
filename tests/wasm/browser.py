#!/usr/bin/env python3
"""browser.py CHECK [PICTURES]: check.html in Chromium (over its debugging pipe, no driver), served with the headers that its README
asks for: a good game, one that was changed, one that is not opened, and one whose texts are hostile. Pictures of each, where a
folder for them is given."""
import base64
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

GAMES = pathlib.Path(__file__).resolve().parent.parent.parent / "games"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}
SECONDS = 60
HOSTILE = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>"


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", "": "application/octet-stream"}

    def end_headers(self):
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_):
        pass


class Chromium:
    def __init__(self, profile):
        to_child, from_child = os.pipe(), os.pipe()
        program = shutil.which("chromium") or sys.exit("chromium is not installed")

        def place():
            os.dup2(to_child[0], 3)
            os.dup2(from_child[1], 4)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--user-data-dir=%s" % profile, "about:blank"]
        self.process = subprocess.Popen([program, *options], preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child[0])
        os.close(from_child[1])
        self.out, self.into, self.held, self.number, self.events = to_child[1], from_child[0], b"", 0, []
        target = self.call("Target.createTarget", {"url": "about:blank"}, None)["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True}, None)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.held:
            more = os.read(self.into, 65536)
            if not more:
                sys.exit("chromium has stopped")
            self.held += more
        one, self.held = self.held.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, params=None, session=True):
        self.number += 1
        asked = {"id": self.number, "method": method, "params": params or {}, **({"sessionId": self.session} if session else {})}
        os.write(self.out, json.dumps(asked).encode() + b"\0")
        while True:
            said = self.message()
            if said.get("id") == self.number:
                if "error" in said:
                    sys.exit("%s: %s" % (method, said["error"]))
                return said["result"]
            if "method" in said:
                self.events.append(said)

    def value(self, script):
        return self.call("Runtime.evaluate", {"expression": script, "returnByValue": True, "awaitPromise": True})["result"].get("value")

    def wait(self, script):
        end = time.time() + SECONDS
        while not self.value(script):
            if time.time() > end:
                sys.exit("it never came: %s; the page: %s" % (script, self.value("document.body.innerText")))
            time.sleep(0.05)

    def complaints(self):
        """What the console says: errors, among them those of the policy."""
        logged = [e["params"]["entry"]["text"] for e in self.events if e["method"] == "Log.entryAdded" and e["params"]["entry"]["level"] == "error"]
        thrown = [str(e["params"]["exceptionDetails"]) for e in self.events if e["method"] == "Runtime.exceptionThrown"]
        return logged + thrown


def lay_out(site, check):
    """The site: the page, and games beside it."""
    shutil.copytree(check, site / "check")
    for name in ("words", "galaxy-farmer"):
        shutil.copytree(GAMES / name, site / "games" / name)
    broken = site / "games/broken"
    shutil.copytree(GAMES / "words", broken)
    journal = (broken / "journal.jsonl").read_bytes().split(b"\n")
    journal[9] = re.sub(rb'"time":"[^"]*"', b'"time":"2031-01-01T00:00:00Z"', journal[9])
    (broken / "journal.jsonl").write_bytes(b"\n".join(journal))
    closed = site / "games/closed"
    shutil.copytree(GAMES / "words", closed)
    lines = (closed / "journal.jsonl").read_bytes().splitlines(keepends=True)
    middle = next(at for at, line in enumerate(lines) if b'"type":"turn"' in line and at >= len(lines) // 2)
    (closed / "journal.jsonl").write_bytes(b"".join(lines[: middle + 1]))
    hostile = site / "games/hostile"
    shutil.copytree(GAMES / "words", hostile)
    first = json.dumps(HOSTILE).encode()
    (hostile / "journal.jsonl").write_bytes(re.sub(rb'"type":"create"', b'"type":' + first, b"\n".join(journal), count=1))
    for folder in list((site / "games").iterdir()):
        with tarfile.open(folder.with_suffix(".tar"), "w", format=tarfile.USTAR_FORMAT) as tar:
            tar.add(folder, folder.name)


def whole(game):
    return ["hold: %d records" % (GAMES / game / "journal.jsonl").read_bytes().count(b"\n"), "The league's log has all of it", "Proved: every turn"]


WANTED = {  # what the verdict must say
    "words": whole("words"),
    "galaxy-farmer": whole("galaxy-farmer"),
    "broken": ["Broken at record 11:", "Broken at record 11:"],
    "closed": ["as far as the game is opened", "the proof is of another record than the last one", "Proved as far as opened"],
    "hostile": ["Broken at record 1:", "Cannot be judged"],
}


def main():
    check, pictures = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    work = pathlib.Path(tempfile.mkdtemp(prefix="turnpost-browser."))
    lay_out(work / "site", check)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=work / "site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser, faults, began = Chromium(work / "profile"), [], time.time()
    try:
        for name, wanted in WANTED.items():
            browser.call("Page.navigate", {"url": "http://127.0.0.1:%d/check/check.html?game=../games/%s.tar" % (server.server_port, name)})
            browser.wait("document.body?.dataset.state === 'ready' && location.search.endsWith('/%s.tar')" % name)
            browser.value("document.getElementById('start').click()")
            browser.wait("document.body.dataset.state === 'done'")
            verdicts = browser.value("[...document.querySelectorAll('#verdicts li')].map((one) => one.textContent)")
            if len(verdicts) != len(wanted) or not all(part in verdict for part, verdict in zip(wanted, verdicts)):
                faults.append("%s: %s" % (name, verdicts))
            digest = (check / "rules.wasm.sha256").read_text().strip()
            if browser.value("document.getElementById('digest').textContent") != digest:
                faults.append("%s: the digest of rules.wasm is not shown" % name)
            if browser.value("document.title") != "Check a game yourself" or browser.value("document.images.length"):
                faults.append("%s: a text of the game became a part of the page" % name)
            for width, dark in ((390, False), (1200, True)) if pictures else ():
                browser.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
                browser.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
                shot = browser.call("Page.captureScreenshot", {"captureBeyondViewport": True})["data"]
                pictures.mkdir(parents=True, exist_ok=True)
                (pictures / ("check-%s-%d.png" % (name, width))).write_bytes(base64.b64decode(shot))
        complaints = [text for text in browser.complaints() if "favicon" not in text and "404" not in text]
        faults += ["the console: " + text for text in complaints]
    finally:
        browser.process.terminate()
        browser.process.wait()
        server.shutdown()
        shutil.rmtree(work, ignore_errors=True)
    for fault in faults:
        print("WRONG " + fault)
    print("check.html in Chromium: %d games, %d faults, %d s" % (len(WANTED), len(faults), time.time() - began))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
