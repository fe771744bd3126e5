"""People with a telephone and nothing but Reply, and what came back: journey.txt is what they typed and read, 38 columns wide, to be read
from top to bottom. A mail that goes unanswered fails, and so does another answer than the one that stands there; GOLDEN_WRITE=1
writes it again. What is drawn by lot is left out. Printed: decisions and mails of the first journey."""
import pathlib
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import telephones
from replier import *
from league import *
from domains import Domains

TRANSCRIPT = pathlib.Path(__file__).with_suffix(".txt")
NOON = 1795176000  # 2026-11-20 12:00 UTC
WIDTH = 38
MOST = 20  # lines of a mail that are shown


def full_subject(mail):
    """Long news leave no room for "your orders"."""
    subject = re.sub(r" #[0-9a-f]{16}$", "", mail["Subject"])
    return re.sub(r"\(turn (\d+)\)$", r"(turn \1: your orders)", subject) if "Galaxy Farmer, game" in text_of(mail) else subject


def shown(mail):
    """Its text up to the first table or heading, without what is drawn by lot, random, or the same in every mail."""
    text = text_of(mail)
    news = r"(?m)^(\S.*) #-[a-z2-7]{16}-# .*\n\n"
    report = re.search(r"\] .*(\(turn \d+|[Tt]he game has begun|It is over)", full_subject(mail))
    text = re.sub(news + r"(?:.+\n)+", "(what is news, and at stake)\n", text) if report else re.sub(news, r"\1\n\n", text)
    text = re.sub(r"(?m)^(?:\d+ points|One point) more, and (?:.+\n)+\n", "", text)
    text = re.sub(r"(?m)^(#-.*-#.*|-#.*#-|Orion League|Galaxy \w+, game .*)\n", "", text)
    text = re.sub(r"(?m)(?:^ +\d+[a-z]?\. .*: (?:will be done|(?:succeeds|done) about .*|\d+ in \d+.*)\n)+", "  (orders, and what becomes of them)\n", text)
    text = re.split(r"(?m)^(?:Receipt: keep|Questions\? A person|[A-Z][A-Z0-9 ]{4,}$|Orders of Galaxy |Orders of players without|Year \d, round)", text)[0]
    text = re.sub(r"(?s)\S+ vouches for your orders\.\n|Seats: .*?\.\n", "", text)
    text = re.sub(r"Still to answer:\s([^.]*)\.", lambda who: "Still to answer: %s." % ", ".join(sorted(re.split(r",\s", who[1]))), text)
    text = re.sub(r'"press\s(anna|borys|chloe):\sShall', '"press somebody: Shall', text)
    text = re.sub(r'(suggestion[^"]*\?\s+)"[^"]*"', r'\1"(it)"', text)
    text = re.sub(r"\bok [a-z2-7]{6}\b", "ok WORD", text)
    text = re.sub(r"\b[a-z2-7]{26}\b", "WORD", text)
    text = re.sub(r"(?m)^(gc-\d  .*  turn \d+)  .*\n( .*\n)*", r"\1  ...\n", text)
    text = re.sub(r"(?m)(^ *\d+ +\[ \] .*\n(?: {8}.*\n)*)+", "  (suggestions)\n", text)
    lines = []
    for paragraph in re.split(r"\n(?:[ \t]*\n)+", text.strip("\n")):
        for line in unfolded(paragraph):
            lines += textwrap.wrap(line, WIDTH) or [""]
        lines.append("")
    lines = lines[:-1]
    return lines if len(lines) <= MOST else lines[:MOST - 1] + ["..."]


def subject_of(mail):
    """Without digits, and without news, which dice have made."""
    return re.sub(r"\] (Again: )?(?!The game has begun).* \(turn ", r"] \1... (turn ", full_subject(mail))


def unfolded(paragraph):
    """Its lines, those of running text as one."""
    out = []
    for line in paragraph.split("\n"):
        if out and line[:1] not in (" ", "*", "|", "\t", '"', "(") and len(out[-1].split("\n")[-1]) + 1 + len(line.split(" ")[0]) > 72:
            out[-1] += "\n" + line
        else:
            out.append(line)
    return [" ".join(line.split("\n")) for line in out]


