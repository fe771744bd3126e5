"""Trials: a run of the program against something bad, with its answer, its seconds and its memory, in a table at the end."""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

from league import *

LONG = os.environ.get("LONG", "") not in ("", "0")


# A process counts the memory of the one that forked it as its own until it calls exec, so runs are started by a small helper.
LAUNCHER = """
import json, os, sys, time
for line in sys.stdin:
    job = json.loads(line)
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        for fd, path in ((1, job["out"]), (2, job["err"])):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), fd)
        os.execve(job["args"][0], job["args"], job["env"])
    slept = 0
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() - began > job["seconds"]:
            os.kill(pid, 9)
        slept = min(slept + 0.0005, 0.01)
        time.sleep(slept)
    print(json.dumps([time.monotonic() - began, usage.ru_maxrss, os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime]), flush=True)
"""
launcher = subprocess.Popen([sys.executable, "-S", "-E", "-c", LAUNCHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def measure(league, *args, seconds=20.0, code=0, **env):
    """Runs turnpost; (seconds, MiB at its largest, standard output). Ends it, and the test, when it takes longer. league.processor: seconds
    of the processor that it took."""
    files = {name: str(WORK / ("measured." + name)) for name in ("out", "err")}
    env = dict(os.environ, TURNPOST_LEAGUE=str(league.dir), **env)
    job = dict(files, args=[TURNPOST, *map(str, args)], env=env, seconds=seconds)
    launcher.stdin.write(json.dumps(job) + "\n")
    launcher.stdin.flush()
    took, kilobytes, league.code, league.processor = json.loads(launcher.stdout.readline())
    text, league.err = (pathlib.Path(files[name]).read_bytes().decode(errors="replace") for name in ("out", "err"))
    check(took < seconds, "turnpost %s had not ended after %.0f s" % (" ".join(map(str, args)), seconds))
    check(code is None or league.code == code, "turnpost %s: exit %d, not %s\n%s%s" % (args, league.code, code, text, league.err))
    return took, kilobytes / 1024, text


def one_line(text):
    return " ".join(text.split())


class Table:
    def __init__(self):
        self.rows = []

    def add(self, item, answer, seconds, megabytes):
        self.rows.append((item, answer, seconds, megabytes))

    def show(self):
        width = max((len(row[0]) for row in self.rows), default=4)
        print("%-*s  %6s %5s  %s" % (width, "item", "s", "MiB", "answer"))
        for item, answer, seconds, megabytes in self.rows:
            print("%-*s  %6.2f %5.0f  %s" % (width, item, seconds, megabytes, answer[:110]))


class Trials:
    """One league that is given bad things. What it answers is compared with what must come; journals must not move."""

    def __init__(self, league, people, table, megabytes=64):
        self.league, self.people, self.table, self.megabytes = league, people, table, megabytes
        self.serial = 0
        for player in people:
            league.new_mails(player.address)

    def journals(self):
        """Without the questions that answers leave open: these do nothing."""
        lines = lambda path: [line for line in path.read_bytes().splitlines() if b'"kind":"question"' not in line]
        return {p.parent.name: lines(p) for p in sorted((self.league.dir / "games").glob("*/journal.jsonl"))}

    def put(self, *mails):
        for raw in mails:
            self.serial += 1
            self.league.put_mail(raw, "h%06d" % self.serial)

    def run(self, item, answers, changes=(), seconds=5.0, code=0, says="", args=(), left=0):
        """Runs once. `answers`: {player: words of his one new mail, or a list of such, or a number of mails}; everybody else gets
        none. `changes`: the games whose journals may grow, and must. `left`: mails that must stay in the inbox."""
        before = self.journals()
        took, megabytes, _ = measure(self.league, "run", *args, seconds=seconds, code=code)
        after = self.journals()
        changed = sorted(name for name in after if after[name] != before.get(name))
        check(changed == sorted(changes), "%s: the journals that changed are %s, not %s" % (item, changed, sorted(changes)))
        check(megabytes < self.megabytes, "%s: %.0f MiB" % (item, megabytes))
        check(says in one_line(self.league.err), "%s: the operator is not told \"%s\" but: %s" % (item, says, self.league.err))
        first = ""
        got = {}
        for player in self.people:
            mails = got[player] = self.league.new_mails(player.address)
            want = answers.get(player, [])
            if isinstance(want, int):
                check(len(mails) == want, "%s: %s got %d mails, not %d" % (item, player.name, len(mails), want))
                continue
            want = [want] if isinstance(want, str) else want
            texts = [one_line(text_of(mail)) for mail in mails]
            check(len(texts) == len(want), "%s: %s got %d mails, not %d: %s" % (item, player.name, len(texts), len(want), texts))
            for words in want:
                check(any(words in text for text in texts), "%s: %s got no \"%s\" but %s" % (item, player.name, words, texts))
                first = first or "%s: %s" % (player.name, next(sentence(t, words) for t in texts if words in t))
        if code != 75:
            there = [p.name for p in (self.league.dir / "mail/in/new").iterdir()]
            check(len(there) == left, "%s: left in the inbox: %s" % (item, there[:5]))
        self.table.add(item, first or (one_line(self.league.err) if says else "none"), took, megabytes)
        return got


def sentence(text, words):
    """The sentence that holds the words."""
    return next((s for s in re.split(r"(?<=[.!?]) ", text) if words in s), words)


def plain(player, body, subject="orders", **headers):
    """A mail byte by byte, so that it can be wrong in any way. Header values and body are bytes or text."""
    player.count += 1
    fields = {"From": "%s <%s>" % (player.name.title(), player.address), "To": ADDRESS, "Subject": subject,
              "Message-ID": "<%s-%d@players.test>" % (player.name, player.count)}
    fields.update({name.replace("_", "-"): value for name, value in headers.items()})
    as_bytes = lambda value: value if isinstance(value, bytes) else value.encode()
    return b"".join(b"%s: %s\r\n" % (as_bytes(k), as_bytes(v)) for k, v in fields.items()) + b"\r\n" + as_bytes(body)


def sign_bytes(player, data):
    """These very bytes with the armor that ssh-keygen makes for them."""
    path = player.dir / "bytes.txt"
    path.write_bytes(data)
    (player.dir / "bytes.txt.sig").unlink(missing_ok=True)
    sh("ssh-keygen", "-q", "-Y", "sign", "-n", "orders@turnpost", "-f", player.dir / "key", path)
    return data + (player.dir / "bytes.txt.sig").read_bytes()
