"""Commands beside a daemon: on real servers, answered at once; files in the queue that nobody of ours put there; a daemon
and commands that are killed; and a run that is killed at points of it: everything done once.

LONG=1: killed at every point, and a full disk at every point (make crash)."""
import concurrent.futures
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import *
from comes_next import *
from commands import *



# ---- on real servers ---------------------------------------------------------------------------------------

def beside(servers_list):
    servers = Servers(["orders", "alice", "bob"])
    servers_list.append(servers)
    league = League("beside")
    league.init()
    league.use_servers(servers)
    daemon = Daemon(league)
    alice, bob = Player("alice"), Player("bob")
    try:
        began = time.time()
        check("Entered alice" in ask(league, "player", "add", "alice", alice.address, alice.public), "alice")
        check("key minisign" not in ask(league, "player", "add", "bob", bob.address, bob.public), "bob")
        check("Asked by mail to join: alice" in ask(league, "new", "gc-1", "galaxy-command", "--seats", "alice,robot", "--deadline", "3d"), "new")
        took = time.time() - began
        check(took < 12, "three commands took %.1f s" % took)
        asked, = alice.fetch(servers)
        alice.send(servers, alice.mail(form(asked, "join")))
        alice.fetch(servers, expect=2)
        said = ask(league, "moderate", "gc-1", "pause", "--reason", "the host moves")
        check("paused" in said and "1 mail to be sent" in said, "moderate: " + said)
        told, = alice.fetch(servers)
        check("the host moves" in text_of(told), "nobody was told: " + text_of(told))
        check("is paused already" in ask(league, "moderate", "gc-1", "pause", "--reason", "again", code=1), "pause twice")
        ask(league, "moderate", "gc-1", "resume", "--reason", "it has moved")
        alice.fetch(servers)
        check(len(ask(league, "invite", "--count", "2").split()) == 2, "invite")
        ask(league, "player", "address", "bob", "robert@players.test", "--at-once")
        check("robert@players.test" in ask(league, "player", "list"), "a new address")
        # The player who came meanwhile is known without a reload, and so is the game.
        alice.send(servers, alice.mail(league.orders("gc-1", 1, ["bide"])))
        alice.fetch(servers)
        refused(league)
        backup(league)
        crowd(league)
        daemon.stop()
        check(not queue(league), "left in the queue: %s" % queue(league))
        marks = requests_of(league, "gc-1")
        check(len(marks) == 3 and len(set(marks)) == 3, "the records name %s" % marks)
        verify_chain(league, "gc-1")
        check("given up" not in (WORK / "daemon.log").read_text(), "only half is given up")
    finally:
        daemon.kill()
    return took


def refused(league):
    """What cannot be handed over says so in one sentence."""
    for args in (("moderate", "gc-1", "pause", "--reason", "x", "--now", "2026-12-01T00:00:00Z"), ("run", "--now", "2026-12-01T00:00:00Z"),
                 ("init", league.dir), ("restore", WORK / "none", league.dir), ("restore", league.dir, WORK / "again")):
        said = ask(league, *args, code=75)
        check(len(said.splitlines()) == 1 and ("works on" in said), "%s: %s" % (args[0], said))


def backup(league):
    said = ask(league, "backup", WORK / "copy")
    check("stood still" in said and "1 game, 2 players" in said and "password, which league.ini names" in said, said)
    check(not (WORK / "copy/queue").exists(), "commands that wait are in the backup")
    said = ask(league, "restore", WORK / "copy", WORK / "restored")
    check("password is missing" in said, said)
    check((WORK / "restored/games/gc-1/journal.jsonl").read_bytes() == league.journal("gc-1"), "another journal")