class World:
    def __init__(self, domains):
        self.league, self.domains, self.now, self.lines, self.people = League(), domains, NOON, [], []
        self.league.init()
        self.league.use_names(domains.names.port, "")
        self.league.set("league", trust="mail", registration="open", contact="petra@game.test")
        self.league.set("clock", outage="2d")

    def tell(self, title, words):
        self.lines += ["", title.upper(), "", *textwrap.wrap(words, 80), ""]

    def run(self):
        self.now += 20
        self.league.tp("run", "--now", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now)))
        for person in self.people:
            person.look()

    def operator(self, *args):
        told = self.league.tp(*args, "--now", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now)))
        self.run()
        return told

    def wait(self, hours):
        self.lines += ["", "... %d hours later ..." % hours]
        for _ in range(hours // 12):
            self.now += 12 * 3600 - 20
            self.run()


class Person(Mailbox):
    def __init__(self, world, name, client, full_name):
        super().__init__(name, "players.test", world.domains.keys, full_name)
        self.world, self.client, self.mails, self.decisions, self.answers = world, client, [], 0, 0
        world.people.append(self)

    def look(self):
        """New mails, in the order in which they came."""
        box = self.world.league.dir / "mail/out" / self.address / "new"
        new = sorted(box.iterdir(), key=lambda p: (p.stat().st_mtime_ns, p.name)) if box.is_dir() else []
        for path in new:
            mail = parse(path.read_bytes())
            path.unlink()
            self.mails.append(mail)
            self.world.lines += ["", *textwrap.wrap("%s gets: %s" % (self.name, subject_of(mail)), WIDTH + 4, subsequent_indent="    ")]
            self.world.lines += [("    " + line).rstrip() for line in shown(mail)]

    def find(self, words):
        """The last mail with these words in its subject."""
        found = [mail for mail in self.mails if words in mail["Subject"]]
        check(found, "%s has no mail \"%s\" but %s" % (self.name, words, [m["Subject"] for m in self.mails]))
        return found[-1]

    def deliver(self, raw, typed):
        name, world, before = "%s-%d" % (self.name, self.count), self.world, len(self.mails)
        world.league.put_mail(raw, name)
        os.utime(world.league.dir / "mail/in/new" / name, (world.now, world.now))
        world.run()
        self.decisions += 1
        self.answers += len(self.mails) - before
        check(len(self.mails) > before, "silence: nothing came to %s for \"%s\"" % (self.name, typed))

    def types(self, *typed, to=None, by=None):
        """An answer to the last mail, or to the last one with these words in its subject; by another program than usual."""
        mail = self.find(to) if to else self.mails[-1]
        self.world.now += 60
        where = "" if not to else " (in answer to \"%s\")" % subject_of(mail)
        self.world.lines += ["", *textwrap.wrap("%s types%s:" % (self.name, where), WIDTH + 4, subsequent_indent="    ")]
        self.world.lines += [("  > " + line).rstrip() for line in typed]
        self.deliver(self.reply(by or self.client, mail.as_bytes(), "\n".join(typed), now=self.world.now), typed)

    def writes(self, subject):
        """A mail that answers none."""
        self.world.now += 60
        self.world.lines += ["", "%s writes a mail:" % self.name, "  > Subject: " + subject]
        self.deliver(self.write("gmail", ADDRESS, subject, "", now=self.world.now), subject)


def first(world):
    """What has to hold: by Reply alone, no silence, no dead end, at most one mail more than decisions."""
    world.tell("Anna, by Reply alone", "An iPhone, plain text. She registers, joins, and plays five turns against two robots, with two mistakes and one "
               "question.")
    anna = Person(world, "anna", "iphone", "Anna Example")
    world.operator("new", "gc-1", "galaxy-command", "--seats", "robot,robot", "--open", "1", "--deadline", "2d", "--trust", "mail")
    world.operator("invite", "--to", anna.address)
    anna.types("Register Anna")
    anna.types("Ok")
    anna.types("explor near", "build")
    anna.types("ok")
    anna.types("when is the deadline?")
    anna.types("Explore near.")
    anna.types("I would like to explore the next system, please")
    anna.types("1")
    anna.types("ok")
    anna.types("explore near")
    turn = json.loads(world.league.tp("show", "gc-1", "--json"))["turn"]
    check(turn == 6, "five answers have played %d turns" % (turn - 1))
    check(anna.answers <= anna.decisions + 1, "%d mails for %d decisions" % (anna.answers, anna.decisions))
    return "%d decisions, %d mails" % (anna.decisions, anna.answers)


def table(world):
    world.tell("Three at a table", "Anna; Borys with Gmail on Android in Ukrainian, with a signature; Chloé with Outlook in French, on a telephone and at a desk.")
    anna = world.people[0]
    borys, chloe = Person(world, "borys", "gmail_uk", "Борис Коваль"), Person(world, "chloe", "outlook_fr", "Chloé Martin")
    world.operator("new", "gc-2", "galaxy-command", "--open", "3", "--deadline", "2d", "--trust", "mail")
    borys.writes("Register Borys")
    borys.types("так")
    borys.types("games")
    borys.types("Join gc-2, please")
    borys.types("No thanks")
    borys.types("Так, дякую")
    chloe.writes("register Chloé")
    chloe.types("Oui")
    chloe.writes("join gc-2")
    chloe.types("yes please")
    anna.types("join gc-2", to="[gc-1]")
    anna.types("ok")
    # turn 1
    chloe.types("Bonjour, je voudrais explorer un système", "merci")
    chloe.types("7")
    chloe.types("3.")
    anna.types("explore near", to="[gc-2] The game has begun", by="iphone_below")
    anna.types("Thanks!")
    anna.types("explore near", "build")
    borys.types("yes please", to="[gc-2] The game has begun")
    borys.types("no")
    borys.types("ok", to="Is this what you mean?")
    # turn 2: an answer to an old mail, messages, a signature and a disclaimer
    chloe.types("build", to="[gc-2] The game has begun")
    chloe.types("press anna: Salut Anna!", "press borys: Shall we attack Anna together?", "explore near", "", "Chloé Martin", "Ce message est confidentiel.",
                by="outlook_fr_desk")
    borys.types("Sure, sounds good!")
    borys.types("ok", to="A message from chloe")
    borys.types("press chloe: yes!")
    borys.types("help")
    borys.types("build", "build")
    borys.types("explore near", "", "See you at the meeting on Tuesday")
    borys.types("ok")
    anna.types("vacation 24 December to 2 January", to="(turn 2")
    anna.types("vacation 2026-12-24 to 2027-01-02")
    anna.types("ok")
    chloe.types("final")
    anna.types("resign", to="(turn 2")
    anna.types("ok")
    anna.types("no, sorry")
    anna.types("extend 24", to="(turn 2")
    borys.types("ok", to="asks for more time")
    chloe.types("ok", to="asks for more time")
    dave = Person(world, "dave", "gmail_android", "Dave Example")
    dave.writes("register dave")
    dave.types("ok")
    dave.types("join gc-2")
    # she forgets the turn, and Dave answers in the next one
    world.wait(72)
    dave.types("ok")
    dave.types("explore near")


def alone(world):
    world.tell("Chloé, alone", "Galaxy Farmer, without a deadline.")
    chloe = world.people[2]
    world.operator("new", "gf-1", "galaxy-farmer", "--seats", "chloe", "--no-deadline", "--trust", "mail")
    chloe.types("oui")
    chloe.types("how long do I have?")
    chloe.types("1", to="[gf-1] The game has begun")
    chloe.types("2", "", "Wish me luck, dear league")
    chloe.types("undo")
    chloe.types("final")


def play(servers_list):
    domains = Domains()
    servers_list.append(domains)
    world = World(domains)
    counted = first(world)
    table(world)
    alone(world)
    verify_chains(world.league)
    world.league.tp("backup", str(world.league.dir.parent / "copy"))  # finds nothing damaged
    told = "\n".join(world.lines).lstrip("\n") + "\n"
    if os.environ.get("GOLDEN_WRITE"):
        TRANSCRIPT.write_text(told, encoding="utf-8")
    (WORK / "journey.txt").write_text(told, encoding="utf-8")
    differs = subprocess.run(["diff", "-u", TRANSCRIPT, WORK / "journey.txt"], stdout=subprocess.PIPE)
    check(differs.returncode == 0, "it went otherwise than %s says:\n%s" % (TRANSCRIPT.name, differs.stdout.decode(errors="replace")[:8000]))
    print("by Reply alone: %s; in all %d mails were answered" % (counted, sum(p.decisions for p in world.people)))


main(play)
