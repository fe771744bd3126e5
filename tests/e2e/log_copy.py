"""The league's log after a restore. Players hold proofs of what the backup does not have: the lost league's own log goes on, and says what
its journals have lost; or another log begins, with another name. Never two of one name."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

AT = "2026-11-2%dT09:00:00Z"


def entries(league):
    return (league.dir / "log/entries").read_text().splitlines()


def logs(league):
    return [line.split()[1] for line in (league.dir / "keys/league.policy").read_text().splitlines() if line.startswith("log ")]


def numbers(lines, name):
    return [int(line.split()[2]) for line in lines if line.split()[0] not in ("lost", "program", "log") and line.split()[1] == name]


def restored(backup, name, *flags):
    league = League(name)
    said = league.tp("restore", backup, league.dir, *flags)
    before = entries(league)
    league.share()
    (league.dir / "mail/out").mkdir(parents=True, exist_ok=True)
    league.tp("run", "--now", AT % 5)
    return league, said, before


def goes_on(league, said, whole, old, before):
    """The old log, whole, and then what was lost of it."""
    now = entries(league)
    check(before == whole and now[:len(whole)] == whole, "the log does not begin with what players hold proofs of")
    check("goes on from" in said, said)
    check(logs(league) == old, "the log has another name")
    lost = [line.split() for line in now[len(whole):] if line.startswith("lost gc-1 ")]
    check(len(lost) == 1 and int(lost[0][2]) == KEPT + 1, "lost: %s, and the backup has %d records" % (lost, KEPT))
    again = now[[line.split()[:3] for line in now].index(["lost", "gc-1", str(KEPT + 1)]):]
    check(numbers(again, "gc-1") == list(range(KEPT + 1, KEPT + 1 + len(numbers(again, "gc-1")))) and len(numbers(again, "gc-1")) >= 1,
          "after it the numbers come again: %s" % numbers(again, "gc-1"))


def begins_anew(league, said, whole, old):
    now = entries(league)
    first = now[0].split()
    check("A new log begins" in said, said)
    check(first[0] == "log" and first[2] == old[0] and 0 < int(first[3]) < len(whole), "its first entry is: %s" % now[0])
    check(len(logs(league)) == 2 and logs(league)[1] == old[0] and logs(league)[0] != old[0], "the logs are: %s" % logs(league))
    check((league.dir / "log/checkpoint").read_text().startswith(logs(league)[0].split("+")[0] + "\n"), "the checkpoint has the old name")
    check(numbers(now, "gc-1") == list(range(1, len(league.records("gc-1")) + 1)), "it lacks records: %s" % numbers(now, "gc-1"))
    check(now[1].split()[:3] == ["lost", "gc-1", str(KEPT + 1)], "it does not say what may be lost: %s" % now[1])


def play(_):
    global KEPT
    league = League()
    league.init()
    site, other = WORK / "site", League("other")
    league.set("site", folder=site)
    people = [Player("alice"), Player("bob")]
    for player in people:
        league.add(player)
    league.seated("gc-1", "galaxy-command", "alice,bob", "--deadline", "1d", "--now", AT % 0)
    backup, early = WORK / "backup", WORK / "early"
    for turn in (1, 2):
        for player in people:
            league.put_mail(player.mail(league.orders("gc-1", turn, ["explore near"])), "t%d-%s" % (turn, player.name))
        league.tp("run", "--now", AT % turn)
        if turn == 1:
            league.tp("backup", backup)
            shutil.copytree(league.dir / "log", early)
            KEPT = len(league.records("gc-1"))
    whole, old = entries(league), logs(league)
    check(len(whole) > len((early / "entries").read_text().splitlines()), "nothing came after the backup")

    mistaken = League("mistaken")
    mistaken.tp("restore", backup, mistaken.dir, "--nothing-lost", code=1)
    check("something came after the backup" in mistaken.err, mistaken.err)
    named, said, before = restored(backup, "named", "--log", league.dir / "log")
    goes_on(named, said, whole, old, before)

    # The last checkpoint has not lasted, or a line was begun: what stands behind it may have been told all the same.
    torn = WORK / "torn"
    shutil.copytree(early, torn)
    (torn / "entries").write_text("\n".join(whole) + "\nhead gc-1 9")
    behind, said, before = restored(backup, "behind", "--log", torn)
    goes_on(behind, said, whole, old, before)

    fresh, said, _ = restored(backup, "fresh")
    begins_anew(fresh, said, whole, old)
    check((site / "log/checkpoint").read_text().startswith(logs(fresh)[0].split("+")[0] + "\n"), "the site shows another log")

    # Who audits the logs is told the same, and accuses nobody: also not for what players have kept of the old one.
    kept = league.dir / "log/checkpoint"
    said = named.tp("audit", "--log", named.dir / "log", "--policy", named.dir / "keys/league.policy", "--kept", kept, code=1)
    check("lost its records from this one on" in said and "WRONG" not in said and "two histories" not in said, said)
    said = fresh.tp("audit", "--log", fresh.dir / "log", "--policy", fresh.dir / "keys/league.policy", "--kept", kept, code=1)
    check("this log follows another one" in said and "is of another log of this league" in said and "two histories" not in said, said)

    # Nor do mails alone, of before and after.
    for player in people:
        box = WORK / ("box-" + player.name)
        for part in ("new", "cur"):
            (box / part).mkdir(parents=True)
        for number, one in enumerate((league, fresh)):
            for path in (one.dir / "mail/out" / player.address / "new").iterdir():
                shutil.copy(path, box / "cur" / ("%d-%s" % (number, path.name)))
        said = fresh.tp("receipt-check", box, "--policy", fresh.dir / "keys/league.policy", code=None)
        check(fresh.code in (0, 1) and "WRONG" not in said and "contradicted" not in said, said)

    # A site of one log becomes that of another: no tile of the old one stays.
    fresh.tp("run", "--now", AT % 6)
    mine = fresh.dir / "log"
    for path in (site / "log").rglob("*"):
        if path.is_file():
            check((mine / path.relative_to(site / "log")).read_bytes() == path.read_bytes(), "%s is not of the log that the site names" % path)

    shutil.rmtree(site)
    same, said, before = restored(backup, "same", "--nothing-lost")
    check(before == (backup / "log/entries").read_text().splitlines() and logs(same) == old, "nothing was lost, and the log is another one")

    # A log that was cut, another league's, a changed one, a site's, and none.
    other.init()
    other.tp("new", "gc-1", "galaxy-command", "--seats", "robot,robot", "--now", AT % 0)
    cut, changed, nothing = WORK / "cut", WORK / "changed", WORK / "nothing"
    for folder in (cut, changed):
        shutil.copytree(league.dir / "log", folder)
    (cut / "entries").write_text("\n".join(whole[:-1]) + "\n")
    (changed / "entries").write_text("\n".join(whole[:-2] + whole[-1:] + whole[-2:-1]) + "\n")
    nothing.mkdir()
    for folder, words in ((cut, "it is older, or was cut"), (changed, "is not what the league has signed"), (other.dir / "log", "checkpoint"),
                          (nothing, "checkpoint")):
        refused = League("refused-" + folder.name + folder.parent.name)
        refused.tp("restore", backup, refused.dir, "--log", folder, code=None)
        check(refused.code != 0 and not refused.dir.exists() and words in refused.err, "%s: %s" % (folder, refused.err))
    found = League("of-a-site")
    (cut / "entries").unlink()
    found.tp("restore", backup, found.dir, "--log", cut, code=1)
    check('has no file "entries"' in found.err, found.err)
    print("a log goes on, or another begins; no name has two")


main(play)
