"""What `turnpost doctor` finds out about a league and its mail servers, Dovecot and Postfix or servers that misbehave."""
import os
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from fake import Fake
sys.path.insert(0, str(TESTS / "servers"))
from names import Names
from signer import Signer

POSTFIX = not os.environ.get("SERVERS")


def findings(league, *args, code=0):
    """[(check, state, text)]"""
    got = json.loads(league.tp("doctor", "--json", *args, code=code))
    return [(c["check"], c["state"], c["text"]) for c in got["checks"]]


def has(got, check_name, state, *words):
    found = [t for c, s, t in got if c == check_name and s == state and all(w in t for w in words)]
    check(found, "no %s %s with %s in\n%s" % (state, check_name, words, "\n".join(map(str, got))))
    return found[0]


def permission(league):
    """A league that another user owns is there, and says so."""
    if os.getuid() != 0:
        print("not run: a league that another user owns, which only root can make")
        return
    os.chmod(league.dir, 0o700)
    theirs = shutil.copy(TURNPOST, WORK / "turnpost")  # where they can reach it
    done = subprocess.run([theirs, "doctor", "--league", str(league.dir)], stdout=subprocess.PIPE, user=65534, group=65534, cwd="/")
    said = done.stdout.decode()
    check(done.returncode == 78 and "permission denied" in said and "sudo -u root" in said and "holds no league" not in said, said)
    (league.dir / "empty").mkdir()
    check("holds no league" in league.tp("doctor", "--league", league.dir / "empty", code=78), "an empty folder")
    (league.dir / "empty").rmdir()


def tls(league, servers):
    """Each port spoken to in the other way is recognised, soon, and no password goes anywhere."""
    ports = servers.port
    for section, way, port, words in (
            ("incoming", "implicit", ports["IMAP"], "begins in plain text and wants STARTTLS, but [incoming] says tls = implicit"),
            ("incoming", "starttls", ports["IMAPS"], "speaks TLS at once, but [incoming] says tls = starttls"),
            ("outgoing", "implicit", ports["SUBMISSION"], "begins in plain text and wants STARTTLS, but [outgoing] says tls = implicit"),
            ("outgoing", "starttls", ports["SMTPS"], "speaks TLS at once, but [outgoing] says tls = starttls")):
        league.use_servers(servers)
        league.set(section, tls=way, port=port)
        began = time.time()
        has(findings(league, code=78), section, "failed", words)
        check(time.time() - began < 25, "%s: %d s" % (words, time.time() - began))
    league.use_servers(servers)
    with socket.socket() as silent:  # neither the one nor the other
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        league.set("incoming", tls="starttls", port=silent.getsockname()[1], timeout=5)
        check("speaks TLS" not in has(findings(league, code=75), "incoming", "failed"), "a silent port")
    league.use_servers(servers)


def servers_say(league):
    got = findings(league)
    has(got, "incoming", "warning", "the certificate of localhost", "is valid for 1 more day; who runs the server has to renew it")
    early = findings(league, "--now", time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime(time.time() - 30 * 86400)))
    has(got, "outgoing", "ok", "what cannot be delivered comes back to " + ADDRESS)
    for wrong, words in (("", "all mail leaves with the null sender"), ("orders@players.test", "is orders@players.test, at another domain")):
        league.set("outgoing", bounce_address=wrong)
        has(findings(league), "outgoing", "warning", words, "set bounce_address = " + ADDRESS)
    league.set("outgoing", bounce_address=ADDRESS)
    has(early, "incoming", "ok", "the certificate of localhost", "more days")
    has(early, "outgoing", "ok", "the certificate of localhost", "more days")
    if POSTFIX:
        has(got, "incoming", "ok", "the server has MOVE, UIDPLUS, IDLE")
        has(got, "outgoing", "ok", "mails sent in the last week", "on the busiest day; Postfix")


def fakes(league, servers):
    """Servers that can little: what they lack is said, and what that means; tokens are what the command prints."""
    fake = Fake(servers.dir, ["imap_login_only", "imap_xoauth2"])
    try:
        league.set("incoming", port=fake.port["imap_login_only"], tls="implicit")
        got = findings(league, code=None)
        for word in ("MOVE", "UIDPLUS", "IDLE"):
            has(got, "incoming", "ok", "the server has no %s: " % word)
        league.set("incoming", port=fake.port["imap_xoauth2"], token_command="echo t0ken", password_file="")
        has(findings(league, code=None), "incoming", "ok", "IMAP localhost:")
        league.set("incoming", token_command="echo other")
        has(findings(league, code=None), "incoming", "failed", "check the name and the token")
    finally:
        fake.stop()
        league.set("incoming", token_command="")
        league.use_servers(servers)


def providers(league, servers):
    """What is known of them, with the month in which it was checked, also where the server cannot be reached."""
    for host, state, words in (("imap.gmail.com", "ok", "Gmail (checked 20"), ("outlook.office365.com", "warning", "December 2026"),
                               ("imap-mail.outlook.com", "warning", "tokens only")):
        league.set("incoming", host=host, port=1, timeout=5)
        has(findings(league, code=None), "incoming", state, words)
    league.use_servers(servers)
    league.set("incoming", host="localhost")


def sends(league, alice, servers):
    text = has(findings(league, "--send", alice.address), "send", "ok", "the mail to alice@players.test was taken")
    check("look whether it has arrived" in text, text)
    mail = alice.fetch(servers)[-1]
    check(mail["Subject"] == "A test mail" and mail["From"].endswith("<%s>" % ADDRESS), "%s" % mail.items())
    if POSTFIX:
        has(findings(league, "--send", "gone@players.test", code=78), "send", "failed", "550 5.1.6")


