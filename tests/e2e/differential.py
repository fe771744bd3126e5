"""A net under changes: two builds read the same mails in the same order, each in its own copy of one league, and what differs is printed:
answers, records, what was decided about each mail, what commands say. The mails are all that tests and games hold:
tests/mail/replies, seeds of the fuzzers, the texts of recorded games (from strangers, and typed as answers), e2e/cases.py.

OLD is the program of the older build, which makes the leagues, NEW the other one (that of the build folder): make differential OLD=PROGRAM.
A difference that comes again is counted, not printed again. Whether one is meant is for a reader to say: the test fails only if a build
cannot read the league, or if the net does not find a difference that it has made itself."""
import difflib
import os
import pathlib
import sys

NEW = os.environ.get("NEW") or os.environ["TURNPOST"]
OLD = os.environ["TURNPOST"] = os.environ.get("OLD") or NEW  # what league.py works with
sys.path[:0] = [str(pathlib.Path(__file__).parent / folder) for folder in ("lib", "")]
import cases
from league import *
from batch import copy
from domains import Domains

SEEDS = ("message", "reply", "dkim")  # of tests/fuzz/seeds: mails as they are
DRAWN = ("invite", "new")  # commands whose words are random: the older build does them for both
stamp = lambda now: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
MADE = "A sentence of the net's own."


class Net:
    """What was found: each difference once, with the first mail that showed it."""

    def __init__(self, tell):
        self.found, self.mails, self.tell = {}, 0, tell

    def note(self, source, what, old, new):
        if old == new:
            return
        lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1))[2:]
        key = "\n".join(line for line in lines if line[0] in "+-")
        self.found[key] = self.found.get(key, 0) + 1
        if self.found[key] == 1:
            self.tell("== %s: %s\n%s" % (source, what, "\n".join(line[:400] for line in lines[:40])))


def shown(raw):
    """A mail as its reader gets it: all headers, all texts."""
    mail = parse(raw)
    parts = [part.get_content() if part.get_content_maintype() == "text" else part.get_content_type() for part in mail.walk() if not part.is_multipart()]
    return "".join("%s: %s\n" % item for item in mail.items()) + "\n".join(str(part) for part in parts)


class Twins(League):
    """Two copies of a league. To whoever plays, it is the older build's."""

    def __init__(self, net, base, name, source, programs=(OLD, NEW)):
        self.net, self.source = net, source
        self.pair = [copy(base, name + "-old"), copy(base, name + "-new")]
        for one, program in zip(self.pair, programs):
            one.binary, one.seen = program, set()
            self.fresh(one)
        super().__init__(self.pair[0].dir.name)

    def tp(self, *args, code=0, **how):
        if args[0] in DRAWN:
            said = self.pair[0].tp(*args, code=code, **how)
            shutil.rmtree(self.pair[1].dir)
            shutil.copytree(self.pair[0].dir, self.pair[1].dir, symlinks=True)
            self.err = self.pair[0].err
            return said
        texts = []
        for one in reversed(self.pair):  # the older build's words are those that are given back
            said = one.tp(*args, code=None, **how)
            texts.append(re.sub(r"^20\S+Z turnpost:", "turnpost:", ("%s\nexit %d\n%s" % (said, one.code, one.err)).replace(str(one.dir), "LEAGUE"), flags=re.M))
        self.net.note(self.source, "turnpost " + " ".join(map(str, args)), texts[1], texts[0])
        self.err, self.code = one.err, one.code
        return said

    def put_mail(self, raw, name, source=None, now=None):
        self.source, self.net.mails = source or self.source, self.net.mails + 1
        for one in self.pair:
            one.put_mail(raw, name)
            if now:
                os.utime(one.dir / "mail/in/new" / name, (now, now))

    def fresh(self, one):  # mails since the last time, by address and text
        paths = {path for path in (one.dir / "mail/out").rglob("*") if path.is_file()} - one.seen
        one.seen |= paths
        return sorted((path.parts[-3], shown(path.read_bytes())) for path in paths)

    def compare(self):
        """False: their records differ, and so will all that follows."""
        for old, new in zip(*(self.fresh(one) + [("", "")] * 50 for one in self.pair)):
            self.net.note(self.source, "a mail to %s" % (old[0] or new[0]), old[1], new[1])
        # Addresses in the registry are sealed with random words, and what follows from them is another one each time.
        drawn = lambda path: re.sub(rb'"(prev|sealed|sig)":"[^"]*"', b"", path.read_bytes()) if path.parent.name == "registry" else path.read_bytes()
        files = [{str(path.relative_to(one.dir)): drawn(path) for folder in ("games", "competitions", "registry") for path in (one.dir / folder).rglob("*.jsonl")}
                 for one in self.pair]
        for name in sorted(files[0].keys() | files[1].keys()):
            self.net.note(self.source, name, *(f.get(name, b"").decode(errors="replace") for f in files))
        return files[0] == files[1]

    def fates(self, now):
        for words in ("mail --since 52w", "mail --unanswered --since 52w", "status"):
            self.tp(*words.split(), "--now", now)


