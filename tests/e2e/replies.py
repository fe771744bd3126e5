"""A player who has only a mailbox: with an invitation she registers, joins, and plays Galaxy Command against robots to its end by
answers to the league's mails, in the forms of twelve mail programs, through Dovecot and Postfix; her mail's domain vouches for them
(DKIM; name servers of our own). Printed: mails and taps from the invitation to the first receipt."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from replier import *
from league import *
from domains import Domains
from reader import Reader, flat

SAMPLES = TESTS / "mail/replies"
GAME = "gc-1"


def answered_by(sample):
    """The mail of ours that a collected mail answers, as far as its quote shows it."""
    ours = email.message.EmailMessage(policy=email.policy.SMTP)
    at = "Mon, 23 Nov 2026 18:00:00 +0000" if "]" not in sample["Subject"] else "Sat, 28 Nov 2026 11:27:00 +0000"
    for name, value in (("From", "Orion League <orders@example.org>"), ("Reply-To", "orders+t0ken@example.org"), ("Message-ID", sample["In-Reply-To"]),
                        ("Subject", sample["Subject"].partition(": ")[2]), ("Date", at)):
        ours[name] = value
    text, page = (part.get_content() if part else "" for part in (sample.get_body([kind]) for kind in ("plain", "html")))
    quoted = [line[1:].removeprefix(" ") for line in text.split("\n") if line.startswith(">")] or text[max(text.find("#-"), 0):].split("\n")
    ours.set_content("\n".join(quoted) + "\n")
    inner = re.search(r'<p class="muted"><small>#-.*</small></p>', page, re.S)
    if inner:
        ours.add_alternative("<html><body>%s</body></html>" % inner[0], subtype="html")
    return ours


def check_forms(keys):
    """The replier writes what the collected mails have: the same text, in parts of the same kinds."""
    mutt = answered_by(parse((SAMPLES / "mutt.eml").read_bytes()))
    kinds = lambda mail: [(part.get_content_type(), part["Content-Transfer-Encoding"]) for part in mail.walk()]
    for client in [*CLIENTS, *OTHERS, *AUTOMATIC]:
        sample, want = parse((SAMPLES / (client + ".eml")).read_bytes()), json.loads((SAMPLES / (client + ".json")).read_text())
        ours = (answered_by(sample) if client in OTHERS else mutt).as_bytes()
        anna = Mailbox("anna", sample["From"].addresses[0].domain, keys)
        shown = lambda mail: re.sub(r"(?m)^To: .*|GMT[^ ,]*", "", mail.get_body(["plain" if client not in ("gmx_html", "empty_plain") else "html"]).get_content())
        # What a program writes below what was typed belongs to it, as far as the cutter can tell.
        own = {line.strip() for line in shown(parse(anna.reply(client, ours, ""))).split("\n")}
        typed = [line for line in want["typed"] if re.sub("GMT[^ ,]*", "", line) not in own or not line]
        made = parse(anna.reply(client, ours, "build\nresign" if client in AUTOMATIC else "\n".join(typed).strip("\n")))
        check(shown(made).split() == shown(sample).split(), "%s writes\n%s\nnot\n%s" % (client, shown(made), shown(sample)))
        check(kinds(made) == kinds(sample), "%s has parts %s, not %s" % (client, kinds(made), kinds(sample)))
        for field in ("Subject", "In-Reply-To", "References", "To"):
            check(str(sample[field]).split("<")[-1].rstrip(">") == str(made[field]).split("<")[-1].rstrip(">"), "%s: %s is %s" % (client, field, made[field]))


def enter(anna, league):
    """From the invitation to the seat. A tap is one on Reply, New or Send."""
    anna.register(league.tp("invite").strip())
    league.tp("new", GAME, "galaxy-command", "--seats", "robot,robot", "--open", "1", "--deadline", "3d", "--trust", "mail")
    anna.write_to("join " + GAME)
    asked = re.search(r"type:? (ok(?: \w+)?)", flat(anna.last))
    check(asked, "to join: " + flat(anna.last))
    mails = anna.answer("gmail_android", asked[1], expect=2)
    anna.last = next((m for m in mails if "begun" in m["Subject"]), None)
    check(anna.last, "the game has not begun: %s" % [m["Subject"] for m in mails])


def shown(league):
    """The game, and what a robot would type in place of those who are awaited."""
    return json.loads(league.tp("show", GAME, "--json", "--robot"))


def robots_words(table):
    """What a robot would type in her place."""
    return next(s for s in table["seats"] if s["name"] == "anna")["robot_orders"].rstrip("\n") or "pass"


def change_nothing(anna, league):
    """Programs that answer for her never act, whether they say that they are programs or not."""
    before, mail = league.journal(GAME), anna.last
    anna.answer("exchange_away", "build\nresign", mail, expect=0)
    check(league.journal(GAME) == before, "an out-of-office has acted")
    anna.answer("exchange_away", "build\nresign", mail, expect=0, marks=False)
    anna.answer("exchange_away", "build\nresign", mail, marks=False, before="Re: ")
    check("othing has been done yet" in flat(anna.last), flat(anna.last))
    more = league.records(GAME)[len(before.splitlines()):]
    check([record.get("kind") for record in more] == ["question"], "an out-of-office without its marks has acted: %s" % more)
    anna.last = mail


def wrong_clocks(anna, league):
    """Her computer is two hours ahead, and its orders wait for better ones; her telephone's, in answer to the same mail, are later.
    Then it is two hours behind: what she answers to the mail that says so counts."""
    league.seated("gc-2", "galaxy-command", "anna,robot", "--deadline", "3d", "--trust", "mail")
    league.tp("run")
    report, orders = anna.look()[-1], lambda: [r["vouched"] for r in league.records("gc-2") if r["type"] == "orders"]
    time.sleep(1.1)  # so that the second answer is later than the game; in one second the order of records counts
    now = int(time.time())
    anna.answer("thunderbird", "conquer N1", report, now=now + 7200, t=str(now))
    anna.answer("gmail_android", "conquer N2", report)
    check([how["sent"] > how["arrived"] for how in orders()] == [True, False], "when they came: %s" % orders())
    anna.answer("outlook_desktop", "conquer N3", report, now=now - 7200, t=str(now))
    check(len(orders()) == 2 and "written later" in flat(anna.last), flat(anna.last))
    anna.answer("outlook_desktop", "explore near or bide", now=now - 7200, t=str(now))
    check(len(orders()) == 3 and "We have your orders" in flat(anna.last), flat(anna.last))
    verify_chain(league, "gc-2")


def play_on(anna, league):
    """One answer a turn, each time by the next mail program; the decisions, the answers, and what it took to the first receipt."""
    decisions, finals, clients, begun = 0, [], list(CLIENTS), ""
    table = shown(league)
    while not table["over"]:
        turn, client = table["turn"], clients[decisions % len(clients)]
        if decisions == 1:
            change_nothing(anna, league)
        typed = {3: "ok", 4: "1"}.get(decisions) or robots_words(table)
        how = {"s": "away"} if decisions == 5 else {}  # a key that DNSSEC does not prove
        mails = anna.answer(client, typed, **how)
        decisions += 1
        receipt = [m for m in mails if "We have your orders" in flat(m)]
        check(receipt and receipt[0]["In-Reply-To"], "%s, turn %d, \"%s\" brought %s" % (client, turn, typed, [flat(m)[:300] for m in mails]))
        table = shown(league)
        if table["turn"] == turn and "Not read in your mail" in flat(receipt[0]):  # the program's own, for the first time
            finals.append(client)
            mails = anna.answer(client, "final", receipt[0])
            table = shown(league)
        check(table["over"] or table["turn"] > turn, "%s: turn %d was not played" % (client, turn))
        if decisions == 1:
            begun = "%d mails sent, %d received, %d taps, %d characters typed" % (anna.sent, anna.received, 2 * anna.sent, anna.typed)
        anna.last = mails[-1]
    check(decisions >= 4, "the game took %d decisions" % decisions)
    own = ["apple_ios", "outlook_mobile", "proton"]  # which write a line of their own below all mails
    check(finals == [client for client in own if client in clients[:decisions]], "the turns of these waited: %s" % finals)
    return decisions, len(finals), begun


def verdict(league, texts):
    """What an auditor reads: of each text of hers, by what it stands. One has joined the game."""
    said = league.tp("audit", league.dir / "games" / GAME, "--verbose", "--key", league.dir / "keys/league.pub")
    vouched = [line for line in said.splitlines() if "the mail domain players.test vouches for" in line]
    check(len(vouched) == texts + 1 and sum("under away, which the league says the domain published" in line for line in vouched) == 1 and
          sum("by a chain of signatures from the root of the names" in line for line in vouched) == texts, "the verdict on the levels:\n" + said)
    learned = {r["vouched"]["learned"] for r in league.records(GAME) if r["type"] == "orders" and "vouched" in r}
    check(learned == {"dnssec", "league"}, "the domain's key was learned by %s" % learned)
    verify_chain(league, GAME)


def play(servers_list):
    domains = Domains()
    servers_list.append(domains)
    check_forms(domains.keys)
    servers = Servers(["orders", "anna"])
    servers_list.append(servers)
    league = League()
    league.init()
    league.use_servers(servers)
    domains.use(league)
    anna = Reader("anna", domains, league, servers)
    enter(anna, league)
    decisions, finals, begun = play_on(anna, league)
    verdict(league, decisions + finals)
    wrong_clocks(anna, league)
    print("from the invitation to the first receipt %s; %d decisions by %d mail programs, and %d words more" % (
        begun, decisions, min(decisions, len(CLIENTS)), finals))


main(play)
