#!/usr/bin/env python3
"""PostgreSQL of our own on loopback, thrown away afterwards: one server, or a primary with standbys that follow it.

    postgres.py start DIR       makes it and starts it; DIR/port says where it listens, DIR/database what [store] database has to
                                be: user turnpost, password "secret", database league, which is empty
    postgres.py stop DIR        ends it; what it holds stays
    postgres.py up DIR          starts it again, on the same port

It syncs as in real life (fsync = on) and takes passwords by SCRAM; its socket, in DIR, lets everybody in as postgres. Servers that
a Python program starts end with it."""
import glob
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

PASSWORD = "secret"
SETTINGS = """listen_addresses = '127.0.0.1'
port = %(port)d
unix_socket_directories = '%(socket)s'
fsync = on
synchronous_commit = on
shared_buffers = 16MB
dynamic_shared_memory_type = mmap
max_connections = 60
wal_level = replica
max_wal_senders = 8
wal_keep_size = 256MB
wal_receiver_status_interval = 1s
wal_retrieve_retry_interval = 200ms
log_line_prefix = '%%m [%%p] '
log_min_messages = warning
"""
WHO = """local all all trust
host replication replicator 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
"""


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    if not found:
        raise SystemExit("postgres.py: there is no PostgreSQL in /usr/lib/postgresql")
    return pathlib.Path(found[-1]).parent


class Postgres:
    """`ends`: with the process that has started it."""

    def __init__(self, folder, ends=True):
        self.dir = pathlib.Path(folder).resolve()
        self.data = self.dir / "data"
        self.bin, self.ends, self.process = programs(), ends, None
        self.port = int((self.dir / "port").read_text()) if (self.dir / "port").exists() else 0
        self.user = "nobody" if os.getuid() == 0 else None  # the server refuses root

    # ---- running programs ----

    def as_user(self, *command, ends=False):
        # What we are told when our parent dies is forgotten when the user changes: setpriv does both in the right order.
        words = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if self.user else ["setpriv"]
        if ends:
            words += ["--pdeathsig", "QUIT"]
        return words + [str(word) for word in command] if len(words) > 1 else [str(word) for word in command]

    def run(self, program, *args):
        done = subprocess.run(self.as_user(self.bin / program, *args), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              cwd="/", env=dict(os.environ, LC_ALL="C.UTF-8"))
        if done.returncode:
            raise SystemExit("postgres.py: %s failed:\n%s" % (program, done.stdout))
        return done.stdout

    def ask(self, sql, database="league", user="postgres"):
        """Its answer as lines of text; SystemExit with its words when it has none."""
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", str(self.dir), "-p", str(self.port), "-U", user,
                               "-d", database, "-c", sql], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")
        if done.returncode:
            raise SystemExit("postgres.py: %s\n%s" % (sql, done.stderr))
        return done.stdout.splitlines()

    # ---- making it ----

    def make_folder(self):
        self.dir.mkdir(parents=True, exist_ok=True)
        if self.user:
            shutil.chown(self.dir, self.user, "nogroup")
        self.port = self.port or free_port()
        (self.dir / "port").write_text("%d\n" % self.port)

    def settle(self, *more):
        with open(self.data / "postgresql.conf", "a") as conf:
            conf.write(SETTINGS % {"port": self.port, "socket": self.dir})
            conf.writelines(line + "\n" for line in more)

    def start(self):
        """Makes it, with the league's user and an empty database."""
        self.make_folder()
        self.run("initdb", "-D", self.data, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--auth=trust", "--no-sync", "--wal-segsize=1")
        self.settle()
        (self.data / "pg_hba.conf").write_text(WHO)
        self.up()
        self.ask("CREATE ROLE turnpost LOGIN PASSWORD '%s'" % PASSWORD, "postgres")
        self.ask("CREATE ROLE replicator LOGIN REPLICATION", "postgres")
        self.ask("CREATE DATABASE league OWNER turnpost", "postgres")
        (self.dir / "database").write_text(self.database() + "\n")
        return self

    def database(self, *others, port=None):
        """What [store] database has to be; with other servers, whichever of them can be written to. `port`: of something in between."""
        ports = [str(port or self.port)] + [str(p) for p in others]
        words = "host=%s port=%s user=turnpost dbname=league" % (",".join(["127.0.0.1"] * len(ports)), ",".join(ports))
        return words + (" target_session_attrs=read-write" if others else "")

    def follow(self, primary, port=None, name="standby"):
        """Makes it as a standby, on the port that it had before, if any. `port`: of something in between. `name`: by which commits may
        wait for it."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.make_folder()
        link = "host=127.0.0.1 port=%d user=replicator" % (port or primary.port)
        self.run("pg_basebackup", "-D", self.data, "-X", "stream", "-c", "fast", "--no-sync", "-d", link)
        self.settle("primary_conninfo = '%s application_name=%s'" % (link, name), "synchronous_standby_names = ''")
        (self.data / "standby.signal").touch()
        if self.user:
            shutil.chown(self.data / "standby.signal", self.user, "nogroup")
        self.up()
        return self

    def wait_for_standby(self, synchronous):
        """From now on a commit waits for the standby, or does not."""
        self.ask("ALTER SYSTEM SET synchronous_standby_names = '%s'" % ("standby" if synchronous else ""), "postgres")
        self.ask("SELECT pg_reload_conf()", "postgres")
        wanted = "sync" if synchronous else "async"
        for _ in range(300):
            if self.ask("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'", "postgres") == [wanted]:
                return
            time.sleep(0.05)
        raise SystemExit("postgres.py: the standby does not follow\n" + self.log())

    # ---- its life ----

    def log(self):
        return (self.dir / "log").read_text(errors="replace") if (self.dir / "log").exists() else ""

    def up(self):
        (self.data / "postmaster.pid").unlink(missing_ok=True)  # of one that was killed
        with open(self.dir / "log", "a") as log:
            self.process = subprocess.Popen(self.as_user(self.bin / "postgres", "-D", self.data, ends=self.ends), stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, cwd="/", start_new_session=True)
        for _ in range(600):
            if subprocess.run([self.bin / "pg_isready", "-q", "-h", self.dir, "-p", str(self.port)], cwd="/").returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit("postgres.py: the server does not start\n" + self.log()[-4000:])

    def pid(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def kill(self):
        """As a host that fails does: no process of it does anything more."""
        pid, words = self.pid(), (self.data / "postmaster.pid").read_text().splitlines()
        os.kill(pid, signal.SIGSTOP)  # it starts no others meanwhile
        children = pathlib.Path("/proc/%d/task/%d/children" % (pid, pid)).read_text().split()
        for one in [pid] + [int(child) for child in children]:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.wait()
        if len(words) > 6 and len(words[6].split()) == 2:  # the memory by which it would know that it still runs
            subprocess.run(["ipcrm", "-m", words[6].split()[1]], stderr=subprocess.DEVNULL)

    def stop(self):
        """At once, as a service manager does it; nothing is lost."""
        try:
            os.kill(self.pid(), signal.SIGINT)
        except (OSError, ValueError):
            return
        self.wait()

    def wait(self):
        if self.process:
            self.process.wait(timeout=30)
            self.process = None
        for _ in range(600):
            if not (self.data / "postmaster.pid").exists() or not pathlib.Path("/proc/%d" % self.pid()).exists():
                return
            time.sleep(0.05)

    def promote(self):
        self.run("pg_ctl", "promote", "-w", "-s", "-D", self.data)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("start", "stop", "up"):
        sys.exit(__doc__)
    getattr(Postgres(sys.argv[2], ends=False), sys.argv[1])()
