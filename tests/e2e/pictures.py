"""Boards as pictures in reports: through Dovecot and Postfix, as the board of the right game; with the painter missing, hanging, killed
or lying, and with kills while it is decided: each mail leaves, in time, always with one content. (These rounds make no records, so it is
the same whatever comes next.)

LONG=1: killed, and with a full disk, at every point of the rounds in which it is decided and sent (make crash)."""
import multiprocessing
import pathlib
import signal
import struct
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import copy
from fake import *

CLOCK = "2026-11-20T09:%02d:00Z"
MINUTES = (0, 5, 10, 15)  # of rounds: the server puts each mail off once
NAMES = ("alice", "bob")
LONG = bool(os.environ.get("LONG"))


# ---- what comes ----

def read_png(data):
    """(width, height, colours) of a PNG with a palette, after a look at every byte of it."""
    check(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
    at, chunks = 8, {}
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        check(zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], "a damaged chunk")
        chunks[kind] = chunks.get(kind, b"") + body
        at += 12 + size
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    check((depth, colour) == (8, 3), "no palette of 256 colours")
    rows = zlib.decompress(chunks[b"IDAT"])
    check(len(rows) == height * (width + 1), "pixels are missing")
    return width, height, len(chunks[b"PLTE"]) // 3


def picture_of(mail):
    """The picture that the page of a mail shows, None without; it is as mail programs want it."""
    page = mail.get_body(preferencelist=("html",))
    shown = re.findall(r'<img src="cid:([^"]+)"[^>]*alt="([^"]+)"', page.get_content()) if page else []
    parts = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    check(len(shown) == len(parts) <= 1, "%d places for %d pictures" % (len(shown), len(parts)))
    if not parts:
        check("cid:" not in (page.get_content() if page else ""), "a place without a picture")
        return None
    check(parts[0]["Content-ID"] == "<%s>" % shown[0][0] and parts[0].get_content_disposition() == "inline", "its part: %s" % parts[0].items())
    kinds = [part.get_content_type() for part in mail.walk()]
    related = kinds.index("multipart/related")
    check(kinds[related:related + 3] == ["multipart/related", "text/html", "image/png"] and kinds.index("text/plain") < related,
          "parts: %s" % kinds)
    return parts[0].get_content()


def drawn(league, game, seat):
    """What the command draws of it now."""
    path = WORK / "drawn.png"
    league.tp("draw", game, "-o", path, "--seat", seat)
    return path.read_bytes()


def by_mail(servers, players):
    league = League()
    league.init()
    league.use_servers(servers)
    league.set("outgoing", pictures="auto")  # turnpost-picture is there
    for player in players:
        league.add(player)
    for game in ("gc-1", "gc-2"):
        league.seated(game, "galaxy-command", "alice,bob", "--deadline", "3d")
    league.tp("run")
    seen = set()
    for seat, player in enumerate(players, 1):
        for mail in player.fetch(servers, expect=2):
            game, _, _ = verify_head(league, mail)
            picture = picture_of(mail)
            check(picture and picture == drawn(league, game, seat), "%s got another picture of %s" % (player.name, game))
            width, height, colours = read_png(picture)
            check(width == 720 and 200 <= height <= 900 and 8 <= colours <= 20, "%d x %d, %d colours" % (width, height, colours))
            seen.add(picture)
    check(len(seen) == 4 and len(list((league.dir / "pictures").glob("*.png"))) == 4, "a picture for each player of each game")
    for player in players:
        player.send(servers, player.mail(league.orders("gc-1", 1, ["bide"])))
    wait_inbox(servers, 2)
    league.tp("run")
    reports = [mail for player in players for mail in player.fetch(servers, expect=1) if picture_of(mail)]
    check(len(reports) == 2 and len({picture_of(mail) for mail in reports}) == 2, "a picture of the turn for each")
    check(picture_of(reports[0]) not in seen and read_png(picture_of(reports[0])), "the picture of the turn before")


# ---- painters ----

PAINTERS = {
    "missing": None,
    "dies": "#!/bin/sh\nexit 1\n",
    "lies": "#!/bin/sh\nexec dd if=/dev/zero bs=100 count=1 >&0 2>/dev/null\n",
    "hangs": "#!/bin/sh\nexec sleep 1000\n",
}


def make_base(port, servers, players):
    """A game of two players, whose first reports wait in the spool, sent again, as a run has painted the first ones."""
    league = League("base")
    league.init()
    (league.dir / "password").write_text("secret\n")
    os.chmod(league.dir / "password", 0o600)
    for player in players:
        league.add(player)
    league.seated("g1", "galaxy-command", "alice,bob", "--deadline", "90d", "--now", CLOCK % 0)
    league.tp("run", "--now", CLOCK % 0)
    shutil.rmtree(league.dir / "mail/out")
    league.set("outgoing", type="smtp", host="localhost", tls="implicit", user="orders", port=port, password_file="password",
               ca_file=servers.ca, connections=2, pictures="yes")
    for player in players:
        league.tp("moderate", "g1", "resend", player.name, "--reason", "a test", "--now", CLOCK % 0)
    return league


def beside(kind):
    """A turnpost with such a painter beside it."""
    folder = WORK / ("painter-" + kind)
    folder.mkdir()
    shutil.copy(TURNPOST, folder / "turnpost")
    if PAINTERS[kind]:
        (folder / "turnpost-picture").write_text(PAINTERS[kind])
        os.chmod(folder / "turnpost-picture", 0o755)
    return folder / "turnpost"


