"""What an operator meets on real servers, whichever SERVERS says: folders by their names, passwords that are wrong, servers that go
down at work and come back. Nothing is lost, and each message names the cause."""
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

GAMES = 5


def utf7(name):
    """A folder's name as IMAP has it (RFC 3501, section 5.1.3), quoted."""
    def word(run):
        return "&" + base64.b64encode(run.group().encode("utf-16-be")).decode().rstrip("=").replace("/", ",") + "-"
    return '"' + re.sub("[^ -~]+", word, name.replace("&", "&-")) + '"'


def count(servers, folder):
    """How many mails there are in a folder of the league's."""
    with imaplib.IMAP4_SSL("localhost", int(servers.port["IMAPS"]), ssl_context=servers.context()) as imap:
        imap.login("orders", "secret")
        status, data = imap.select(utf7(folder), readonly=True)
        check(status == "OK", "there is no folder %s: %s" % (folder, data))
        return int(data[0])


def give_orders(league, servers, player, games, turn):
    for name in games:
        player.send(servers, player.mail(league.orders(name, turn, ["bide"])))
    wait_inbox(servers, len(games))


def folders(league, servers, alice):
    """A name that is not ASCII, with a blank; mail is moved there, and the folder is made."""
    with imaplib.IMAP4_SSL("localhost", int(servers.port["IMAPS"]), ssl_context=servers.context()) as imap:
        imap.login("orders", "secret")
        offered = imap.capability()[1][0].decode().upper().split()
    done = re.sub("Processed$", "Züge & Briefe – erledigt", servers.folders["processed"])
    league.set("incoming", processed=done)
    give_orders(league, servers, alice, ["g0"], 1)
    league.tp("run")
    check(count(servers, done) == 1 and count(servers, "INBOX") == 0, "the mail is not in " + done)
    alice.fetch(servers)
    league.set("incoming", **servers.folders)
    if servers.folders["processed"] != "Processed":
        league.set("incoming", processed="Processed")
        league.tp("run", code=78)
        check("INBOX.Processed" in league.err, "which name it would be: " + league.err)
        league.set("incoming", **servers.folders)
    return [word for word in ("IDLE", "MOVE", "UIDPLUS") if word in offered]


def passwords(league, servers, alice):
    """Wrong ones: 78, and the mails stay where they are."""
    give_orders(league, servers, alice, ["g0"], 2)
    (league.dir / "other").write_text("wrong\n")
    (league.dir / "other").chmod(0o600)
    league.set("incoming", password_file="other")
    league.tp("run", code=78)
    check("password" in league.err and "localhost:" + servers.port["IMAPS"] in league.err, "IMAP: " + league.err)
    check(count(servers, "INBOX") == 1, "a mail is gone that nobody could read")
    league.set("incoming", password_file="password")
    if "SMTPS" in servers.port:
        league.set("outgoing", password_file="other")
        league.tp("run", code=78)
        check("password" in league.err and "localhost:" + servers.port["SMTPS"] in league.err, "SMTP: " + league.err)
        league.set("outgoing", password_file="password")
    league.tp("run")
    alice.fetch(servers)


def returned(league, servers):
    """What `init` has set is enough: a mail that cannot be delivered comes back, and names its player."""
    check("bounce_address = %s\n" % ADDRESS in (league.dir / "league.ini").read_text(), "init sets no bounce address")
    league.add(Player("bounce"))
    league.seated("back", "galaxy-command", "bounce,robot", "--deadline", "30d")
    league.tp("run")
    wait_inbox(servers, 1)
    league.tp("run")
    found = json.loads(league.tp("games", "--json"))["bounces"].get("bounce", {})
    check(found.get("mail", "").startswith("back.") and found["status"].startswith("5."), "it did not come back: %s" % found)


def run_while_down(league, servers, after):
    """A run that finds the servers killed when it has worked for so many seconds."""
    run = subprocess.Popen([TURNPOST, "run", "--league", str(league.dir)], stderr=subprocess.PIPE, start_new_session=True)
    time.sleep(after)
    os.killpg(run.pid, signal.SIGSTOP)  # killing them takes longer than it does
    servers.down()
    os.killpg(run.pid, signal.SIGCONT)
    why = run.communicate(timeout=60)[1].decode()
    return run, why


