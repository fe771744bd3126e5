"""A league in PostgreSQL against wrong commands and whoever can write to the database: hosts touch no file that is not shared, and no
game is lost by what an operator says, unless they are told first. LONG=1 (make hostile): each strange path in each of three forms."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from hosts import *

LEASE = 5


def league(name, postgres):
    """Two players and a game, by a Maildir, in the database."""
    host = Host(name)
    host.init()
    for player in ("alice", "bob"):
        host.add(Player(player))
    (host.dir / "password").write_text("-\n")
    host.set("incoming", type="maildir")
    host.seated("gc-1", "galaxy-command", "alice,bob", "--deadline", "30d")
    host.tp("run")
    host.keep_in(postgres.database(), LEASE)
    host.tp("store", "copy", "files", "postgres")
    return host


def begin(host, game):
    host.tp("new", game, "galaxy-command", "--seats", "alice,bob", "--deadline", "30d")
    host.tp("run")


def second(first, name):
    host = Host(name)
    host.join(first)
    shutil.copytree(first.dir / "mail/in", host.dir / "mail/in")
    host.tp("run")
    return host


def shared(postgres):
    return sorted(path.split("/")[1] for path in postgres.ask("SELECT path FROM turnpost.file WHERE path LIKE 'games/%/journal.jsonl' AND size >= 0"))


# ---- whoever can write to the database ----

PUT = """BEGIN; UPDATE turnpost.league SET seq = seq + 1;
INSERT INTO turnpost.done SELECT decode(md5(random()::text), 'hex'), seq, now() FROM turnpost.league;
INSERT INTO turnpost.file SELECT '%(path)s', decode(md5('%(path)s'), 'hex'), seq, seq, %(size)d, 2559, 0 FROM turnpost.league;
INSERT INTO turnpost.part VALUES(decode(md5('%(path)s'), 'hex'), 0, 'strange'); COMMIT"""


FORMS = ((7, False), (7, True), (-1, False))  # a size, -1 for a file that is gone; is all compared, as in a first copy that was not finished?


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") 
            if path.is_file() and "store" not in path.parts and not re.match("catalog|state.json|rounds|lock", path.name)}


def meet_strangers(postgres, host):
    (WORK / "outside").write_text("outside")
    before, count = files(host.dir), 0
    for path in ("../inside", "../outside", "games/../../outside", str(WORK / "outside"), "league.ini", "keys/secret/league", "keys/./secret/league",
                 "store/self", "games", "games/..", "games//x", "mail/out/x"):
        count += 1
        for size, compared in FORMS if os.environ.get("LONG") else FORMS[count % 3:count % 3 + 1]:
            postgres.ask(PUT % {"path": path, "size": size})
            if compared:
                (host.dir / "store/position").unlink()
            host.tp("run", code=65)
            check("no host shares" in host.err, host.err)
            postgres.ask("DELETE FROM turnpost.file WHERE path = '%s'; DELETE FROM turnpost.part WHERE body = decode(md5('%s'), 'hex')" % (path, path))
            host.tp("run")  # also after a first copy that was not finished
        after = files(host.dir)
        changed = [str(p) for p in before.keys() | after.keys() if before.get(p) != after.get(p)]
        check(not changed, "%s changed %s" % (path, changed))
        check((WORK / "outside").read_text() == "outside" and not (WORK / "inside").exists(), "%s reached out of the folder" % path)


# ---- wrong commands ----

def move_away(postgres, one, two):
    """The league goes on in files, and a host that was forgotten does not from the database; nor does it after nothing was played there,
    until somebody says so, or the files are brought back."""
    two.tp("store", "copy", "postgres", "files")
    for each in (one, two):
        each.tp("run", code=78)
        check("moved from the database into the files of" in each.err, each.err)
    one.begin()
    check(one.process.wait(timeout=30) == 78, "a daemon of a league that has moved away goes on: " + one.said()[-1000:])
    one.process = None
    one.tp("moderate", "gc-1", "extend", "1h", "--reason", "a test", code=78)
    check("moved into the files" in one.tp("store", "status") and "moved from the database" in one.tp("doctor", code=None), "nobody says so")
    two.tp("store", "copy", "postgres", "files", code=78)  # not twice
    one.tp("store", "intact")
    two.tp("run")
    one.tp("run")
    two.tp("store", "copy", "postgres", "files")
    two.set("store", type="files")
    begin(two, "gc-0")
    two.set("store", type="postgres")
    two.tp("store", "intact", code=78)  # not by the one that has gone on
    one.tp("run", code=78)
    two.tp("store", "copy", "files", "postgres", "--instead")
    (one.dir / "store/position").unlink()
    two.tp("run")
    one.tp("run")
    check(shared(postgres) == ["gc-0", "gc-1"], shared(postgres))


def go_astray(postgres, one, two):
    """A copy that is behind is put in the place of what it has not seen; a host that has gone on in files comes back without a copy."""
    begin(one, "gc-2")
    two.tp("store", "copy", "files", "postgres", "--instead", code=75)
    check("lacks the last" in two.err and shared(postgres) == ["gc-0", "gc-1", "gc-2"], two.err)
    other = Host("other")
    other.init()
    other.keep_in(postgres.database(), LEASE)
    other.tp("store", "copy", "files", "postgres", "--instead", code=75)
    check("another league" in other.err and shared(postgres) == ["gc-0", "gc-1", "gc-2"], other.err)
    one.tp("store", "copy", "postgres", "files")
    one.set("store", type="files")
    begin(one, "gc-3")
    one.set("store", type="postgres")
    one.tp("run", code=78)
    check("without the database" in one.err, one.err)
    one.tp("store", "copy", "files", "postgres", "--instead")
    one.tp("run")
    check(shared(postgres) == ["gc-0", "gc-1", "gc-2", "gc-3"], shared(postgres))


CUT = """BEGIN; UPDATE turnpost.league SET seq = seq + 1;
INSERT INTO turnpost.done SELECT decode(md5(random()::text), 'hex'), seq, now() FROM turnpost.league;
UPDATE turnpost.part SET bytes = decode('%(hex)s', 'hex') WHERE at = 0 AND body = (SELECT body FROM turnpost.file WHERE path = '%(path)s');
DELETE FROM turnpost.part WHERE at > 0 AND body = (SELECT body FROM turnpost.file WHERE path = '%(path)s');
UPDATE turnpost.file SET size = %(size)d, seq = (SELECT seq FROM turnpost.league) WHERE path = '%(path)s'; COMMIT"""


def meet_a_cut(postgres, one):
    """The last record of a game is taken away in the database: the host that has had it says so, and keeps it."""
    journal = one.dir / "games/gc-1/journal.jsonl"
    one.tp("moderate", "gc-1", "pause", "--reason", "a test")
    kept = journal.read_bytes()
    cut = b"".join(kept.splitlines(keepends=True)[:-1])
    postgres.ask(CUT % {"path": "games/gc-1/journal.jsonl", "hex": cut.hex(), "size": len(cut)})
    one.tp("run")
    check("games/gc-1/journal.jsonl has lost records" in one.err, one.err)
    aside = [path.read_bytes() for path in (one.dir / "store/stray").rglob("games/gc-1/journal.jsonl")]
    check(aside == [kept], "what was here is gone: %s" % aside)
    shutil.rmtree(one.dir / "store/stray")


def keep_what_differs(postgres, one):
    """What is compared and differs is not thrown away."""
    journal = one.dir / "games/gc-1/journal.jsonl"
    kept = journal.read_bytes()
    journal.write_bytes(kept + b"mine\n")
    (one.dir / "store/position").unlink()
    one.tp("run")
    check(journal.read_bytes() == kept, "the copy is not what the database has")
    aside = [path.read_bytes() for path in (one.dir / "store/stray").rglob("games/gc-1/journal.jsonl")]
    check(aside == [kept + b"mine\n"], "what was here is gone: %s" % aside)


# ---- a game vanishes ----

GONE = """BEGIN; UPDATE turnpost.league SET seq = seq + 1;
INSERT INTO turnpost.done SELECT decode(md5(random()::text), 'hex'), seq, now() FROM turnpost.league;
UPDATE turnpost.file SET size = -1, seq = (SELECT seq FROM turnpost.league) WHERE path LIKE 'games/gc-2/%'; COMMIT"""


def misses(host, game, *commands):
    """Each says so by its exit code, and the way back."""
    for code, *words in commands:
        said = host.tp(*words, code=code) + host.err
        check("game %s is gone" % game in said and "turnpost game restore %s BACKUP" % game in said, "%s: %s" % (words, said))


def lose_a_game(postgres, one):
    """In the database, and on one host alone, where it comes back from the database, and is not brought back from a backup, which would
    take back what was played since."""
    backup = WORK / "backup"
    one.tp("backup", backup)
    one.tp("moderate", "gc-1", "extend", "1h", "--reason", "later than the backup")
    kept = one.journal("gc-1")
    shutil.rmtree(one.dir / "games/gc-1")
    misses(one, "gc-1", (2, "status"), (78, "doctor"), (65, "run"))
    check(one.tp("run") == "" and one.journal("gc-1") == kept, "what one host has lost does not come back: " + one.err)
    shutil.rmtree(one.dir / "games/gc-1")
    one.tp("game", "restore", "gc-1", backup, code=1)
    check("nothing is wrong with game gc-1" in one.err and one.journal("gc-1") == kept, "a backup in place of what the database has: " + one.err)
    postgres.ask(GONE)
    for _ in range(2):  # also after all was compared
        misses(one, "gc-2", (65, "run"), (2, "status"), (78, "doctor"), (1, "new", "gc-2", "galaxy-command", "--seats", "alice,bob"))
    one.tp("game", "restore", "gc-2", backup)
    one.tp("run")
    check("gc-2" in shared(postgres) and one.records("gc-2")[-1].get("kind") == "lost", "it has not come back: %s" % one.records("gc-2")[-1])


# ---- what the operator has to do ----

def name_what_is_missing(postgres):
    """A schema that is called by a word of SQL; rights that the league's user has lost, at each step: the operator's, and no reason to try again."""
    host = Host("words")
    host.init()
    (host.dir / "password").write_text("-\n")
    host.set("incoming", type="maildir")
    host.keep_in(postgres.database(), LEASE, schema="full")
    postgres.ask("REVOKE CREATE ON DATABASE league FROM turnpost")
    host.tp("store", "copy", "files", "postgres", code=78)
    check("permission denied for database league: give the league's user" in host.err, host.err)
    postgres.ask("GRANT CREATE ON DATABASE league TO turnpost")
    host.tp("store", "copy", "files", "postgres")
    host.tp("run")
    for taken, given in (("REVOKE %s ON SCHEMA \"full\" FROM turnpost", "GRANT %s ON SCHEMA \"full\" TO turnpost"),
                         ("REVOKE %s ON \"full\".league FROM turnpost", "GRANT %s ON \"full\".league TO turnpost"),
                         ("REVOKE %s ON DATABASE league FROM turnpost, public", "GRANT %s ON DATABASE league TO turnpost, public")):
        right = {"SCHEMA": "USAGE", "DATABASE": "CONNECT"}.get(taken.split()[3], "UPDATE")
        postgres.ask(taken % right)
        host.tp("run", code=78)
        check("permission denied for" in host.err, host.err)
        postgres.ask(given % right)
        host.tp("run")


# ---- what is not shared, and how it is sorted ----

def share_all(postgres, one):
    """A database in another language; a folder that is a link; something secret among the keys."""
    postgres.ask("CREATE DATABASE english OWNER turnpost TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'", "postgres")
    one.set("store", database=postgres.database().replace("dbname=league", "dbname=english"))
    for game in ("a1", "a_1", "a-1"):
        (one.dir / "store/position").unlink(missing_ok=True)
        one.set("store", type="files")
        begin(one, game)
    shutil.rmtree(one.dir / "store/stray", ignore_errors=True)
    shutil.copytree(one.dir / "keys/secret", one.dir / "keys/secret.bak")
    (one.dir / "keys/password").write_text("hunter2")
    one.set("store", type="postgres")
    os.rename(one.dir / "games", WORK / "elsewhere")
    os.symlink(WORK / "elsewhere", one.dir / "games")
    one.tp("store", "copy", "files", "postgres", code=78)
    check("games is a link" in one.err, one.err)
    (one.dir / "games").unlink()
    os.rename(WORK / "elsewhere", one.dir / "games")
    one.tp("store", "copy", "files", "postgres")
    check(not (one.dir / "store/stray").exists(), "files that are in the database were moved away")
    keys = postgres.ask("SELECT path FROM turnpost.file WHERE path LIKE 'keys/%' ORDER BY path", "english")
    check(keys == ["keys/alice.pub", "keys/bob.pub", "keys/league.policy", "keys/league.pub"], keys)


# ---- a bad line ----

def suffer(postgres, one):
    """The answer to a commit is lost, and then the question whether it happened, or the answer to that; the lease is renewed late while much is committed."""
    between = Between(postgres.port)
    one.set("store", database=postgres.database(port=between.port))
    between.lose("answer")
    between.asks = 1
    began = time.time()
    begin(one, "late-1")
    check(between.met.is_set() and not between.asks and time.time() - began < 10, "no question was lost")
    between.lose("request")  # it did not happen, and whoever asks twice must not take the first question for it
    between.unheard = 1
    begin(one, "late-0")
    check(between.met.is_set() and not between.unheard and "late-0" in shared(postgres), "a commit that never happened was taken for one")
    between.beats = 0.9
    one.begin()
    await_holder(one, 20)
    until, number = time.time() + 2 * LEASE, 1
    while time.time() < until:
        number += 1
        one.tp("new", "late-%d" % number, "galaxy-command", "--seats", "alice,bob", "--deadline", "30d", code=None)
    check(one.process.poll() is None and "lost commits" not in one.said(), one.said()[-2000:])
    check(one.end() == 0, one.said()[-2000:])
    check(shared(postgres) == sorted(journals(one.dir).keys() - {"registry"}), "the database has other games")


def play(servers_list):
    postgres, one, two = Postgres(WORK / "postgres").start(), None, None
    try:
        one = league("one", postgres)
        two = second(one, "two")
        meet_strangers(postgres, two)
        one.tp("run")
        move_away(postgres, one, two)
        go_astray(postgres, one, two)
        meet_a_cut(postgres, one)
        keep_what_differs(postgres, one)
        lose_a_game(postgres, one)
        name_what_is_missing(postgres)
        suffer(postgres, one)
        one.set("store", database=postgres.database())
        share_all(postgres, one)
    finally:
        for host in (host for host in (one, two) if host):
            host.kill()
        postgres.stop()
    print("strange rows, 5 wrong commands, 4 rights that are missing, a bad line: nothing outside was touched, no game was lost")


main(play)
