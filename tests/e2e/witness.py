"""A witness on a host of his own, through Dovecot and Postfix: enrolled by mail, asked at every close, answers with
his dice; killed at every write he makes; two histories get no second answer."""
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
        shutil.copy(league.dir / "keys/league.pub", self.dir / "keys/witnessed.pub")
        self.set("witness", league=ADDRESS, key="keys/witnessed.pub")
        self.servers, self.user = servers, user

    def answer(self, code=0):
        wait_box(self.servers, self.user)
        self.tp("witness", code=code)


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
    witness = Witness(league, servers, "wanda")
    league.tp("player", "add", "wanda", WITNESS, witness.dir / "keys/league.pub")
    check("has not sent the key" in (league.tp("new", "gc-1", "galaxy-command", "--seats", "alice,robot", "--witness",
                                               "wanda", code=1) or league.err), "a witness without dice")
    check("[witness] must name" in (League.tp(league, "witness", code=78) or league.err), "no [witness] section")
    witness.tp("witness", "--enroll")
    wait_inbox(servers, 1)
    league.tp("run")
    wait_box(servers, "wanda")
    witness.tp("witness")  # the league's welcome is no close

    league.tp("new", "gc-1", "galaxy-command", "--seats", "alice,robot", "--deadline", "1d", "--witness", "wanda")
    league.tp("run")
    check([r["type"] for r in league.records("gc-1")] == ["create", "seat", "seat", "close"], "dealt without its witness")
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
            killed(witness, league, servers)
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
    for before, answer in zip(answers, answers[1:]):
        check(answer["last"] == head_before(league, before), "the answers are no chain")
    forged(witness, league, servers)
    print("4 turns closed, witnessed and played; killed at every write; another history got no answer")


def head_before(league, record):
    """The head of the close that this answer was for: the `prev` of the answer, if nothing came between."""
    return record["prev"]


def killed(witness, league, servers):
    """The witness dies at each call that changes something; then he answers once, in the same words."""
    wait_box(servers, "wanda")
    for point in range(1, 40):
        witness.tp("witness", code=None, binary=os.environ["TURNPOST_FAULT_BINARY"],
                   env={"TURNPOST_FAULT": "kill:%d" % point})
        if witness.code == 0:
            break
    memory = (witness.dir / "witness/gc-1").read_text().splitlines()
    check(len(memory) == 3, "remembers %d closes" % len(memory))
    witness.tp("witness")


def forged(witness, league, servers):
    """The same league closes the same turn with another history: no answer, and the witness says so."""
    memory = witness.dir / "witness/gc-1"
    lines = memory.read_text().splitlines()
    seq, turn, head = lines[-1].split()
    lines[-1] = "%d %s %s" % (int(seq) + 50, turn, "0" * 64)
    memory.write_text("\n".join(lines) + "\n")
    records = league.journal("gc-1").splitlines(True)
    close = [l for l in records if b'"type":"close"' in l][-1]
    mail = email.message.EmailMessage(policy=email.policy.SMTP)
    mail["From"], mail["To"], mail["Subject"] = ADDRESS, WITNESS, "close"
    mail.set_content("closed\n")
    mail.add_attachment(records[0] + close, maintype="application", subtype="json", filename="close.json")
    with servers.submission("orders") as smtp:
        smtp.sendmail(ADDRESS, [WITNESS], mail.as_bytes())
    witness.answer(code=1)
    check("two histories" in witness.err, "not told: " + witness.err)


main(play)
