"""OpenDKIM, which signs what the test Postfix sends: a key, the record that is to be published, and the milter."""
import os
import pathlib
import signal
import socket
import subprocess
import time

os.environ["PATH"] += ":/usr/sbin"  # as in names.py


class Signer:
    def __init__(self, folder, domain, selector="mail"):
        self.dir = pathlib.Path(folder)
        self.dir.mkdir(parents=True)
        self.domain, self.selector = domain, selector
        key = self.dir / "key"
        subprocess.run(["openssl", "genrsa", "-out", str(key), "2048"], check=True, capture_output=True)
        os.chmod(key, 0o600)
        der = subprocess.run(["openssl", "rsa", "-in", str(key), "-pubout"], check=True, capture_output=True, text=True).stdout
        self.record = "v=DKIM1; k=rsa; p=" + "".join(der.splitlines()[1:-1])

    def start(self, servers, **options):
        """Between Postfix and its queue, from the next mail on."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        given = dict(Domain=self.domain, Selector=self.selector, KeyFile=self.dir / "key", Mode="s", Canonicalization="relaxed/simple",
                     Socket="inet:%d@127.0.0.1" % port, InternalHosts="127.0.0.1", OversignHeaders="From", RequireSafeKeys="no", **options)
        (self.dir / "opendkim.conf").write_text("".join("%s %s\n" % item for item in given.items()))
        with open(self.dir / "log", "w") as log:
            self.process = subprocess.Popen(["opendkim", "-f", "-x", str(self.dir / "opendkim.conf")], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert self.process.poll() is None, (self.dir / "log").read_text()
            time.sleep(0.05)
        with open(servers.dir / "postfix/main.cf", "a") as main:
            main.write("smtpd_milters = inet:127.0.0.1:%d\nmilter_default_action = tempfail\n" % port)
        os.utime(servers.dir / "postfix/main.cf", (time.time() - 10,) * 2)
        os.kill(int((servers.dir / "postfix/queue/pid/master.pid").read_text()), signal.SIGHUP)
        time.sleep(0.3)

    def stop(self):
        self.process.kill()  # asked to end, it waits for Postfix to go first
        self.process.wait()
