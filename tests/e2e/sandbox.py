"""The sandbox in force: the process that reads mail can do nothing that it does not need, the one that was started runs the commands of
league.ini for it, as they stood there before any mail was read; signals, deaths and new options go through."""
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *


def status(pid):
    return dict(line.split(":\t", 1) for line in pathlib.Path("/proc/%d/status" % pid).read_text().splitlines() if ":\t" in line)


def worker(daemon, other=None):
    """The process that works; another one than `other`."""
    for _ in range(100):
        kids = pathlib.Path("/proc/%d/task/%d/children" % (daemon.pid, daemon.pid)).read_text().split()
        if kids and int(kids[0]) != other and status(int(kids[0]))["NoNewPrivs"] == "1":
            return int(kids[0])
        time.sleep(0.1)
    raise Failed("no process in the sandbox")


def wait_for(what, holds):
    for _ in range(100):
        if holds():
            return
        time.sleep(0.1)
    raise Failed(what)


def play(servers_list):
    servers = Servers(["orders", "alice"])
    servers_list.append(servers)
    league = League()
    league.init()
    league.use_servers(servers)
    # Passwords by commands; one that says who runs it.
    who = WORK / "who"
    command = "cat /proc/self/status > %s; cat %s" % (who, league.dir / "password")
    for section in ("incoming", "outgoing"):
        league.set(section, password_command=command)
    ini = (league.dir / "league.ini").read_text().replace("password_file = password\n", "")
    (league.dir / "league.ini").write_text(ini)
    league.agree()
    alice = Player("alice")
    league.add(alice)
    league.seated("gc-1", "galaxy-command", "alice,robot", "--no-deadline")
    doctor = [line for line in league.tp("doctor").splitlines() if " sandbox " in line]
    check(len(doctor) == 1, "doctor says nothing of the sandbox")
    if "seccomp" not in doctor[0]:
        raise NotRun(" ".join(doctor[0].split()))
    files = "and files" in doctor[0]
    log = open(WORK / "daemon.log", "w")
    daemon = subprocess.Popen([TURNPOST, "daemon", "--league", str(league.dir), "--verbose"], stderr=log)
    try:
        first = worker(daemon)
        check(status(first)["Seccomp"] == "2", "no filter of calls")
        check(status(daemon.pid)["NoNewPrivs"] == "0", "the one that runs sendmail cannot run postdrop")
        report, = alice.fetch(servers)
        ran = who.read_text()
        entries = (league.dir / "log/entries").read_text().splitlines()
        check(any(line.startswith("program ") for line in entries), "the log does not name the program that decides")
        check("NoNewPrivs:\t0" in ran and "Seccomp:\t0" in ran, "the command ran in the sandbox:\n" + ran)
        alice.send(servers, alice.mail(orders("gc-1", 1, ["bide"], head_of(report))))
        mails = alice.fetch(servers)
        check(len(mails) == 1, "no answer")
        # New options: sendmail, and Maildirs that are outside of the league.
        box = WORK / "elsewhere"
        for name in ("new", "cur", "tmp"):
            (box / name).mkdir(parents=True)
        script = WORK / "sendmail"
        script.write_text("#!/bin/sh\ncat /proc/self/status > %s/args.$$\ncat > %s/mail.$$\n" % (WORK, WORK))
        script.chmod(0o755)
        league.set("incoming", type="maildir", maildir=str(box))
        league.set("outgoing", type="sendmail", sendmail=str(script))
        daemon.send_signal(signal.SIGHUP)
        second = worker(daemon, first)
        (box / "new" / "m1").write_bytes(alice.mail(league.orders("gc-1", 2, ["bide"])))
        wait_for("nothing was sent by sendmail", lambda: len(list(WORK.glob("mail.*"))) == 1)
        check(all("NoNewPrivs:\t0" in p.read_text() for p in WORK.glob("args.*")), "sendmail without privileges")
        if files:
            check("given up" not in (WORK / "daemon.log").read_text(), "only half is given up")
        # The one that works is killed, so the other ends in the same way, and the lock is free.
        os.kill(second, signal.SIGKILL)
        check(daemon.wait(timeout=15) == -signal.SIGKILL, "ended with %s" % daemon.returncode)
        check("was ended by signal 9" in (WORK / "daemon.log").read_text(), "nothing is said of it")
        league.tp("run")
        # The one that was started is killed: so is the other.
        daemon = subprocess.Popen([TURNPOST, "daemon", "--league", str(league.dir), "--verbose"], stderr=log)
        third = worker(daemon)
        daemon.kill()
        daemon.wait()
        league.tp("run")
        check(not pathlib.Path("/proc/%d" % third).exists() or status(third)["State"].startswith("Z"), "it works on alone")
        league.set("limits", sandbox="off")
        check("sandbox = off" in league.tp("doctor"), "doctor does not warn")
        daemon = subprocess.Popen([TURNPOST, "daemon", "--league", str(league.dir), "--verbose"], stderr=log)
        time.sleep(1)
        kid, = pathlib.Path("/proc/%d/task/%d/children" % (daemon.pid, daemon.pid)).read_text().split()
        check(status(int(kid))["Seccomp"] == "0", "off is not off")
        daemon.terminate()
        check(daemon.wait(timeout=15) == 0, "no clean end")
    finally:
        if daemon.poll() is None:
            daemon.kill()
    print("Seccomp 2 and NoNewPrivs 1 in the daemon; its commands run outside; SIGHUP, deaths of either, off")


main(play)