def to_maildirs(base, name):
    league = copy(base, name)
    league.set("outgoing", type="maildir", pictures="yes")
    return league


def without(base, kind):
    league = to_maildirs(base, kind)
    began = time.time()
    league.tp("run", "--now", CLOCK % 0, binary=beside(kind))
    check(time.time() - began < 20, "with a painter that %s it took %d seconds" % (kind, time.time() - began))
    for name in NAMES:
        mail, = league.outbox(name + "@players.test")
        check(picture_of(mail) is None, "a picture by a painter that " + kind)


def stopped(base):
    """SIGTERM while the painter hangs: the daemon ends at once, and the next run sends what it has left, with pictures."""
    league = to_maildirs(base, "stopped")
    process = subprocess.Popen([beside("hangs"), "daemon", "--league", league.dir], stderr=subprocess.PIPE)
    try:
        end = time.time() + 20
        while not (league.dir / "registry/rounds").exists() and time.time() < end:
            time.sleep(0.05)
        time.sleep(0.3)
        check(len(list((league.dir / "spool/new").iterdir())) == 2, "nothing waits for its picture")
        began = time.time()
        process.send_signal(signal.SIGTERM)
        code = process.wait(20)
    finally:
        process.kill()
    check(code == 0 and time.time() - began < 4, "the daemon ended with %s after %d seconds" % (code, time.time() - began))
    check(len(list((league.dir / "spool/new").iterdir())) == 2, "what waited is gone")
    league.tp("run")
    for name in NAMES:
        mail, = league.outbox(name + "@players.test")
        check(picture_of(mail), "no picture after the daemon was stopped")


# ---- kills ----

def spooled(league):
    return [path for folder in ("new", "wait", "chosen") for path in (league.dir / "spool" / folder).iterdir()]


def disturbed(base, number):
    """A copy whose players have addresses of their own, so that the server does not know them yet."""
    league = copy(base, "pictures%d" % number)
    for path in spooled(league):
        envelope, _, text = path.read_bytes().partition(b"\n")
        path.write_bytes(envelope.replace(b"@players.test", b"%%%d@players.test" % number) + b"\n" + text)
    return league


def send(job):
    """All rounds, with a fault in one of them, until everything has left; what is wrong."""
    base, number, disturbed_at, fault = job
    league, wrong = disturbed(base, number), []
    try:
        for minute in MINUTES:
            if minute == disturbed_at:
                league.tp("run", "--now", CLOCK % minute, binary=FAULT, code=None, env={"TURNPOST_FAULT": fault})
            league.tp("run", "--now", CLOCK % minute)
            if not spooled(league):
                break
        if spooled(league):
            wrong.append("not sent: %s" % spooled(league))
    except Failed as why:
        wrong.append(str(why))
    shutil.rmtree(league.dir)
    return ["%s in minute %d: %s" % (fault, disturbed_at, what) for what in wrong]


def count(base, number, minute):
    league = disturbed(base, number)
    for before in MINUTES[:MINUTES.index(minute)]:
        league.tp("run", "--now", CLOCK % before)
    league.tp("run", "--now", CLOCK % minute, binary=FAULT, env={"TURNPOST_FAULT": "count:%s" % (WORK / ("count%d" % number))})
    shutil.rmtree(league.dir)
    return int((WORK / ("count%d" % number)).read_text().split()[-1])


def kills(base, fake):
    points = {minute: count(base, number, minute) for number, minute in enumerate(MINUTES[:2])}
    first = len(points)  # the numbers before were for counting
    if LONG:
        wishes = [(minute, fault % at) for minute, most in points.items() for at in range(1, most + 1)
                  for fault in ("kill:%d", "torn:%d:500", "fail:%d:28", "fail:%d:5")]
    else:
        wishes = [(0, "kill:%d" % (points[0] * part // 6)) for part in (2, 3, 4, 5)] + [(0, "fail:%d:28" % (points[0] // 2))]
    jobs = [(base, first + number, minute, fault) for number, (minute, fault) in enumerate(wishes)]
    with multiprocessing.Pool(2) as pool:
        faults = [what for found in pool.imap_unordered(send, jobs) for what in found]
    came = {}
    for line in fake.stop().splitlines():
        if line.startswith("taken "):
            _, ident, to, digest = line.split()
            came.setdefault(int(to.partition("@")[0].split("%")[1]), []).append((ident, digest))
    twice = 0
    for _, number, minute, fault in jobs:
        got = came.get(number, [])
        if len(set(got)) != len(NAMES) or len({ident for ident, _ in got}) != len(NAMES):
            faults.append("%s in minute %d: these came: %s" % (fault, minute, got))
        twice += len(got) - len(set(got))
    for fault in faults[:20]:
        print(fault)
    check(not faults, "%d faults" % len(faults))
    return "%d faults at %s points: each mail once with one content, %d came again" % (len(jobs), "+".join(map(str, points.values())), twice)


def play(started):
    servers = Servers(["orders", *NAMES])
    started.append(servers)
    players = [Player(name) for name in NAMES]
    by_mail(servers, players)
    fake = Fake(servers.dir, ["smtp_greylists"])
    base = make_base(fake.port["smtp_greylists"], servers, players)
    stopped(base)
    for kind in ("missing", "dies", "lies"):
        without(base, kind)
    if LONG:
        shutil.rmtree(WORK / "painter-hangs")
        without(base, "hangs")
    print(kills(base, fake))


main(play)