def down(league, servers, alice, chance):
    """Nobody listens: 75. Then killed in the middle of a run, and up again."""
    servers.down()
    league.tp("run", code=75)
    check("localhost:" + servers.port["IMAPS"] in league.err, "nobody listens: " + league.err)
    servers.up()
    games = ["g%d" % n for n in range(1, GAMES + 1)]
    for name in games:
        league.seated(name, "galaxy-command", "alice,robot", "--deadline", "30d")
    league.tp("run")
    alice.fetch(servers, expect=GAMES)
    codes, long = [], 0
    for turn in range(1, 6):
        give_orders(league, servers, alice, games, turn)
        began = time.time()
        if long:
            run, why = run_while_down(league, servers, chance.uniform(0, 0.8 * long))
            check(run.returncode in (0, 75), "exit %d: %s" % (run.returncode, why))
            check(run.returncode == 0 or "localhost:" in why, "which server: " + why)
            codes.append(run.returncode)
            servers.up()
        else:
            league.tp("run")
            long = time.time() - began  # undisturbed
        while any(league.records(name)[-1].get("turn", 0) < turn for name in games):
            check(time.time() < began + 60, "turn %d: %s" % (turn, league.err))
            league.tp("run", code=None)
        expect_mails(league, servers, alice, games, turn)
        if codes.count(75) == (2 if os.environ.get("LONG") else 1):
            break
    return codes


def expect_mails(league, servers, alice, games, turn, seconds=40):
    """A receipt and a report of each game, at least once."""
    end, wanted, got = time.time() + seconds, set(), {}
    for name in games:
        for record in league.records(name):
            if record["type"] == "turn" and record["turn"] == turn:  # the report is the receipt as well
                wanted.add("<%s.%d.1@game.test>" % (name, record["seq"]))
    check(len(wanted) == len(games), "turns: %s" % wanted)
    while wanted - set(got):
        check(time.time() < end, "turn %d: %s never came" % (turn, sorted(wanted - set(got))))
        soon = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 600))
        league.tp("run", "--now", soon, code=None)  # what was put off for some minutes
        for mail in alice.fetch(servers, expect=0):
            text = mail["Subject"] + text_of(mail)
            check(got.setdefault(mail["Message-ID"], text) == text, "two contents under " + mail["Message-ID"])


def woken(league, servers, alice):
    """The daemon listens by IDLE, loses the server, and hears of the next mail when it is back."""
    log = open(WORK / "daemon.log", "w")
    daemon = subprocess.Popen([TURNPOST, "daemon", "--league", str(league.dir), "--verbose"], stderr=log)
    try:
        time.sleep(2)
        servers.down()
        time.sleep(2)
        servers.up()
        began = time.time()
        alice.send(servers, alice.mail(league.orders("g0", 3, ["bide"])))
        mails = alice.fetch(servers, seconds=150)
        took = time.time() - began
        check(any("(turn 4: your orders)" in m["Subject"] for m in mails), "turn 3 was not played")
        began = time.time()
        alice.send(servers, alice.mail(league.orders("g0", 4, ["bide"])))
        alice.fetch(servers, seconds=30)
        daemon.terminate()
        check(daemon.wait(timeout=15) == 0, "the daemon did not end cleanly")
        return took, time.time() - began
    finally:
        if daemon.poll() is None:
            daemon.kill()


def play(servers_list):
    seed = int(os.environ.get("SEED", time.time_ns() % 1000000))
    print("seed %d" % seed)
    servers = Servers(["orders", "alice"])
    servers_list.append(servers)
    league, alice = League(), Player("alice")
    league.init()
    league.use_servers(servers)
    league.add(alice)
    league.tp("doctor")
    league.seated("g0", "galaxy-command", "alice,robot", "--deadline", "30d")
    league.tp("run")
    alice.fetch(servers)
    offered = folders(league, servers, alice)
    passwords(league, servers, alice)
    returned(league, servers)
    took, woke = woken(league, servers, alice)
    codes = down(league, servers, alice, random.Random(seed))
    for name in ["g0"] + ["g%d" % n for n in range(1, GAMES + 1)]:
        verify_chain(league, name, stock=False)
    print("%s; down at work: exits %s; the daemon: %.1f s after the server was back, then %.1f s" % (" ".join(offered), codes, took, woke))


main(play)