def probes(league, servers):
    got = findings(league, "--probe", "--wait", "30s")
    has(got, "probe", "ok", "a mail to %s came back after" % ADDRESS, "seconds")
    has(got, "probe", "ok", "orders+probe@game.test arrives as well")
    has(got, "probe", "ok", "the clocks of this host and of the mail server agree")
    has(got, "dkim", "ok", "came back without a DKIM signature")
    if POSTFIX:
        has(got, "probe", "warning", "mx.game.test says of it: spf=pass, dkim=none, dmarc=fail; mails to players are likely")
        has(got, "probe", "ok", "set [incoming] authserv = mx.game.test")
        has(got, "probe", "ok", "its envelope sender orders+mail.", "is ours")
        league.set("incoming", authserv="mail.game.test")
        has(findings(league, "--probe", "--wait", "30s"), "probe", "warning", "authserv is mail.game.test, but the server writes as mx.game.test")
    # Nothing of it is left for the next run; and beside a daemon, which is quicker, it is found all the same.
    league.tp("run")
    check(not [m for m in json.loads(league.tp("mail", "--json")) if m["direction"] == "in"], "a run found a probe")
    daemon = subprocess.Popen([TURNPOST, "daemon", "--league", str(league.dir)], stderr=subprocess.DEVNULL)
    try:
        time.sleep(3)
        has(findings(league, "--probe", "--wait", "30s"), "probe", "ok", "came back after")
    finally:
        daemon.terminate()
        daemon.wait()
    check(all(m["verdict"] == "ignored" and m["why"].startswith("own") for m in json.loads(league.tp("mail", "--json")) if m["direction"] == "in"),
          "intake took a probe for something else")


def replies(league, probed):
    """What players need who have only a mailbox; `probed`: with a name server that answers."""
    has(probed, "replies", "ok", "the name servers answer")
    has(probed, "replies", "ok", "mails from game.test, other.test prove nothing")
    has(probed, "probe", "ok", "addresses with +detail work, by which players without keys answer")
    league.set("dns", server="127.0.0.1@1", root_key="")
    got = findings(league, code=75)
    has(got, "replies", "failed", "the name servers do not answer")
    has(got, "replies", "warning", "no domain's key is proved by DNSSEC")
    league.set("league", trust="signed")
    check(not [c for c, _, _ in findings(league) if c == "replies"], "a league of keys hears of replies")


def signatures(league, servers):
    """OpenDKIM signs for Postfix, and Knot has the key: proved, unproved, unreachable, missing, another one."""
    signer = Signer(WORK / "signer", "game.test")
    other = Signer(WORK / "other", "game.test")
    names = Names(WORK / "names", [("game.test", "mail._domainkey", signer.record), ("game.test", "wrong._domainkey", other.record)]).start()
    root = names.dir / "root.key"
    league.set("league", trust="mail", own_domains="other.test")
    try:
        signer.start(servers)
        for server, key, selector, state, words in (
                (names.port, root, "mail", "ok", "signature of game.test holds (mail._domainkey); its key is proved by DNSSEC"),
                (names.port, "", "mail", "ok", "its key is not proved by DNSSEC"),
                (1, root, "mail", "warning", "its key could not be asked for (mail._domainkey.game.test"),
                (names.port, root, "none", "warning", "publish it as a TXT record of none._domainkey.game.test"),
                (names.port, root, "wrong", "warning", "The signature does not belong to this mail")):
            if selector != signer.selector:
                signer.stop()
                signer.selector = selector
                signer.start(servers)
            league.use_names(server, key)
            got = findings(league, "--probe", "--wait", "30s", code=75 if server == 1 else 0)
            has(got, "dkim", state, words)
        replies(league, got)
    finally:
        signer.stop()
        names.stop()


def backups(league):
    has(findings(league), "backup", "ok", "none was made yet")
    later = lambda days: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + days * 86400))
    has(findings(league, "--now", later(8)), "backup", "warning", "a lost disk would be the end")
    league.tp("backup", WORK / "copy")
    has(findings(league, "--now", later(2)), "backup", "ok", "the last one is 2 days old (%s)" % (WORK / "copy"))
    has(findings(league, "--now", later(2)), "backup", "ok", "none was tried yet")
    has(findings(league, "--now", later(40)), "backup", "warning", "none was tried yet; run: turnpost restore")
    sh(TURNPOST, "restore", WORK / "copy", WORK / "tried")
    has(findings(league, "--now", later(9)), "backup", "warning", "the last one is 9 days old")
    has(findings(league, "--now", later(9)), "backup", "ok", "last restored, as a test or in earnest, 9 days ago")


def second_copy(league):
    """Of the log, which no backup has to its end."""
    has(findings(league), "log", "warning", "nobody else has them", "set [site] folder")
    league.set("site", folder=WORK / "site")
    has(findings(league), "log", "ok", "the site has them, too")
    league.set("site", folder="")


def play(_):
    league = League()
    league.init()
    alice = Player("alice")
    league.add(alice)
    second_copy(league)
    permission(league)
    has(findings(league, "--probe", code=78), "probe", "failed", "no mail leaves this host")
    backups(league)
    servers = Servers(["orders"])
    try:
        league.use_servers(servers)
        tls(league, servers)
        servers_say(league)
        providers(league, servers)
        fakes(league, servers)
        sends(league, alice, servers)
        probes(league, servers)
        if POSTFIX:
            signatures(league, servers)
    finally:
        servers.stop()
    print("permission, TLS both ways, certificates, capabilities, providers, a mail sent and two read back, DKIM with real signers and name servers, backups")


main(play)
