"""One mail a decision: games of each ruleset against robots, by mail; how many mails and bytes each decision of the player brought,
and that the reports tell of every turn once, in order. KEEP=DIR keeps the mails there, to be read; LONG=1 (make season)
plays the games to their ends."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

# ruleset, seats, options, decisions at most
TABLES = [
    ("galaxy-command", "alice,robot,robot", [], 6),
    ("galactic-supremacy", "alice,robot,robot", [], 12),
    ("galactic-contract", "alice,robot,robot,robot", [], 10),
    ("galaxy-farmer", "alice", [], 10),
]
MOST = 1.3  # mails a decision


def turns_told(mail):
    """The turns that a report tells of, as [first, last]."""
    words = " ".join(text_of(mail).split())
    several = re.search(r"WHAT HAPPENED IN TURNS (\d+) TO (\d+)", words)
    one = re.search(r"WHAT HAPPENED IN TURN (\d+)", words)
    return [int(n) for n in several.groups()] if several else [int(one.group(1))] * 2 if one else [0, 0]


def keep(game, mails):
    if "KEEP" not in os.environ:
        return
    folder = pathlib.Path(os.environ["KEEP"]) / game
    folder.mkdir(parents=True, exist_ok=True)
    for number, mail in enumerate(mails):
        (folder / ("%03d.eml" % number)).write_bytes(mail.as_bytes())
        (folder / ("%03d.txt" % number)).write_text("Subject: %s\n\n%s" % (mail["Subject"], text_of(mail)))


def widths(mails):
    for mail in mails:
        wide = [l for l in text_of(mail).splitlines() if len(l) > 72 and not l.startswith(("head: ", "|")) and "ssh-keygen" not in l]
        check(not wide, "%s has lines over 72 columns: %s" % (mail["Subject"], wide))


def play_table(league, alice, ruleset, seats, options, most):
    args = [a for o in options for a in ("--option", o)]
    league.seated(ruleset, ruleset, seats, "--deadline", "3d", *args)
    league.tp("run")
    mails = sorted(league.new_mails(alice.address), key=turns_told)
    check("begun" in mails[0]["Subject"] and len(mails) == 1, "the first mails: %s" % [m["Subject"] for m in mails])
    begun, decisions, told = len(mails), 0, turn_of(mails[-1]) - 1
    most = 1000 if os.environ.get("LONG") else most
    while decisions < most:
        shown = json.loads(league.tp("show", ruleset, "--json", "--robot"))
        if shown["over"]:
            break
        seat = next((s for s in shown["seats"] if s["name"] == "alice" and s["awaited"]), None)
        check(seat, "nobody is waited for")
        check(turn_of(mails[-1]) == shown["turn"], "the last mail's form is not for the open turn")
        lines = seat["robot_orders"].splitlines() or ["pass"]
        league.put_mail(alice.mail(orders(ruleset, shown["turn"], lines, head_of(mails[-1]), final="yes")), "%s-%d" % (ruleset, decisions))
        decisions += 1
        league.tp("run")
        new = sorted(league.new_mails(alice.address), key=turns_told)
        check(len(new) >= 1, "no mail came back")
        for mail in new:
            first, last = turns_told(mail)
            if last:
                # The end, to whoever was out for more than a round, tells its last turn alone (src/play/step_report.c).
                skipped = "It is over" in mail["Subject"] and first == last > told + len(seats.split(","))
                check(first == told + 1 or skipped, "%s: turns %d to %d after turn %d" % (mail["Subject"], first, last, told))
                told = last
        receipts = [m for m in new if "this mail is their receipt" in " ".join(text_of(m).split())]
        check(len(receipts) == 1 and receipts[0]["In-Reply-To"], "no receipt: " + text_of(new[-1]))
        mails += new
    widths(mails)
    keep(ruleset, mails)
    verify_head(league, mails[-1])
    verify_chain(league, ruleset)
    count, size = len(mails) - begun, sum(len(m.as_bytes()) for m in mails[begun:])
    print("%-20s %2d decisions, %3d mails, %.2f a decision, %d bytes a decision"
          % (ruleset, decisions, count, count / decisions, size / decisions))
    return count / decisions


def play(_):
    league = League()
    league.init()
    alice = Player("alice")
    league.add(alice)
    ratios = [play_table(league, alice, *table) for table in TABLES]
    check(max(ratios) <= MOST, "%.2f mails a decision" % max(ratios))
    print("mails a decision: " + ", ".join("%.2f" % r for r in ratios))


main(play)
