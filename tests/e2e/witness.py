"""A witness on a host of his own, through Dovecot and Postfix: enrolled by one line, asked at every close, cosigns the log and answers with
his dice; killed at every write he makes; a log that contradicts what he cosigned gets no answer; silent, the player goes on without."""
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

WITNESS = "wanda@players.test"


class Witness(League):
    def __init__(self, league, servers, user):
        super().__init__("witness-" + user)
        sh(TURNPOST, "init", self.dir, "--name", "Witness " + user, "--address", user + "@players.test")
        self.use_servers(servers, user=user, bounces="")
        shutil.copy(league.dir / "keys/league.policy", self.dir / "keys/witnessed.policy")
        self.set("witness", league=ADDRESS, policy="keys/witnessed.policy")
        self.servers, self.user = servers, user

    def answer(self, code=0):
        wait_box(self.servers, self.user)
        self.tp("witness", code=code)

    def memory(self):
        path, = (self.dir / "witness").iterdir()
        return path


def wait_box(servers, user, count=1, seconds=20):
    """Until so many mails lie in the user's mailbox."""
    end = time.time() + seconds
    while time.time() < end:
        with imaplib.IMAP4_SSL("localhost", int(servers.port["IMAPS"]), ssl_context=servers.context()) as imap:
            imap.login(user, "secret")
            if int(imap.select("INBOX")[1][0]) >= count:
                return
        time.sleep(0.05)
    raise Failed("%s got no mail" % user)


def play(servers_list):
    servers = Servers(["orders", "alice", "wanda"])
    servers_list.append(servers)
    league = League()
    league.init()
    league.use_servers(servers)
    alice = Player("alice")
    league.add(alice)
    league.tp("run")  # its log gets a name
    witness = Witness(league, servers, "wanda")
    check("is no witness in keys/witnesses" in (league.tp("new", "gc-1", "galaxy-command", "--seats", "alice,robot", "--witness",
                                                          "wanda", code=1) or league.err), "a witness whom nobody knows")
    check("[witness] must name" in (League.tp(league, "witness", code=78) or league.err), "no [witness] section")
    line = [one for one in witness.tp("witness", "--enroll").splitlines() if one.startswith("wanda ")]
    check(len(line) == 1 and len(line[0].split()) == 4, "no line to be mailed")
    said = witness.tp("doctor")
    check("is cosigned yet" in said and "backups" not in said, "doctor does not speak to a witness as one")
    (league.dir / "keys/witnesses").write_text("# those whom we know\n%s\n" % line[0])

    league.seated("gc-1", "galaxy-command", "alice,robot", "--deadline", "1d", "--witness", "wanda")
    check([r["type"] for r in league.records("gc-1")] == ["create", "seat", "seat", "close"], "dealt without its witness")
    league.tp("run")
    witness.answer()
    wait_inbox(servers, 1)
    league.tp("run")
    check(league.records("gc-1")[-1]["type"] == "start", "not dealt")
    report, = alice.fetch(servers)
    for number in range(1, 4):
        alice.send(servers, alice.mail(orders("gc-1", number, ["explore near", "build"], head_of(report), final="yes")))
        wait_inbox(servers, 1)
        league.tp("run")
        check(league.records("gc-1")[-1]["type"] == "close", "played without its witness")
        if number == 2:
            killed(witness)
        else:
            witness.answer()
        wait_inbox(servers, 1)
        league.tp("run")
        mails = alice.fetch(servers, expect=2)
        report = [m for m in mails if not m["In-Reply-To"]][0]
        check(turn_of(report) == number + 1, "not the next turn")
    verify_chain(league, "gc-1")
    answers = [r for r in league.records("gc-1") if r.get("kind") == "witness"]
    check(len(answers) == 4, "%d answers" % len(answers))
    check(" entries of " in witness.tp("doctor"), "doctor does not say what is cosigned")
    cosigned(league, alice, line[0], report)
    forged(witness, league, servers)
    silent(league, alice, servers, report)
    print("4 turns closed, cosigned and played; killed at every write; another log got no answer; the player went on alone")