def crowd(league):
    """Many at once, and of two who want the same one."""
    names = ["crew%d" % (i // 2) for i in range(16)]
    keys = {name: Player(name).public for name in set(names)}
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        done = list(pool.map(lambda name: begin(league, "player", "add", name, name + "@players.test", keys[name]), names))
        said = [(p.communicate(timeout=60)[0], p.returncode) for p in done]
    codes = sorted(code for _, code in said)
    check(codes == [0] * 8 + [1] * 8, "exit codes %s: %s" % (codes, said))
    check(all("already" in words for words, code in said if code), "why: %s" % said)


# ---- what nobody of ours has put there -----------------------------------------------------------------------

def small(name):
    league = League(name)
    league.init()
    alice = Player("alice-" + name)
    ask(league, "player", "add", "alice", "alice@players.test", alice.public)
    ask(league, "new", "gc-1", "galaxy-command", "--seats", "alice,robot")
    league.put_mail(alice.mail(league.petition("join", game="gc-1")), "join")
    ask(league, "run")
    return league


def pause_of(league, **fields):
    return request(league, "moderate", "gc-1", "pause", "--reason", "x", **fields)


def hostile():
    league = small("hostile")
    daemon = Daemon(league)
    folder, number = league.dir / "queue", secrets.token_hex(32)
    before = league.journal("gc-1")
    name = lambda: folder / ("%016x-%s.request" % (int(time.time() * 1000), secrets.token_hex(32)))
    try:
        os.mkfifo(name())
        (WORK / "outside").write_text("what others may not read\n")
        os.symlink(WORK / "outside", name())
        os.symlink("/dev/zero", name())
        os.link(league.dir / "league.ini", name())
        name().mkdir()
        (folder / "nonsense.request").write_text("x")
        with open(name(), "wb") as huge:
            huge.truncate(1 << 33)
        for text in ("", "{", '{"v":1', "[]", "null", "{}", '{"v":1,"v":1}', '"' + "x" * 100000, "[" * 5000):
            put(league, text)
        for change in ({"v": 2}, {"id": "00"}, {"args": "pause"}, {"args": []}, {"args": [7]}, {"command": "backup"}, {"command": "sh"},
                       {"head": "0" * 65}, {"args": ["moderate", "--help"]}, {"args": ["moderate", "gc-1", "--reason"]},
                       {"args": ["moderate", "../../x", "pause", "--reason", "x"]}, {"args": ["moderate", "gc-1", "pause", "--lines", "/etc/passwd"]}):
            wish = {"v": 1, "id": number, "command": "moderate", "args": ["moderate", "gc-1", "pause", "--reason", "x"], "made": int(time.time()),
                    "since": int(time.clock_gettime(time.CLOCK_BOOTTIME)), "head": last_head(league, "gc-1")}
            stem = put(league, json.dumps(dict(wish, **change)), number)
            check(answer(league, stem)["code"] != 0, "done: %s" % change)
        if os.geteuid() == 0:
            path = name()
            path.write_text("{}")
            os.chmod(path, 0o600)
            os.chown(path, 65534, 65534)
        open_one = name()
        open_one.write_text("{}")
        os.chmod(open_one, 0o666)
        check(answer(league, pause_of(league, head="1" * 64))["code"] != 0, "done on another head")
        check(answer(league, pause_of(league, head=last_head(league, "gc-1"), age=700))["code"] != 0, "done after its time")
        check(answer(league, pause_of(league, head=last_head(league, "gc-1"), age=-90))["code"] != 0, "done before its time")
        check(answer(league, pause_of(league, head=last_head(league, "gc-1"), since=700))["code"] != 0, "the clock was put back")
        check(answer(league, pause_of(league, head=last_head(league, "gc-1"), since=-90))["code"] != 0, "the host was started again")
        check(league.journal("gc-1") == before, "something was done")
        for _ in range(3000):
            name().write_text("x")
        began = time.time()
        while len(queue(league, ".request")) > 900:
            check(time.time() - began < 60, "junk is not cleared away: %d" % len(queue(league)))
            time.sleep(0.1)
        first = pause_of(league, head=last_head(league, "gc-1"), number=number)
        check(answer(league, first, 60)["code"] == 0, "a good one among them")
        again = answer(league, request(league, "moderate", "gc-1", "resume", "--reason", "y", number=number), 60)
        check(again["code"] == 0 and "It is done" in again["said"], "an id twice: %s" % again)
        marks = requests_of(league, "gc-1")[1:]  # the first one made the game
        check(marks == [number], "done %s" % marks)
        check("what others" not in "".join(p.read_text(errors="replace") for p in folder.glob("*.answer")), "a file was read")
        check((WORK / "outside").exists() and (league.dir / "league.ini").exists(), "a file is gone")
        while queue(league, ".request") != ["nonsense.request"]:  # of another name: it goes when it is old
            check(time.time() - began < 60, "left: %s" % queue(league, ".request")[:5])
            time.sleep(0.1)
        daemon.stop()
    finally:
        daemon.kill()


# ---- killed ------------------------------------------------------------------------------------------------

def bound(league, number, daemon):
    """The number of a command that was withdrawn is not that of another one, before it is done and afterwards."""
    daemon.worker(signal.SIGCONT)
    mine, before = ("moderate", "gc-1", "resume", "--reason", "never", "--request", number), league.journal("gc-1")
    for turn in (1, 2):
        for words in (("moderate", "gc-1", "resume", "--reason", "ever"), ("moderate", "gc-1", "pause", "--reason", "never"),
                      ("player", "address", "alice", "b@players.test", "--at-once")):
            said = ask(league, *words, "--request", number, code=78)
            check("nothing was done" in said and "another command" in said and len(said.splitlines()) == 1, "%s: %s" % (words, said))
        check((league.journal("gc-1") == before) == (turn == 1), "done by another command's number")
        ask(league, *mine)
        check(requests_of(league, "gc-1").count(number) == 1, "not once: %s" % requests_of(league, "gc-1"))
        own = [record["reason"] for record in league.records("gc-1") if record.get("request", "").startswith("5" * 32)]
        check(own == ["x", "y"] * (turn - 1), "of a script's own number: %s" % own)
        for action, reason in (("hold", "x"), ("pause", "y")):  # with other words it is another command
            ask(league, "moderate", "gc-1", action, "--reason", reason, "--request", "5" * 32)
    daemon.worker(signal.SIGSTOP)


def killed():
    league = small("killed")
    daemon = Daemon(league)
    try:
        # The daemon dies while a command waits: the command does it itself.
        daemon.worker(signal.SIGSTOP)
        waits = begin(league, "moderate", "gc-1", "pause", "--reason", "the daemon is dead")
        wait_for_request(league)
        daemon.kill()
        said = waits.communicate(timeout=30)[0]
        check(waits.returncode == 0 and "done" in said, "after the daemon's end: " + said)
        check(len(requests_of(league, "gc-1")) == 2 and not queue(league), "once: %s %s" % (requests_of(league, "gc-1"), queue(league)))
        # ^C withdraws what nobody has taken up.
        daemon = Daemon(league)
        daemon.worker(signal.SIGSTOP)
        waits = begin(league, "moderate", "gc-1", "resume", "--reason", "never")
        wait_for_request(league)
        waits.send_signal(signal.SIGINT)
        said = waits.communicate(timeout=10)[0]
        check(waits.returncode == 75 and "withdrawn; nothing was done" in said and not queue(league), "^C: " + said)
        bound(league, re.search("--request ([0-9a-f]{64})", said).group(1), daemon)
        # A command that is killed: its request is good all the same, and what it was answered goes later.
        waits = begin(league, "player", "address", "alice", "a@players.test", "--at-once")
        wait_for_request(league)
        waits.kill()
        waits.communicate()
        daemon.worker(signal.SIGCONT)
        end = time.time() + 10
        while "a@players.test" not in ask(league, "player", "list"):
            check(time.time() < end, "the request of a dead command is not done")
            time.sleep(0.1)
        check(len(requests_of(league, "gc-1")) == 5, "a withdrawn command was done: %s" % requests_of(league, "gc-1"))
        # Reloads, while commands come: each is done, once.
        said = [begin(league, "moderate", "gc-1", "hold" if n % 2 else "resume", "--reason", "n%d" % n) for n in range(1)]
        for n in range(6):
            daemon.process.send_signal(signal.SIGHUP)
            ask(league, "player", "address", "alice", "a%d@players.test" % n, "--at-once")
        check(all(p.wait(timeout=30) == 0 for p in said), "a command beside reloads")
        daemon.stop()
        journal = (league.dir / "registry/journal.jsonl").read_text().splitlines()
        check(sum('"what":"address"' in line for line in journal) == 7, "not once each")
        verify_chain(league, "gc-1", stock=False)
    finally:
        daemon.kill()


# ---- a run that is killed at every point -----------------------------------------------------------------------

IDS = {"new": "a1" * 32, "moderate": "b2" * 32, "player": "d4" * 32}


def with_requests(base, name):
    league = copy(base, name)
    request(league, "new", "gc-2", "galaxy-command", "--seats", "alice,robot", number=IDS["new"])
    request(league, "moderate", "gc-1", "hold", "--reason", "x", head=last_head(league, "gc-1"), number=IDS["moderate"])
    request(league, "player", "address", "alice", "al@players.test", "--at-once", number=IDS["player"])
    return league


def once(league, refused=()):
    """What is wrong, if not each of the three was done once, and what was refused not at all; and how many mails were sent."""
    registry = [json.loads(line) for line in (league.dir / "registry/journal.jsonl").read_text().splitlines()]
    found = [r.get("request") for r in registry + league.records("gc-1") + (league.records("gc-2") if (league.dir / "games/gc-2/journal.jsonl").exists() else [])]
    wrong = ["%s was done %d times" % (name, found.count(number)) for name, number in IDS.items() if found.count(number) != (number not in refused)]
    player = json.loads((league.dir / "players/alice.json").read_text())
    if player["address"] != ("alice@players.test" if IDS["player"] in refused else "al@players.test"):
        wrong.append("alice is %s" % player)
    boxes = sum(len(list((league.dir / "mail/out" / box / "new").iterdir())) for box in ("alice@players.test", "al@players.test")
                if (league.dir / "mail/out" / box / "new").is_dir())
    return wrong, boxes


def kill_one(job):
    base, kind, at, number, mails = job
    league = with_requests(base, "at%d" % number)
    try:
        league.tp("run", binary=FAULT, code=None, env={"TURNPOST_FAULT": "%s:%s" % (kind.replace("else", "kill"), at)})
        code = league.code
        if kind == "else":
            comes_next(league, number)
        league.tp("run", code=None)
        league.tp("run")
        refused = [name[17:81] for name in queue(league, ".answer") if json.loads((league.dir / "queue" / name).read_text())["code"]]
        wrong, boxes = once(league, refused)
        if kind == "kill" and refused:
            wrong.append("refused: %s" % refused)
        if kind == "else":
            wrong += sound(league) + ["refused: %s" % refused] * (refused not in ([], [IDS["moderate"]]))  # its game has gone on
        if refused or kind == "else":
            mails = boxes
        if kind != "fail" and code != -9:
            wrong.append("not killed: exit %d" % code)
        if boxes != mails:
            wrong.append("%d mails, not %d" % (boxes, mails))
        if queue(league, ".request") or queue(league, ".taken") or queue(league, ".again"):
            wrong.append("left: %s" % queue(league))
        verify_chains(league)
        return ["%s at %s: %s" % (kind, at, what) for what in wrong]
    except Failed as why:
        return ["%s at %s: %s" % (kind, at, why)]
    finally:
        shutil.rmtree(league.dir)


def crash():
    base = small("base")
    quiet = with_requests(base, "quiet")
    quiet.tp("run", binary=FAULT, env={"TURNPOST_FAULT": "count:%s" % (WORK / "count")})
    points = int((WORK / "count").read_text().split()[-1])
    wrong, mails = once(quiet)
    check(not wrong and mails >= 3, "an undisturbed run: %s, %d mails" % (wrong, mails))
    check(len(queue(quiet, ".answer")) == 3, "answers: %s" % queue(quiet))
    codes = [json.loads((quiet.dir / "queue" / name).read_text()) for name in queue(quiet, ".answer")]
    check(all(a["code"] == 0 for a in codes), "answers: %s" % codes)
    step = 1 if os.environ.get("LONG") else max(1, points // 6)
    staged, _points = staged_at(with_requests(base, "traced"))
    jobs = [(base, "kill", str(at), at, mails) for at in range(1, points + 1, step)]
    jobs += [(base, "else", str(at), 2 * points + at, mails) for at in (range(1, points + 1) if step == 1 else staged)]
    jobs += [(base, "fail", "%d:28" % at, points + at, mails) for at in range(1 + step // 2, points + 1, step)]  # no space left
    faults = []
    with multiprocessing.Pool(2) as pool:
        for found in pool.imap_unordered(kill_one, jobs, chunksize=2):
            faults += found
    for fault in faults[:20]:
        print(fault)
    check(not faults, "%d faults" % len(faults))
    return len(jobs), points


def play(servers):
    took = beside(servers)
    hostile()
    killed()
    jobs, points = crash()
    print("three commands in %.1f s beside a daemon; %d kills and full disks at %d points of a run with three requests: each done once" % (took, jobs, points))


main(play)
