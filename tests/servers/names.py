#!/usr/bin/env python3
"""Name servers of our own on loopback: Knot with a root, "test" and domains below it, some signed from the root down.

    names.py start DIR [DOMAIN NAME TEXT]...    writes DIR/port and DIR/root.key, and what else it is asked for as a
                                                TXT record of a signed domain
    names.py stop DIR

signed.test is proved by the root's key; unsigned.test has no signatures, as the root's key proves; bogus.test has some
that do not fit; broken.test fails."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

os.environ["PATH"] += ":/usr/sbin"  # where Debian has Knot's programs, and users' PATHs do not lead

TEXT = "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
SIGNED = ["signed.test", "bogus.test"]
LONG = " ".join(['"%s"' % ("x" * 250)] * 17)
RECORDS = {
    "signed.test": ['mail._domainkey TXT "%s" "%s"' % (TEXT[:20], TEXT[20:]), 'two TXT "a"', 'two TXT "b"', "long TXT " + LONG,
                    "loop CNAME pool", "pool CNAME loop", "alias CNAME mail._domainkey", "out CNAME mail._domainkey.unsigned.test.", "other A 127.0.0.1"],
    "unsigned.test": ['mail._domainkey TXT "%s"' % TEXT],
    "bogus.test": ['mail._domainkey TXT "%s"' % TEXT],
}


class Names:
    def __init__(self, folder, more=(), lines=()):
        """`more`: (domain, name, text of a TXT record); a new domain is signed. `lines`: (domain, line of its zone)."""
        self.dir = pathlib.Path(folder)
        self.dir.mkdir(parents=True, exist_ok=True)
        self.records = {zone: list(lines) for zone, lines in RECORDS.items()}
        self.signed = list(SIGNED)
        for zone, line in [(zone, self.txt(name, text)) for zone, name, text in more] + list(lines):
            if zone not in self.records:
                self.records[zone] = []
                self.signed.append(zone)
            self.records[zone].append(line)

    @staticmethod
    def txt(name, text):
        return "%s TXT %s" % (name, " ".join('"%s"' % text[i:i + 200] for i in range(0, len(text), 200)))

    def run(self, *command):
        return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout

    def keys(self, zone):
        """Makes the zone's key; the DS records that point to it."""
        self.run("keymgr", "-c", self.dir / "knot.conf", zone, "generate", "algorithm=ECDSAP256SHA256", "ksk=yes", "zsk=yes")
        lines = self.run("keymgr", "-c", self.dir / "knot.conf", zone, "ds").splitlines()
        return [line for line in lines if " 13 2 " in line]  # SHA-256

    def write_zone(self, zone, lines):
        top = [f"{zone} 60 SOA ns.test. nobody.test. 1 60 60 60 60", f"{zone} 60 NS ns.test."]
        origin = "." if zone == "." else zone + "."
        name = "root" if zone == "." else zone
        (self.dir / (name + ".zone")).write_text("$ORIGIN %s\n$TTL 60\n%s\n" % (origin, "\n".join([t.replace(zone, "@", 1) for t in top] + lines)))

    def configure(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        zones = "".join("  - domain: %s\n    file: %s.zone\n%s" % (
            z, "root" if z == "." else z, "    dnssec-signing: on\n    dnssec-policy: test\n" if z in [".", "test"] + self.signed else "")
            for z in [".", "test", "broken.test"] + list(self.records))
        (self.dir / "knot.conf").write_text(f"""server:
    rundir: {self.dir}
    listen: 127.0.0.1@{self.port}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: {self.dir}/db
policy:
  - id: test
    manual: on
    single-type-signing: on
template:
  - id: default
    storage: {self.dir}
    zonefile-sync: -1
    zonefile-load: difference-no-serial
    journal-content: all
log:
  - target: {self.dir}/log
    any: info
zone:
{zones}""")

    def start(self):
        self.configure()
        (self.dir / "db").mkdir(exist_ok=True)
        ds = {zone: self.keys(zone) for zone in self.signed + ["test", "."]}
        wrong = [line[:-4] + ("0000" if line[-4:] != "0000" else "1111") for line in ds["bogus.test"]]
        below = ["ns A 127.0.0.1", "broken NS ns.test."] + wrong + sum((ds[z] for z in self.signed if z != "bogus.test"), [])
        below += ["%s. NS ns.test." % z for z in self.records]
        self.write_zone(".", ["test. NS ns.test.", "ns.test. A 127.0.0.1"] + ds["test"])
        self.write_zone("test", below)
        for zone, lines in self.records.items():
            self.write_zone(zone, lines)
        (self.dir / "root.key").write_text("\n".join(ds["."]) + "\n")
        for _ in range(3):  # somebody else may take the port meanwhile
            if self.serve():
                (self.dir / "port").write_text("%d\n" % self.port)
                return self
            self.stop()
            self.configure()
        raise SystemExit("the name server does not start:\n" + (self.dir / "out").read_text() + self.log())

    def log(self):
        return (self.dir / "log").read_text() if (self.dir / "log").exists() else ""

    def serve(self):
        """True when every zone is served."""
        before = len(self.log())
        with open(self.dir / "out", "w") as out:
            server = subprocess.Popen(["knotd", "-c", str(self.dir / "knot.conf")], stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
        (self.dir / "pid").write_text("%d\n" % server.pid)
        for _ in range(200):
            if self.log()[before:].count("loaded, serial") >= len(self.records) + 2 and server.poll() is None:
                return "cannot bind" not in self.log()[before:]
            if server.poll() is not None:
                return False
            time.sleep(0.05)
        return False

    def stop(self):
        try:
            os.kill(int((self.dir / "pid").read_text()), signal.SIGTERM)
        except (OSError, ValueError):
            pass


if __name__ == "__main__":
    if sys.argv[1] == "start":
        rest = sys.argv[3:]
        Names(sys.argv[2], [tuple(rest[i:i + 3]) for i in range(0, len(rest), 3)]).start()
    else:
        Names(sys.argv[2]).stop()
