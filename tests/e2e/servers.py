"""Mail servers that misbehave (tests/servers/fake.py), end to end: every run ends in bounded time and says what is wrong; when the
server behaves again, each mail has been processed and each answer has arrived, none twice with different contents."""
import concurrent.futures
import functools
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from fake import *

TIMEOUT = 5  # the least that league.ini takes
BUSY = 10  # seconds that a host with other work may take longer
CLOCK = "2026-11-20T%02d:00:00Z"
rows = []


def make_certificates(folder):
    """Certificates for localhost that must not be trusted, beside the good one."""
    ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    run = lambda *args: sh("openssl", *args, cwd=folder)
    run("req", "-x509", *ec, "-days", "2", "-keyout", "selfsigned.key", "-out", "selfsigned.pem", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost")
    (folder / "ca.cnf").write_text(
        "[ca]\ndefault_ca=x\n[x]\ndatabase=ca.index\nserial=ca.number\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\n"
        "unique_subject=no\n[p]\ncommonName=supplied\n[localhost]\nsubjectAltName=DNS:localhost\n"
        "[elsewhere]\nsubjectAltName=DNS:mail.example.org\n")
    (folder / "ca.index").write_text("")
    (folder / "ca.number").write_text("1000\n")
    for name, names, begin, end in (("expired", "localhost", "20200101000000Z", "20200201000000Z"),
                                    ("wronghost", "elsewhere", "20200101000000Z", "20491231000000Z")):
        run("req", *ec, "-keyout", name + ".key", "-out", name + ".csr", "-subj", "/CN=localhost")
        run("ca", "-batch", "-notext", "-config", "ca.cnf", "-extensions", names, "-cert", "ca.pem", "-keyfile", "ca.key",
            "-startdate", begin, "-enddate", end, "-in", name + ".csr", "-out", name + ".pem")


class Bench:
    """What every scenario starts from."""

    def __init__(self, servers):
        self.servers = servers
        self.folder = pathlib.Path(servers.dir)
        make_certificates(self.folder)
        base = League("base")
        base.init()
        self.alice, self.bob, self.carol = people = [Player(n) for n in ("alice", "bob", "carol")]
        for player in people:
            base.add(player)
        base.seated("gc-0", "galaxy-command", "alice,bob,carol", "--no-deadline", "--now", CLOCK % 8)
        self.spooled = {}  # Message-ID -> (recipient, text) of three mails that wait
        for path in (base.dir / "spool/new").iterdir():
            envelope, _, raw = path.read_bytes().partition(b"\n")
            self.spooled[parse(raw)["Message-ID"]] = (json.loads(envelope)["to"], raw)
        check(len(self.spooled) == 3, "three mails in the spool")
        self.waiting = self.copy(base, "waiting")
        base.seated("gc-1", "galaxy-command", "alice,robot", "--no-deadline", "--now", CLOCK % 8)
        base.seated("gc-2", "galaxy-command", "bob,robot", "--no-deadline", "--now", CLOCK % 8)
        base.tp("run", "--now", CLOCK % 8)
        self.base = base
        self.mails = [self.alice.mail(base.orders("gc-1", 1, ["bide"])), self.bob.mail(base.orders("gc-2", 1, ["bide"]), attach=True),
                      self.alice.mail("hello\n", signed=False)]
        good = self.copy(base, "good")
        for number, raw in enumerate(self.mails):
            good.put_mail(raw, "m%d" % number)
        good.tp("run", "--now", CLOCK % 9)
        self.good = self.outcome(good)
        fake_names = ["box", "strict", "post", "pipe", "imap_plain", "imap_injection", "imap_mute", "smtp_plain", "smtp_injection"]
        self.fake = Fake(self.folder, fake_names)

    @staticmethod
    def copy(base, name):
        league = League(name)
        shutil.copytree(base.dir, league.dir, symlinks=True)
        return league

    def outcome(self, league):
        """Journals but for their times, and the mails that went out."""
        lasting = lambda record: {k: v for k, v in record.items() if k not in ("prev", "time")}
        journals = {g: [lasting(r) for r in league.records(g)] for g in ("gc-1", "gc-2")}
        ids = sorted((m["Message-ID"], m["To"]) for p in (self.alice, self.bob) for m in league.outbox(p.address))
        return journals, ids

    def login(self, league, section, scenario, tls="implicit", **more):
        (league.dir / "password").write_text("secret\n")
        os.chmod(league.dir / "password", 0o600)
        league.set(section, type="imap" if section == "incoming" else "smtp", host="localhost", tls=tls, user="orders",
                   port=self.fake.port[scenario], password_file="password", ca_file=self.servers.ca, timeout=TIMEOUT, **more)


def one_run(league, hour, item, code, says, limit):
    """One run; what it said, and its seconds. `code` None: any of those that mean trouble or none."""
    began = time.monotonic()
    child = subprocess.Popen([TURNPOST, "run", "--league", league.dir, "--now", CLOCK % hour], stderr=subprocess.PIPE)
    try:
        league.err = child.communicate(timeout=limit + BUSY + 5)[1].decode(errors="replace")
    except subprocess.TimeoutExpired:
        child.kill()
        raise Failed("%s: no end after %.0f s: %s" % (item, limit + BUSY + 5, child.communicate()[1].decode(errors="replace")))
    league.code = child.returncode
    took = time.monotonic() - began
    check(code is None or league.code == code, "%s: exit %d, not %s: %s" % (item, league.code, code, league.err))
    check(league.code in (0, 75, 78), "%s: exit %d: %s" % (item, league.code, league.err))
    check(says in league.err, "%s: says nothing of \"%s\": %s" % (item, says, league.err))
    check(took < limit + BUSY, "%s: took %.1f s" % (item, took))
    return " ".join(league.err.split())[10:], took


def fetching(bench, scenario, code, says, limit=4.0, most=2, again=None, **options):
    """A league whose mailbox misbehaves on the first connection; `again`: what the second run must say nothing of."""
    league = bench.copy(bench.base, scenario)
    box = bench.folder / scenario
    for folder in ("INBOX",) if scenario.startswith("strict_") else ("INBOX", "Processed", "Rejected"):
        (box / folder).mkdir(parents=True)
    for number, raw in enumerate(bench.mails, 1):
        (box / "INBOX" / str(number)).write_bytes(raw)
    bench.login(league, "incoming", scenario, **options)
    said, took = one_run(league, 9, scenario, code, says, limit)
    runs = 1
    if again:
        check(again not in one_run(league, 9, scenario, code, "", limit)[0], "%s: the second run says it again" % scenario)
        check(list((box / "INBOX").iterdir()), "%s: the mail is gone" % scenario)
    while list((box / "INBOX").iterdir()) or league.code:
        check(runs < most, "%s: not done after %d runs: %s" % (scenario, runs, league.err))
        one_run(league, 9, scenario, None, "", limit)
        runs += 1
    outcome = bench.outcome(league)
    check(outcome == bench.good, "%s: another outcome than with a good server:\n%s\n%s" % (scenario, outcome, bench.good))
    kept = sorted(p.read_bytes() for f in (options.get("processed", "Processed"), options.get("rejected", "Rejected"))
                  for p in (box / f).iterdir())
    check(kept == sorted(bench.mails), scenario + ": a mail was lost on the server")
    rows.append(("IMAP " + scenario.removeprefix("box_"), took, runs, said))


def sending(bench, scenario, code, says, limit=4.0, most=2, failed=(), connections=1, first=None):
    """A league whose three mails meet a server that misbehaves. `failed`: recipients that are refused for good; `first`: how
    many the first run must have delivered."""
    league = bench.copy(bench.waiting, scenario)
    taken = bench.folder / scenario
    taken.mkdir()
    bench.login(league, "outgoing", scenario, connections=connections)
    said, took = one_run(league, 9, scenario, code, says, limit)
    check(first is None or len(list(taken.iterdir())) == first, "%s: %d mails at first" % (scenario, len(list(taken.iterdir()))))
    runs = 1
    while league.code or any(list((league.dir / "spool" / f).iterdir()) for f in ("new", "wait", "tmp")):
        check(runs < most, "%s: not done after %d runs: %s" % (scenario, runs, league.err))
        one_run(league, 9 + runs, scenario, None, "", limit)
        runs += 1
    texts = {}
    for path in taken.iterdir():
        raw = path.read_bytes()
        texts.setdefault((parse(raw)["Message-ID"], path.name.split("-", 2)[2]), []).append(raw)
    want = {(name, to) for name, (to, _) in bench.spooled.items() if to not in failed}
    check(set(texts) >= want, "%s: lost: %s" % (scenario, want - set(texts)))
    known = {(name, to) for name, (to, _) in bench.spooled.items()}
    check(set(texts) <= known, "%s: mails that nobody sent, or to others: %s" % (scenario, set(texts) - known))
    for (name, to), copies in texts.items():
        sent = without_proofs(bench.spooled[name][1].rstrip(b"\r\n"))
        same = all(without_proofs(copy.replace(b"\r\n..", b"\r\n.")) == sent for copy in copies) and len(set(copies)) == 1
        check(same, "%s: mail %s differs" % (scenario, name))
    given_up = sorted(json.loads(p.read_bytes().split(b"\n")[0])["to"] for p in (league.dir / "spool/failed").glob("*.eml"))
    check(given_up == sorted(failed), "%s: given up: %s" % (scenario, given_up))
    if failed:
        words = "".join(p.read_text() for p in (league.dir / "spool/failed").glob("*.why"))
        check("given up" in league.tp("doctor", code=None), "doctor does not tell of the refused mail")
        check(re.match(r"5\d\d ", words) and "\x1b" not in words, "the server's words: %r" % words)
    rows.append((("SMTP " if scenario.startswith("post") else "SMTP pipelining, ") + scenario[5:], took, runs, said))


def plain(bench, section, scenario, code, says):
    """STARTTLS stripped or with text slipped in: no password, no mail, nothing lost."""
    league = bench.copy(bench.waiting, scenario)
    bench.login(league, section, scenario, tls="starttls")
    if section == "incoming":
        league.set("outgoing", type="sendmail", sendmail="/bin/false")
    said, took = one_run(league, 9, scenario, code, says, 4.0 if scenario != "imap_injection" else TIMEOUT + 4)
    check(len(list((league.dir / "spool").rglob("*.eml"))) == 3, scenario + ": mails are gone from the spool")
    rows.append((scenario.replace("_", " ").upper()[:4] + " STARTTLS " + scenario[5:], took, 1, said))


def really(bench):
    """A league that has met bad servers goes on with Dovecot and Postfix."""
    league = bench.copy(bench.waiting, "really")
    bench.login(league, "incoming", "imap_mute")
    bench.login(league, "outgoing", "smtp_plain", tls="starttls")
    said, took = one_run(league, 9, "mute and plain servers", None, "", TIMEOUT * 4 + 4)
    bench.alice.send(bench.servers, bench.alice.mail(league.orders("gc-0", 1, ["bide"])))
    wait_inbox(bench.servers, 1)
    league.use_servers(bench.servers)
    league.set("outgoing", connections=4)
    league.tp("run", "--now", CLOCK % 10)
    got = bench.alice.fetch(bench.servers, expect=2)
    ids = {m["Message-ID"] for m in got}
    check(sum(m["In-Reply-To"] is not None for m in got) == 1 and ids & set(bench.spooled), "report and receipt, not %s" % ids)
    others = {m["Message-ID"] for p in (bench.bob, bench.carol) for m in p.fetch(bench.servers)}
    check(others < set(bench.spooled), "the reports of bob and carol: %s" % others)
    rows.append(("a mute IMAP, a plain SMTP server, then real ones", took, 2, said))


def play(servers_list):
    servers = Servers(["orders", "alice", "bob", "carol"])
    servers_list.append(servers)
    bench = Bench(servers)
    slow = TIMEOUT + 3.0
    literal = {0: ("did not answer in time", slow), 1: ("longer than it may be", 4.0), 3: ("longer than it may be", 4.0)}
    jobs = [(really,),
            (fetching, "box_trickle", 75, "did not answer in time", slow),
            (fetching, "box_trickle_search", 75, "did not answer in time", slow),
            (sending, "post_hang", 75, "time", slow), (sending, "post_trickle", 75, "", slow + TIMEOUT),
            (sending, "post_slow", 0, "", 15.0, 1), (sending, "post_endless_line", None, "", slow, 3)]
    jobs += [(fetching, "box_literal_%d" % n, 75, *literal.get(n, ("", slow))) for n in range(9)]
    jobs += [(fetching, "box_polite", 0, "", 4, 1), (fetching, "box_cut", 75, "", 4, 30), (fetching, "box_renumbered", 75, "", 4),
             (fetching, "box_renumbered_quietly", 0, "", 4), (fetching, "box_vanishing", 0, "", 4),
             (fetching, "box_unmovable", 75, "does not move mail", 4)]
    jobs += [(functools.partial(fetching, again="sends nothing"), "box_withheld" + how, 0, "sends nothing of a mail", 4)
             for how in ("", "_nil", "_literal")]
    names = {"processed": "Erledigt & gut", "rejected": "Zur\u00fcck \u65e5\u672c"}
    jobs += [(functools.partial(fetching, **options), "strict_" + name, 0, "", 4, 1)
             for name, options in (("new", {}), ("old", {}), ("login", names))]
    jobs += [(fetching, "box_brackets" + how, 75, "", slow) for how in ("", "_behind_code", "_behind_plus", "_loosely", "_huge")]
    jobs += [(kind, "%s_%s" % (name, bad), 78, "is not to be trusted", 4) for kind, name in ((fetching, "box"), (sending, "post"))
             for bad in ("expired", "selfsigned", "wronghost")]
    jobs += [(sending, "post_%s_4" % stage, None, "", 4, 3) for stage in ("mail", "rcpt", "data", "taken")]
    players = [p.address for p in (bench.alice, bench.bob, bench.carol)]
    # "550 5.7.1 never" says nothing of the mail: at MAIL it is about the sender, and elsewhere it comes for all three receivers.
    jobs += [(functools.partial(sending, first=0), "post_%s_5" % stage, 75, "takes none of our mails now (550 5.7.1 never)", 4)
             for stage in ("mail", "rcpt", "data")]
    jobs += [(sending, "post_taken_5", 0, "3 mails were refused", 4, 1, players)]
    jobs += [(sending, "post_recipients", 0, "1 mail was refused", 4, 3, [bench.bob.address], 1, 1),
             (sending, "post_polite", 0, "", 4, 1), (sending, "post_cut", None, "", 4, 40),
             (sending, "post_eager", 0, "3 mails were refused", 4, 1, players), (sending, "post_closing", None, "", 4, 3),
             (sending, "post_chatty", None, "", slow, 3),
             (sending, "post_lost", None, "", 4, 3), (sending, "post_nonsense", None, "", slow, 3),
             (plain, "incoming", "imap_plain", 78, "does not offer STARTTLS"), (plain, "incoming", "imap_injection", 75, ""),
             (plain, "outgoing", "smtp_plain", 78, "does not offer STARTTLS"), (plain, "outgoing", "smtp_injection", 75, "")]
    jobs += [(job[0], "pipe" + job[1][4:], *job[2:]) for job in jobs if job[1:] and job[1].startswith("post")]
    began = time.monotonic()
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        for done in concurrent.futures.as_completed([pool.submit(job[0], bench, *job[1:]) for job in jobs]):
            why = done.exception()
            if isinstance(why, NotRun):
                print("not run: a scenario, %s" % why)
            elif why:
                wrong.append(str(why) if isinstance(why, Failed) else repr(why))
    said = bench.fake.stop()
    for row in sorted(rows):
        print("%-50s %5.1f s, %2d runs  %s" % (row[0], row[1], row[2], row[3][:120]))
    check("password" not in said, "a password was sent in plain text")
    check(not wrong, "\n".join(wrong))
    print("%d scenarios in %.0f s, the longest first run %.1f s, nothing lost" %
          (len(rows), time.monotonic() - began, max(r[1] for r in rows)))


main(play)
