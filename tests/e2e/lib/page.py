"""The order page in a browser: its folder at https://HOST/ for Chromium (passkeys work at that address alone) and at http://localhost:PORT/ for
Firefox, with the headers that we tell operators to send; Chromium's virtual authenticator; and what a person does on it, step by step."""
import base64
import hashlib
import http.server
import json
import re
import ssl
import threading
import time

from browser import Chromium, Firefox
from league import Failed, check, sh, TESTS, WORK

HOST = "orders.example.org"
HEADERS = re.findall(r'add_header ([A-Za-z-]+) "?([^"\n]+?)"? always;', (TESTS.parent / "cron/turnpost-page.nginx").read_text())  # what we tell operators to send


def certificate():
    """(certificate, key, digest of its public key as Chromium wants it) for HOST."""
    cert, key = WORK / "page.pem", WORK / "page.key"
    sh("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout", key, "-out", cert,
       "-subj", "/CN=" + HOST, "-addext", "subjectAltName=DNS:" + HOST)
    pem = sh("openssl", "x509", "-in", cert, "-pubkey", "-noout")
    der = base64.b64decode("".join(pem.splitlines()[1:-1]))
    return cert, key, base64.b64encode(hashlib.sha256(der).digest()).decode()


class Hosted:
    """A folder with the page's headers; `reports` are those of browsers against the policy, `asked` what they asked for."""

    def __init__(self, folder, tls=None):
        reports, asked = [], []
        self.reports, self.asked, self.folder = reports, asked, folder

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json",
                              ".js": "text/javascript", "": "application/octet-stream"}

            def __init__(self, *args):
                super().__init__(*args, directory=str(folder))

            def end_headers(self):
                for name, value in HEADERS:
                    self.send_header(name, value + ("; report-uri /.report" if name == "Content-Security-Policy" else ""))
                super().end_headers()

            def do_GET(self):
                asked.append(self.path)
                super().do_GET()

            def do_POST(self):
                reports.append(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode(errors="replace"))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.base = "http://localhost:%d/" % self.port
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.base = "https://%s/" % HOST
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()


def chromium_for(hosted, pin):
    """HOST is this server, whose key it takes for certified; a page may read the clipboard."""
    browser = Chromium(["--host-resolver-rules=MAP %s:443 127.0.0.1:%d" % (HOST, hosted.port), "--ignore-certificate-errors-spki-list=" + pin])
    browser.call("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}, whole=True)
    return browser


def authenticator(browser, verified=True):
    """A telephone's own one: passkeys that stay, and a person who is there."""
    browser.call("WebAuthn.enable")
    return browser.call("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": verified,
        "automaticPresenceSimulation": True}})["authenticatorId"]


class Page:
    """What a person does on it. `browser`: either one."""

    def __init__(self, browser, base):
        self.browser, self.base, self.taps = browser, base, 0

    def value(self, script):
        return self.browser.value(script)

    def wait(self, script, what, seconds=40):
        end = time.monotonic() + seconds
        while True:
            try:
                got = self.value(script)
            except Failed:
                got = None  # the page is being loaded
            if got:
                return got
            if time.monotonic() > end:
                raise Failed("%s; the page: %s" % (what, self.value("document.body?.innerText")))
            time.sleep(0.03)

    def open(self, fragment=""):
        self.browser.go("about:blank")  # or another fragment would be no other page
        self.browser.go(self.base + fragment)
        self.wait("document.body.dataset.state === 'ready'", "the page does not begin")

    def set(self, name, words):
        """Into a field, as if it were pasted."""
        check(self.value("(() => { const e = document.getElementById(%s); if (!e) return false; e.value = %s; "
                         "e.dispatchEvent(new Event(e.tagName === 'SELECT' || e.type === 'file' ? 'change' : 'input', {bubbles: true})); return true; })()"
                         % (json.dumps(name), json.dumps(words))), "no field " + name)

    def tap(self, selector):
        self.taps += 1
        done = self.value("(() => { const e = document.querySelector(%s); if (!e || e.disabled || !e.getClientRects().length) return false; e.click(); return true; })()"
                          % json.dumps(selector))
        if not done:
            raise Failed("%s cannot be tapped; the page: %s" % (selector, self.value("document.body.innerText")))

    def text(self, name):
        return self.value("document.getElementById(%s).textContent" % json.dumps(name))

    def choose(self, verb):
        self.set("verb", verb)

    def paste(self, mail):
        self.set("pasted", mail)
        self.wait("document.getElementById('mail-said').textContent !== ''", "nothing is said of the mail")
        return self.text("mail-said")

    def paste_by_button(self, mail):
        """As `paste`, out of the clipboard of the system."""
        self.value("navigator.clipboard.writeText(%s)" % json.dumps(mail))
        self.tap("#paste")
        self.wait("document.getElementById('pasted').value !== '' && document.getElementById('mail-said').textContent !== ''", "nothing is pasted")
        return self.text("mail-said")

    def open_proof(self, proof):
        """The mail's attachment, saved and chosen as a file."""
        self.value("(() => { const files = new DataTransfer(); files.items.add(new File([%s], 'proof.txt')); const e = document.getElementById('proof'); "
                   "e.files = files.files; e.dispatchEvent(new Event('change', {bubbles: true})); return 1; })()" % json.dumps(proof))
        self.wait("document.getElementById('mail-said').textContent.includes('proves the record')", "the proof is not taken")
        return self.text("mail-said")

    def suggestions(self):
        return self.value("[...document.querySelectorAll('#suggestions code')].map(e => e.textContent)")

    def orders(self):
        return self.value("[...document.querySelectorAll('#orders input')].map(e => e.value)")

    def sign(self):
        """(text, signature) as they would be mailed."""
        self.tap("#sign")
        self.wait("!document.getElementById('send').hidden || document.querySelector('#sign-said .bad')", "nothing comes of signing")
        check(not self.value("document.getElementById('send').hidden"), self.text("sign-said"))
        whole = self.text("signed")
        at = whole.index("-----BEGIN")
        return whole[:at], whole[at:]

    def key_line(self):
        return self.value("document.querySelector('#key pre').textContent")


def stock_verifies(line, text, signature):
    """Stock ssh-keygen accepts it, from a key of this line."""
    allowed, sig = WORK / "allowed_page", WORK / "page.sig"
    allowed.write_text("player " + " ".join(line.split()[:2]) + "\n")
    sig.write_text(signature)
    sh("ssh-keygen", "-Y", "verify", "-f", allowed, "-I", "player", "-n", "orders@turnpost", "-s", sig, input=text.encode())
