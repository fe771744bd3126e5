"""Browsers without drivers: Chromium by its own protocol over two pipes (CDP), Firefox by WebDriver BiDi over a socket. And a web server that
sends the headers of cron/turnpost-site.* and collects what browsers report against the policy. Python's standard library only."""
import base64
import fcntl
import http.server
import json
import os
import pathlib
import re
import select
import shutil
import socket
import struct
import subprocess
import threading
import time

from league import Failed, check, TESTS, WORK


def policies():
    """The policies that we tell operators to send: of all pages, and of /check/."""
    snippet = (TESTS.parent / "cron/turnpost-site.nginx").read_text()
    return re.findall(r'Content-Security-Policy "([^"]+)"', snippet)


class Served:
    """A folder at http://127.0.0.1:PORT/, with the headers; `reports` are those of the browsers."""

    def __init__(self, folder):
        reports = self.reports = []
        usual, check_page = (one + "; report-uri /.report" for one in policies())

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json",
                              ".xml": "application/atom+xml", ".png": "image/png", ".tar": "application/x-tar", "": "application/octet-stream",
                              ".js": "text/javascript", ".wasm": "application/wasm"}

            def __init__(self, *args):
                super().__init__(*args, directory=str(folder))

            def end_headers(self):
                self.send_header("Content-Security-Policy", check_page if self.path.startswith("/check/") else usual)
                self.send_header("X-Content-Type-Options", "nosniff")
                super().end_headers()

            def do_POST(self):
                reports.append(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode(errors="replace"))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = "http://127.0.0.1:%d/" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()


class Chromium:
    """One page of a headless Chromium; `more`: options of its command line."""

    def __init__(self, more=()):
        self.count, self.events, self.rest = 0, [], b""
        to_read, self.out = self.pipe()
        self.into, to_write = self.pipe()
        profile = WORK / "chromium"

        def pipes():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--user-data-dir=%s" % profile,
             *more, "about:blank"], preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=open(WORK / "chromium.log", "wb"))
        os.close(to_read)
        os.close(to_write)
        target = self.call("Target.createTarget", {"url": "about:blank"}, whole=True)["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True}, whole=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    @staticmethod
    def pipe():
        """Both ends, above the numbers that Chromium wants."""
        ends = os.pipe()
        moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
        for end in ends:
            os.close(end)
        return moved

    def read(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.into], [], [], max(0, end - time.monotonic()))
            more = os.read(self.into, 1 << 20) if ready else b""
            if not more:
                raise Failed("Chromium says nothing")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, params=None, whole=False, seconds=20):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params or {}}
        if not whole:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read(seconds)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise Failed("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def view(self, width, dark, height=844):
        """As on a screen of that width."""
        self.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def go(self, url):
        self.events = []
        self.call("Page.navigate", {"url": "about:blank"})
        self.call("Page.navigate", {"url": url})
        end = time.monotonic() + 20
        while self.value("document.readyState + ' ' + location.href.split('#')[0]") != "complete " + url.split("#")[0]:
            if time.monotonic() > end:
                raise Failed(url + " does not load")
            time.sleep(0.02)

    def show(self, html):
        """A page without an address: several times as fast as one that is gone to."""
        frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self.call("Page.setDocumentContent", {"frameId": frame, "html": html})

    def value(self, script, seconds=20):
        answer = self.call("Runtime.evaluate", {"expression": script, "returnByValue": True, "awaitPromise": True}, seconds=seconds)
        if "exceptionDetails" in answer:
            raise Failed("%s: %s" % (script[:200], answer["exceptionDetails"].get("exception", answer["exceptionDetails"])))
        return answer["result"].get("value")

    def press(self, key):
        codes = {"Tab": 9, "Enter": 13}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": codes[key],
                                                 **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {})})

    def trouble(self):
        """What the page had to complain of, and windows that a script opened."""
        self.value("1")
        said = [e["params"]["entry"]["text"] for e in self.events if e.get("method") == "Log.entryAdded"]
        said += [str(e["params"]) for e in self.events if e.get("method") in ("Page.javascriptDialogOpening", "Runtime.exceptionThrown",
                                                                             "Runtime.consoleAPICalled")]
        return said

    def picture(self, path):
        """The whole page, at most 6000 pixels of it."""
        self.value("Promise.all([...document.images].filter(i => i.getClientRects().length).map(i => { i.loading = 'eager'; return i.decode().catch(() => 0); }))")
        height = min(6000, self.value("document.documentElement.scrollHeight"))
        width = self.value("innerWidth")
        shot = self.call("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True,
                                                    "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}}, seconds=60)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


class Firefox:
    """One page of a headless Firefox, over a WebSocket (RFC 6455)."""

    def __init__(self):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self.count, self.events, self.rest = 0, [], b""
        profile = WORK / "firefox"
        shutil.rmtree(profile, ignore_errors=True)
        profile.mkdir(parents=True)
        (profile / "user.js").write_text("".join('user_pref("%s", %s);\n' % p for p in (
            ("app.normandy.enabled", "false"), ("datareporting.policy.dataSubmissionEnabled", "false"), ("browser.startup.page", "0"),
            ("remote.active-protocols", "1"), ("toolkit.telemetry.enabled", "false"), ("browser.aboutwelcome.enabled", "false"),
            ("extensions.update.enabled", "false"), ("network.captive-portal-service.enabled", "false"),
            ("network.connectivity-service.enabled", "false"), ("browser.safebrowsing.downloads.enabled", "false"))))
        self.process = subprocess.Popen(["firefox-esr", "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", str(port),
                                         "about:blank"], stdout=subprocess.DEVNULL, stderr=open(WORK / "firefox.log", "wb"),
                                        env=dict(os.environ, HOME=str(WORK), MOZ_HEADLESS="1"))
        end = time.monotonic() + 40
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), 20)
                break
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise Failed("Firefox does not start: " + (WORK / "firefox.log").read_text()[-2000:])
                time.sleep(0.1)
        self.socket.settimeout(30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(("GET /session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n" % (port, key)).encode())
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        check(b" 101 " in head.split(b"\r\n")[0], "Firefox: %s" % head)
        self.call("session.new", {"capabilities": {}})
        self.call("session.subscribe", {"events": ["log.entryAdded", "browsingContext.userPromptOpened"]})
        self.context = self.call("browsingContext.getTree", {})["contexts"][0]["context"]

    def more(self):
        got = self.socket.recv(1 << 20)
        if not got:
            raise Failed("Firefox has gone")
        self.rest += got

    def take(self, count):
        while len(self.rest) < count:
            self.more()
        part, self.rest = self.rest[:count], self.rest[count:]
        return part

    def frame(self):
        text = b""
        while True:
            first, second = self.take(2)
            size = second & 127
            if size > 125:
                size = struct.unpack(">H" if size == 126 else ">Q", self.take(2 if size == 126 else 8))[0]
            body = self.take(size)
            if first & 15 in (0, 1):
                text += body
                if first & 128:
                    return json.loads(text)
            elif first & 15 == 8:
                raise Failed("Firefox closes")

    def call(self, method, params):
        self.count += 1
        body = json.dumps({"id": self.count, "method": method, "params": params}).encode()
        mask = os.urandom(4)
        size = bytes([128 | len(body)]) if len(body) < 126 else b"\xfe" + struct.pack(">H", len(body))
        self.socket.sendall(b"\x81" + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(body)))
        while True:
            answer = self.frame()
            if answer.get("id") == self.count:
                if answer.get("type") == "error":
                    raise Failed("%s: %s" % (method, answer.get("message")))
                return answer["result"]
            self.events.append(answer)

    def view(self, width, dark, height=844):
        self.call("browsingContext.setViewport", {"context": self.context, "viewport": {"width": width, "height": height}})

    def go(self, url):
        self.events = []
        self.call("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"})

    def value(self, script):
        answer = self.call("script.evaluate", {"expression": "(async () => JSON.stringify(await (%s)))()" % script, "target": {"context": self.context}, "awaitPromise": True})
        if answer["type"] != "success":
            raise Failed("%s: %s" % (script[:200], answer))
        return json.loads(answer["result"]["value"]) if "value" in answer["result"] else None

    def trouble(self):
        self.value("1")
        return [str(e["params"]) for e in self.events if e.get("method") in ("log.entryAdded", "browsingContext.userPromptOpened")]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


