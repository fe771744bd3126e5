"""A season of a league by mail: two months of its time, 12 players, 22 games of all four rulesets, through Dovecot and Postfix,
signed with stock ssh-keygen, minisign and signify. Players register, join, play, mistype, correct themselves, in time or too late,
forget, vanish, come back, lose keys, vote, write to each other; for some days a daemon works, and does what the operator types
beside it; a moderator takes turns back; a player's keys are damaged for a day, and another's file when a seat of theirs is due;
the service stands still for two days; the host dies in a commit, and a backup of what is left is restored; then it works in the
evening only, and at last not at weekends. At the end every mail is accounted for, and nobody was told of an outage that was none.

    LONG=1      the whole (make season); without it fifteen days and eight games, and a host that is always on
    SEED=N      other people with other habits (the dice of the games are the league's own each time)"""
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from season_world import *
from season_people import Person
from season_ledger import Ledger
from season_stories import Stories
import season_audit

WHOLE = bool(os.environ.get("LONG"))
SEED = int(os.environ.get("SEED", "1"))
DAYS, PAUSE = (60, 3 * HOUR) if WHOLE else (15, 8 * HOUR)
BEGIN = seconds("2026-11-02T06:00:00Z")

PEOPLE = [Person("mona", "ssh", 0.97), Person("anna", "ssh", 0.97), Person("bob", "minisign", 0.95), Person("carol", "signify", 0.95),
          Person("dave", "ssh", 0.9), Person("erin", "minisign", 0.95), Person("finn", "ssh", 0.95), Person("gwen", "signify", 0.95),
          Person("hugo", "ssh", 0.9), Person("iris", "ssh", 0.95), Person("jack", "minisign", 0.6),
          Person("kate", "ssh", 0.95, address="bounce@players.test"), Person("zoe")]  # the last one is a stranger


def make_league(servers):
    league = League()
    league.init()
    league.use_servers(servers)
    league.set("league", moderators="mona", registration="open", player_invites=3, timezone="Europe/Berlin", missed_standby=2,
               missed_robot=3, standby_time="2d" if WHOLE else "1d")
    league.set("clock", hold="3d" if WHOLE else "1d", outage="6h" if WHOLE else "12h", extension="3d")
    return league


def make_host(world):
    """Rounds at a regular pace, but for two days in which the service stands still; later in the evening, and not at weekends. The
    first three nights may be taken for outages: they are not known yet."""
    away = range(BEGIN + 33 * DAYS * DAY // 60, BEGIN + 33 * DAYS * DAY // 60 + 2 * DAY)
    evening, weekday = (BEGIN + day * DAY - BEGIN % DAY if WHOLE else BEGIN + DAYS * DAY for day in (36, 46))

    def works(now):
        if now < evening:
            return now not in away
        return 18 * HOUR <= now % DAY < 23 * HOUR and (now < weekday or datetime.datetime.fromtimestamp(now, datetime.timezone.utc).weekday() < 5)

    world.works = works
    world.outages += [(away.stop, None)] + [(evening + night * DAY, None) for night in range(3) if WHOLE]


def play_season(world):
    """All rounds in which the host works; the last one is the end."""
    end = max(now for now in range(BEGIN, BEGIN + DAYS * DAY, PAUSE) if world.works(now))
    while world.now <= end:
        world.go_on()
        for person in world.people.values():
            person.act()
        if world.works(world.now):
            world.run()
            world.ledger.read()
            world.ledger.judge_clock(world.now)
        world.now += PAUSE
    world.now -= PAUSE  # the time of the last round
    for story in world.stories:
        raise Failed("the story of %s has not ended (line %d)" % (story["name"], story["line"]))


def audit(world):
    figures = season_audit.Figures()
    ledger = world.ledger
    games = ledger.games.values()
    figures.add("days, rounds, seed", "%d, %d, %d" % (DAYS, world.rounds, world.seed))
    figures.add("players, games, games that ended", "%d, %d, %d" % (len(world.people) - 1, len(games), sum(g.over for g in games)))
    figures.add("turns that count", sum(len(g.played) for g in games))
    figures.add("turns missed by somebody; without a reminder", "%d; %d" % (ledger.missed, len(ledger.unwarned)))
    trouble = season_audit.audit_story(world, figures)
    trouble += season_audit.audit_turns(world)
    trouble += season_audit.audit_beside(world, figures)
    trouble += season_audit.audit_outages(world)
    trouble += season_audit.audit_in(world, figures)
    trouble += season_audit.audit_what(world, figures)
    trouble += season_audit.audit_out(world, figures)
    trouble += season_audit.audit_text(world, figures, 1 if WHOLE else 50)
    trouble += season_audit.audit_replay(world)
    trouble += season_audit.audit_proofs(world, figures)
    trouble += season_audit.audit_receipts(world, figures)
    trouble += ["missed without a reminder: " + who for who in ledger.unwarned]
    trouble += ["unexpected: " + line for line in world.warnings if not world.expected(line)]
    figures.add("things that do not hold", len(trouble))
    figures.show()
    check(not trouble, "\n".join(trouble[:100]))
    print("seed %d: %d days, %d games, %d ended, %d turns; %d mails in, %d out; lost 0, doubled 0, unaccounted 0" % (
        world.seed, DAYS, len(games), sum(g.over for g in games), sum(len(g.played) for g in games),
        len(world.sent), sum(m["user"] == "orders" for m in world.post.mails)))


def play(servers_list):
    servers = Servers(["orders"] + [p.name for p in PEOPLE])
    servers_list.append(servers)
    world = World(servers, make_league(servers), BEGIN, PAUSE, SEED)
    make_host(world)
    Ledger(world)
    for person in PEOPLE:
        world.enter(person)
    Stories(world, DAYS, WHOLE).begin()
    try:
        play_season(world)
        audit(world)
    except Exception:  # to look at what failed: the servers' folder goes with them
        shutil.copy(servers.dir / "postfix/maillog", WORK / "maillog")
        shutil.copytree(servers.dir / "mail", WORK / "mail")
        raise
    finally:
        if world.service:
            world.service.daemon.kill()


main(play)
