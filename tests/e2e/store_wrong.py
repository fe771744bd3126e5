"""A league in PostgreSQL against wrong commands and whoever can write to the database: hosts touch no file that is not shared, and no
game is lost by what an operator says, unless they are told first."""
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
    begin(host, "gc-1")
    host.keep_in(postgres.database(), LEASE)
    host.tp("store", "copy", "files", "postgres")
    return host


def begin(host, game):
    host.tp("new", game, "galaxy-command", "--seats", "alice,bob", "--seated", "--deadline", "30d")
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


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") 
            if path.is_file() and "store" not in path.parts and not re.match("catalog|state.json|rounds|lock", path.name)}


def meet_strangers(postgres, host):
    (WORK / "outside").write_text("outside")
    before = files(host.dir)
    for path in ("../inside", "../outside", "games/../../outside", str(WORK / "outside"), "league.ini", "keys/secret/league", "keys/./secret/league",
                 "store/self", "games", "games/..", "games//x", "mail/out/x"):
        for size, compared in ((7, False), (7, True), (-1, False)):
            postgres.ask(PUT % {"path": path, "size": size})
            if compared:
                (host.dir / "store/position").unlink()
            host.tp("run", code=65)
            check("no file of a league" in host.err, host.err)
            postgres.ask("DELETE FROM turnpost.file WHERE path = '%s'; DELETE FROM turnpost.part WHERE body = decode(md5('%s'), 'hex')" % (path, path))
            host.tp("run")  # also after a first copy that was not finished
        after = files(host.dir)
        changed = [str(p) for p in before.keys() | after.keys() if before.get(p) != after.get(p)]
        check(not changed, "%s changed %s" % (path, changed))
        check((WORK / "outside").read_text() == "outside" and not (WORK / "inside").exists(), "%s reached out of the folder" % path)


# ---- wrong commands ----

def go_astray(postgres, one, two):
    """A copy that is behind is put in the place of what it has not seen; a host that has gone on in files comes back without a copy."""
    begin(one, "gc-2")
    two.tp("store", "copy", "files", "postgres", "--instead", code=75)
    check("lacks the last" in two.err and shared(postgres) == ["gc-1", "gc-2"], two.err)
    one.tp("store", "copy", "postgres", "files")
    one.set("store", type="files")
    begin(one, "gc-3")
    one.set("store", type="postgres")
    one.tp("run", code=78)
    check("without the database" in one.err, one.err)
    one.tp("store", "copy", "files", "postgres", "--instead")
    one.tp("run")
    check(shared(postgres) == ["gc-1", "gc-2", "gc-3"], shared(postgres))


def keep_what_differs(postgres, one):
    """What is compared and differs is not thrown away."""
    journal = one.dir / "games/gc-1/journal.jsonl"
    kept = journal.read_bytes()
    journal.write_bytes(kept + b"mine\n")
    (one.dir / "store/position").unlink()
    one.tp("run")
    check(journal.read_bytes() == kept, "the copy is not what the database has")
    aside = [path.read_bytes() for path in (one.dir / "store/stray").rglob("journal.jsonl")]
    check(aside == [kept + b"mine\n"], "what was here is gone: %s" % aside)


def play(servers_list):
    postgres = Postgres(WORK / "postgres").start()
    try:
        one = league("one", postgres)
        two = second(one, "two")
        meet_strangers(postgres, two)
        one.tp("run")
        go_astray(postgres, one, two)
        keep_what_differs(postgres, one)
    finally:
        postgres.stop()
    print("36 strange rows, 3 wrong commands: nothing outside was touched, no game was lost")


main(play)