# What is asked of a page: texts whose colour is too near to that of their ground (WCAG 2.1, 1.4.3), as a list of words.
CONTRAST = r"""(() => {
  const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0) return c; } return [255, 255, 255]; };
  const bad = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement, words = walk.currentNode.textContent.trim();
    if (!words || !e.getClientRects().length) continue;
    const style = getComputedStyle(e), a = light(parse(style.color)), b = light(ground(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) bad.push(words.slice(0, 40) + " " + ratio.toFixed(2));
  }
  return bad; })()"""
# What is wider than the screen although it cannot be scrolled by itself: the innermost elements, with how far they reach. (innerWidth is no
# measure of the screen: on a telephone it grows with the page.)
TOO_WIDE = r"""(() => { const screen = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll("body *")].filter(e => {
    const box = e.getBoundingClientRect();
    if (!box.width || box.right + scrollX <= screen + 1 || e.closest(".skip")) return false;
    for (let outer = e.parentElement; outer && outer !== document.body; outer = outer.parentElement)
      if (getComputedStyle(outer).overflowX !== "visible") return false;
    return true; });
  const inner = wide.filter(e => !wide.some(other => other !== e && e.contains(other)))
    .map(e => `${e.tagName.toLowerCase()}${e.className ? "." + e.className : ""} "${e.textContent.trim().slice(0, 30)}" to ${Math.ceil(e.getBoundingClientRect().right + scrollX)} px`);
  const page = document.documentElement.scrollWidth;
  return inner.length || page <= screen + 1 ? inner.slice(0, 5) : [`the page to ${page} px`]; })()"""
# What can be touched, but is smaller than 24 by 24 (WCAG 2.2, 2.5.8), texts with links in them aside.
TOO_SMALL = r"""(() => [...document.querySelectorAll("header a, nav a, .way, summary")].filter(e => { const r = e.getBoundingClientRect();
  return r.width && (r.height < 24 || r.width < 24); }).map(e => e.textContent))()"""
