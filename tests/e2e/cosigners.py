"""Witnesses of c2sp.org/tlog-witness over HTTPS: named with a URL in keys/league.policy, asked after the log has grown; their lines stand in its
checkpoint. They answer as the specification says, or with whatever a hostile or broken server sends: the round goes on in any case."""
import base64
import hashlib
import http.server
import pathlib
import ssl
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "verifier"))
import curve
import tlog
from league import *

PATIENCE = 5  # seconds that the league waits for an answer


def consistent(old, old_root, size, root, path):
    """RFC 9162, 2.1.4.2."""
    if old == size:
        return not path and old_root == root
    if old == 0:
        return not path
    if old & (old - 1) == 0:
        path = [old_root, *path]
    fn, sn = old - 1, size - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    if not path:
        return False
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = tlog.node_of(c, fr), tlog.node_of(c, sr)
            while fn and not fn & 1:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = tlog.node_of(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return fr == old_root and sr == root and sn == 0


class Cosigner:
    """One witness, and its memory of one log."""

    def __init__(self, name):
        self.name, self.seed = name, hashlib.sha256(name.encode()).digest()
        self.vkey = tlog.vkey_text(name, 4, curve.ed25519_public(self.seed))
        self.size, self.root, self.asked, self.log = 0, b"", 0, None
        self.answer = self.honest

    def honest(self, body):
        """(status, bytes) of an answer by the specification."""
        head, _, note = body.decode().partition("\n\n")
        first, *path = head.split("\n")
        origin, size, root, blank, *lines = note.split("\n")
        old, size, root = int(first.removeprefix("old ")), int(size), base64.b64decode(root)
        if self.log is None or origin != self.log[0]:
            return 404, b""
        signed = [base64.b64decode(line.split(" ")[2]) for line in lines if line.startswith("\u2014 %s " % origin)]
        text = tlog.note_text(origin, size, root)
        if not any(blob[:4] == self.log[1] and curve.ed25519_verify(self.log[2], blob[4:], text.encode()) for blob in signed):
            return 403, b""
        if old > size:
            return 400, b""
        if old != self.size:
            return 409, b"%d\n" % self.size
        if not consistent(old, self.root, size, root, [base64.b64decode(one) for one in path]):
            return 422, b""
        self.size, self.root = size, root
        return 200, self.line(text)

    def line(self, text, seed=None):
        at = int(time.time())
        sig = curve.ed25519_sign(seed or self.seed, ("cosignature/v1\ntime %d\n%s" % (at, text)).encode())
        blob = tlog.vkey_of(self.vkey, 4)[1] + at.to_bytes(8, "big") + sig
        return ("\u2014 %s %s\n" % (self.name, base64.b64encode(blob).decode())).encode()


def serve(folder, cosigners, name="localhost"):
    """An HTTPS server, a path a witness; its port."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            who = cosigners[self.path.split("/")[1]]
            body = self.rfile.read(int(self.headers["Content-Length"]))
            who.asked += 1
            check(self.path.endswith("/add-checkpoint"), "asked at " + self.path)
            status, text, *more = who.answer(body)
            try:
                self.send_response(status)
                for header in more:
                    self.send_header(*header)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
            except OSError:
                pass  # the league had enough of it

        def log_message(self, *args):
            pass

    (folder / "ext").write_text("subjectAltName=DNS:%s\n" % name)
    sh("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder / "key.pem", "-out", folder / "csr", "-subj", "/CN=" + name)
    sh("openssl", "x509", "-req", "-in", folder / "csr", "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key", "-CAcreateserial", "-days", "2", "-extfile", folder / "ext",
       "-out", folder / "cert.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def authority(folder):
    folder.mkdir()
    sh("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", folder / "ca.key",
       "-out", folder / "ca.pem", "-subj", "/CN=an authority", "-addext", "basicConstraints=critical,CA:TRUE")


def checkpoint(league):
    """(size, names of who has signed) of what the log shows."""
    _, size, _, blank, *lines = (league.dir / "log/checkpoint").read_text().split("\n")
    return int(size), [line.split(" ")[1] for line in lines if line]


def forget_waits(league):
    path = league.dir / "log/cosigned"
    path.write_text("".join("%s %s %s 0 0\n" % tuple(line.split(" ")[:3]) if line.startswith("witness") else line + "\n" for line in path.read_text().splitlines()))


def play(servers_list):
    authority(WORK / "ca")
    authority(WORK / "stranger")
    cosigners = {name: Cosigner("%s.example/w" % name) for name in ("carol", "dave")}
    port = serve(WORK / "ca", cosigners)
    league = League()
    league.init()
    league.tp("run")
    policy = league.dir / "keys/league.policy"
    log = tlog.vkey_of(next(line for line in policy.read_text().splitlines() if line.startswith("log ")).split(" ")[1], 1)
    kept = [line for line in policy.read_text().splitlines() if line.startswith("log ")]
    policy.write_text("\n".join(kept + ["witness %s %s https://localhost:%d/%s%s" % (name, one.vkey, port, name, "/" * (name == "dave")) for name, one in cosigners.items()] +
                                ["group both all carol dave", "quorum both", ""]))
    league.set("witness", ca_file=WORK / "ca/ca.pem")
    league.set("site", folder=WORK / "site", url="https://orion.example/")
    games = iter(range(1, 100))

    def grow():
        league.tp("new", "gc-%d" % next(games), "galaxy-command", "--seats", "robot,robot")
        league.tp("run")
        return checkpoint(league)

    # they do not know the log yet: nothing waits for them, and doctor says whom to ask
    size, signers = grow()
    check(signers == [log[0]] and "does not know this log (404)" in league.err, "signed by %s; %s" % (signers, league.err))
    check("does not know this log (404)" in league.tp("doctor", code=None), "doctor says nothing of 404")
    for one in cosigners.values():
        one.log = log
    asked = cosigners["carol"].asked
    grow()
    check(cosigners["carol"].asked == asked, "asked again at once, after a failure")
    forget_waits(league)
    size, signers = grow()
    check(sorted(signers) == sorted([log[0], "carol.example/w", "dave.example/w"]), "not cosigned: %s\n%s" % (signers, league.err))
    check((WORK / "site/log/checkpoint").read_text() == (league.dir / "log/checkpoint").read_text(), "the site shows another checkpoint")
    check("cosigns the log over https" in league.tp("doctor", code=None), "doctor does not speak to them")
    asked = cosigners["carol"].asked
    league.tp("run")
    check(cosigners["carol"].asked == asked, "asked again about nothing new")
    check("fewer witnesses" not in league.tp("audit", "--log", WORK / "site", "--policy", policy, code=None), "the quorum is not reached for an auditor")

    # what the league has noted is lost: they say themselves what they have cosigned (409)
    (league.dir / "log/cosigned").unlink()
    check(len(grow()[1]) == 3, "no recovery from 409")

    # hostile and broken answers: dave's is none, carol's counts, and the round ends in time
    dave = cosigners["dave"]
    text = lambda body: tlog.note_text(*(lambda o, s, r: (o, int(s), base64.b64decode(r)))(*body.decode().partition("\n\n")[2].split("\n")[:3]))
    hostile = {
        "an error of the server": lambda body: (500, b"oops"),
        "a redirection": lambda body: (302, b"", ("Location", "https://localhost:%d/carol/add-checkpoint" % port)),
        "nothing": lambda body: (200, b""),
        "no line of a signature": lambda body: (200, b"\xff\x00" * 500),
        "another's key": lambda body: (200, dave.line(text(body), b"another" + bytes(25))),
        "another checkpoint's": lambda body: (200, dave.line(tlog.note_text(log[0], 1, bytes(32)))),
        "carol's line": lambda body: (200, cosigners["carol"].line(text(body))),
        "too much": lambda body: (200, dave.line(text(body)) + b"x" * (1 << 24)),
        "a conflict without a size": lambda body: (409, b"many\n"),
        "a conflict with more than there is": lambda body: (409, b"99999999999\n"),
        "a conflict for ever": lambda body: (409, b"1\n"),
        "another history": lambda body: (422, b""),
        "it does not understand": lambda body: (400, b""),
        "it does not believe the key": lambda body: (403, b""),
        "too late": lambda body: (time.sleep(PATIENCE + 3), (200, dave.line(text(body))))[1],
    }
    for what, dave.answer in hostile.items():
        forget_waits(league)
        began, asked = time.monotonic(), dave.asked
        _, signers = grow()
        check(signers == [log[0], "carol.example/w"], "%s: signed by %s" % (what, signers))
        check(dave.asked - asked <= 2, "%s: asked %d times in a round" % (what, dave.asked - asked))
        check("dave" in league.err, "%s: not a word: %s" % (what, league.err))
        check(time.monotonic() - began < PATIENCE + 20, "%s: the round took %d s" % (what, time.monotonic() - began))
    dave.answer = dave.honest
    forget_waits(league)
    check(len(grow()[1]) == 3, "dave is not believed any more")

    # an older copy of the league is put back: carol's memory says so, and no cosignature comes
    cosigners["carol"].size += 1000
    (league.dir / "log/cosigned").unlink()
    _, signers = grow()
    check("carol.example/w" not in signers and "it was restored from an older copy" in league.err, league.err)
    cosigners["carol"].size -= 1000

    # a certificate by nobody who is trusted, or for another name
    (WORK / "other").mkdir()
    for name in ("ca.pem", "ca.key"):
        shutil.copy(WORK / "ca" / name, WORK / "other" / name)
    for folder, name in (("stranger", "localhost"), ("other", "elsewhere.example")):
        bad = serve(WORK / folder, cosigners, name)
        asked = cosigners["carol"].asked
        policy.write_text(policy.read_text().replace(":%d/" % port, ":%d/" % bad))
        forget_waits(league)
        _, signers = grow()
        check(signers == [log[0]] and cosigners["carol"].asked == asked and "gives no answer" in league.err, "asked a server without a good certificate: " + league.err)
        policy.write_text(policy.read_text().replace(":%d/" % bad, ":%d/" % port))
    print("cosigned by %s over TLS; %d hostile answers changed nothing" % (", ".join(cosigners), len(hostile)))


main(play)