def killed(witness):
    """The witness dies at each call that changes something; then he answers once, and the same."""
    wait_box(witness.servers, "wanda")
    for point in range(1, 60):
        witness.tp("witness", code=None, binary=os.environ["TURNPOST_FAULT_BINARY"],
                   env={"TURNPOST_FAULT": "kill:%d" % point})
        if witness.code == 0:
            break
    check(witness.code == 0, "never done")
    check("gc-1 2.0 " in witness.memory().read_text(), "not remembered:\n" + witness.memory().read_text())
    witness.tp("witness")


def cosigned(league, alice, line, report):
    """What a player holds without a journal: the report is complete by a policy that wants the witness, and not by one that wants another."""
    name, _, vkey, _ = line.split()
    mails = league.dir.parent / "mails-of-alice"
    mails.mkdir(exist_ok=True)
    (mails / "report.eml").write_bytes(bytes(report))
    log = [one for one in (league.dir / "keys/league.policy").read_text().splitlines() if one.startswith("log ")]
    policy = league.dir.parent / "own.policy"
    policy.write_text("%s\nwitness %s %s\nquorum %s\n" % (log[0], name, vkey, name))
    said = league.tp("receipt-check", mails, "--policy", policy)
    check("too few" not in said, "not complete:\n" + said)
    policy.write_text("%s\nwitness wim %s\nquorum wim\n" % (log[0], renamed(vkey, "example.net/wim")))
    said = league.tp("receipt-check", mails, "--policy", policy)
    check("too few" in said, "complete with another witness:\n" + said)


def renamed(vkey, name):
    """The same key under another name."""
    data = base64.b64decode(vkey.split("+", 2)[2])
    return "%s+%s+%s" % (name, hashlib.sha256(name.encode() + b"\n" + data).digest()[:4].hex(), base64.b64encode(data).decode())


def forged(witness, league, servers):
    """He has cosigned another root of that size: the league's log contradicts him, and he says so."""
    memory = witness.memory()
    before = memory.read_text()
    first, *rest = before.splitlines(True)
    size = first.split()[1]
    memory.write_text("size %s %s\n" % (size, base64.b64encode(bytes(31) + b"\1").decode()) + "".join(rest))
    mail = email.message.EmailMessage(policy=email.policy.SMTP)
    mail["From"], mail["To"], mail["Subject"] = ADDRESS, WITNESS, "turns wait"
    mail.set_content(fresh_request(league, size))
    with servers.submission("orders") as smtp:
        smtp.sendmail(ADDRESS, [WITNESS], mail.as_bytes())
    witness.answer(code=1)
    check("shows another log" in witness.err, "not told: " + witness.err)
    memory.write_text(before)


def fresh_request(league, size):
    """What anybody can ask who has the checkpoint: nothing new since that size."""
    note = (league.dir / "log/checkpoint").read_text()
    coded = base64.b64encode(("old %s\n\n%s" % (size, note)).encode()).decode()
    return "-----BEGIN TURNPOST REQUEST-----\n%s\n-----END TURNPOST REQUEST-----\n" % coded


def silent(league, alice, servers, report):
    alice.send(servers, alice.mail(orders("gc-1", 4, ["explore near", "build"], head_of(report), final="yes")))
    wait_inbox(servers, 1)
    league.tp("run")
    check(league.records("gc-1")[-1]["type"] == "close", "played without its witness")
    for hours in range(3, 79, 3):  # the league was never away for long: that time would not count
        later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + hours * 3600))
        league.tp("run", "--now", later)
    mails = alice.fetch(servers, expect=2)
    late = [m for m in mails if "three days" in m["Subject"]]
    check(len(late) == 1, "not told: %s" % [m["Subject"] for m in mails])
    alice.send(servers, alice.mail(form(late[0], "unwitness")))
    wait_inbox(servers, 1)
    league.tp("run", "--now", later)
    records = league.records("gc-1")
    check("unwitness" in [r.get("kind") for r in records] and records[-1]["type"] == "turn", "does not go on: %s" % records[-1])
    check("there were no witnesses" in league.tp("audit", league.dir / "games/gc-1"), "the audit does not say so")


main(play)