def recorded(base):
    """(where it is, the mail): mails as they are; texts of recorded games as strangers send them, and their lines typed as an answer."""
    for path in sorted((TESTS / "mail/replies").glob("*.eml")) + [path for name in SEEDS for path in sorted((TESTS / "fuzz/seeds" / name).iterdir())]:
        yield str(path.relative_to(TESTS)), path.read_bytes()
    found = [("%s, record %d" % (path.relative_to(TESTS.parent), seq), payload) for path in sorted((TESTS.parent / "games").rglob("journal.jsonl"))
             if path.parts[-3] != "competitions" or path.parts[-2] == "games" for seq, _, _, payload in recorded_payloads(path.parent)]
    texts = [(source, json.loads(payload).get("text", "")) for source, payload in found if "#turnpost" in payload]
    seen, report = set(), base.report.as_bytes()
    for number, (source, text) in enumerate(texts):
        if number % 7 == 0:
            yield source, ("From: stranger@strangers.test\r\nTo: %s\r\nSubject: orders\r\nMessage-ID: <%d@strangers.test>\r\n\r\n%s" % (ADDRESS, number, text)).encode()
        lines = "\n".join(line for line in text.splitlines() if line and not line.startswith("#") and not re.match(r"\w+: ", line))
        if lines and lines not in seen:
            seen.add(lines)
            yield source, base.people["anna"].reply("gmail_android", report, lines, now=base.now)


def read_recorded(net, base):
    """Each in a round of its own; another copy of the league for every 20, as a day has its limits, and where records differ."""
    league = None
    for number, (source, raw) in enumerate(recorded(base)):
        if not league:
            league, now = Twins(net, base.league, "recorded-%d" % number, source), base.now
        now += 300
        league.put_mail(raw, "m%d" % number, source, now)
        league.tp("run", "--now", stamp(now))
        if not league.compare() or number % 20 == 19:
            league = league.fates(stamp(now))


class TwinCase(cases.Case):
    def put(self, raw):
        self.count += 1
        self.league.put_mail(raw, "m%d" % self.count, now=self.now)

    def run(self):
        super().run()
        check(self.league.compare(), "the records differ")


def play_cases(net, base):
    for name, (by, *steps) in cases.CASES.items():
        case = TwinCase(base, Twins(net, base.league, name, "case " + name))
        try:
            for number, step in enumerate(steps, 1):
                case.league.source = "case %s, step %d" % (name, number)
                step.do(case, by)
        except (Failed, IndexError, KeyError, ValueError) as why:  # of what the older build was to say; or there is no such mail
            print("-- case %s ends at step %d: %s" % (name, number, str(why)[:200]))
        case.league.fates(case.iso())


def holds_water(base):
    """One program twice, once with another sentence in a template of the league's own: the net has to find that, and nothing else."""
    net, texts = Net(str), (TESTS.parent / "templates/common/answers.txt").read_text()
    for own in (False, True):
        league = Twins(net, base.league, "self-%d" % own, "itself", (OLD, OLD))
        if own:
            (league.pair[1].dir / "templates/common").mkdir(parents=True)
            (league.pair[1].dir / "templates/common/answers.txt").write_text(MADE + "\n" + texts)
        league.put_mail(base.people["anna"].write("gmail", ADDRESS, "help", "", now=base.now + 5), "help", now=base.now + 5)
        league.tp("run", "--now", stamp(base.now + 5))
        league.compare()
        check(any(MADE in key for key in net.found) == own and len(net.found) == own, "the net finds %s" % list(net.found))


def play(servers):
    domains, net = Domains(), Net(print)
    servers.append(domains)
    base = cases.Base(domains)
    holds_water(base)
    for number, program in enumerate((OLD, NEW)):
        copy(base.league, "quiet-%d" % number).tp("run", binary=program)  # fails where it cannot read the league
    for story in (play_cases, read_recorded):
        story(net, base)
    print("%d mails in both: %d differences, %d times" % (net.mails, len(net.found), sum(net.found.values())))


main(play)
