"""Hosts that share a league through PostgreSQL: each has its folder, its daemon, and its own way to the database."""
import signal

from league import *

sys.path.insert(0, str(TESTS / "servers"))
from between import Between
from postgres import PASSWORD, Postgres


class Host(League):
    """`env`, `binary`: of its daemon."""

    def __init__(self, name, binary=TURNPOST, env=None):
        super().__init__(name)
        self.name, self.worker, self.env = name, binary, env or {}
        self.process, self.between = None, []

    def keep_in(self, database, lease, schema="turnpost"):
        """[store] of league.ini."""
        self.secret("db-password", PASSWORD)
        self.set("store", type="postgres", database=database, schema=schema, password_file="db-password", lease=lease)

    def secret(self, name, text):
        (self.dir / name).write_text(text + "\n")
        os.chmod(self.dir / name, 0o600)

    def join(self, first, database=None):
        """What an operator copies to another host: its configuration and its secret keys."""
        (self.dir / "keys").mkdir(parents=True)
        for name in ("league.ini", "password", "db-password", "keys/league.pub"):
            shutil.copy2(first.dir / name, self.dir / name)
        shutil.copytree(first.dir / "keys/secret", self.dir / "keys/secret")
        if database:
            self.set("store", database=database)

    def begin(self):
        with open(WORK / (self.name + ".log"), "a") as log:
            self.process = subprocess.Popen([self.worker, "daemon", "--league", str(self.dir), "--verbose"], stderr=log,
                                            env=dict(os.environ, **self.env), start_new_session=True)

    def said(self):
        return (WORK / (self.name + ".log")).read_text(errors="replace")

    def signal(self, number):
        """To all its processes."""
        os.killpg(self.process.pid, number)

    def kill(self):
        if self.process:
            if self.process.poll() is None:
                self.signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def end(self):
        """Cleanly; its exit code."""
        self.process.terminate()
        code, self.process = self.process.wait(timeout=40), None
        return code

    def status(self):
        return json.loads(self.tp("store", "status", "--json"))


def await_holder(host, seconds, wanted=True):
    """Waits until this host decides; for how long that took."""
    began = time.time()
    while True:
        state = host.status()
        if (state["held"] and state["mine"]) == wanted:
            return time.time() - began
        check(time.time() - began < seconds, "%s does not decide after %.1f s: %s\n%s" % (host.name, seconds, state, host.said()[-2000:]))
        time.sleep(0.1)


def journals(folder):
    """{game: bytes}, and the registry's under its own name."""
    found = {path.parent.name: path.read_bytes() for path in pathlib.Path(folder).glob("games/*/journal.jsonl")}
    return found | {"registry": (pathlib.Path(folder) / "registry/journal.jsonl").read_bytes()}


def published(postgres, schema="turnpost", user="postgres"):
    """{game: bytes} of the view that readers have."""
    rows = (line.split("|") for line in postgres.ask("SELECT path, encode(bytes, 'hex') FROM %s.journal" % schema, user=user))
    return {path.split("/")[1]: bytes.fromhex(hex) for path, hex in rows}


class Table:
    """A game of two by mail, on real servers."""

    def __init__(self, servers_list):
        self.servers = Servers(["orders", "alice", "bob"])
        servers_list.append(self.servers)
        self.alice, self.bob = Player("alice"), Player("bob", "minisign")
        self.players = (self.alice, self.bob)
        self.turn, self.report = 0, {"alice": {}, "bob": {}}
        self.mails, self.sent = {"alice": [], "bob": []}, {"alice": [], "bob": []}

    def begin(self, league):
        """In files."""
        league.init()
        league.use_servers(self.servers)
        for player in self.players:
            league.add(player)
        league.seated("gc-1", "galaxy-command", "alice,bob", "--deadline", "30d")
        league.tp("run")
        self.read()

    def read(self):
        """The reports of the next turn."""
        self.turn += 1
        for player in self.players:
            while self.turn not in self.report[player.name]:
                self.look(player, expect=1, seconds=40)

    def look(self, player, **how):
        for mail in player.fetch(self.servers, **how):
            self.mails[player.name].append(mail)
            if re.search(r"\(turn \d|has begun", mail["Subject"]):
                self.report[player.name][turn_of(mail)] = mail

    def send(self):
        for player in self.players:
            text = orders("gc-1", self.turn, ["explore near", "build"], head_of(self.report[player.name][self.turn]), final="yes", seq=player.count + 1)
            self.sent[player.name].append(player.mail(text))
            player.send(self.servers, self.sent[player.name][-1])

    def play(self):
        self.send()
        self.read()
