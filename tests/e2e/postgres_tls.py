"""A database on another host is reached by TLS alone, with a certificate for its name by an authority that is trusted; also
again from within the sandbox, after the server was away."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from hosts import *

NAME = "db.example.test"


def authority(folder):
    folder.mkdir()
    sh("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", folder / "ca.key",
       "-out", folder / "ca.pem", "-subj", "/CN=an authority", "-addext", "basicConstraints=critical,CA:TRUE")
    return folder / "ca.pem"


def certificate(folder, postgres):
    """Of the server, in its folder."""
    (folder / "ext").write_text("subjectAltName=DNS:%s\n" % NAME)
    sh("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", postgres.dir / "tls.key", "-out", folder / "csr",
       "-subj", "/CN=" + NAME)
    sh("openssl", "x509", "-req", "-in", folder / "csr", "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key", "-CAcreateserial", "-days", "2",
       "-extfile", folder / "ext", "-out", postgres.dir / "tls.pem")
    for name in ("tls.key", "tls.pem"):
        if postgres.user:
            shutil.chown(postgres.dir / name, postgres.user, "nogroup")
        os.chmod(postgres.dir / name, 0o600)


def use_tls(postgres, on):
    for line in ("ssl_cert_file = '%s'" % (postgres.dir / "tls.pem"), "ssl_key_file = '%s'" % (postgres.dir / "tls.key"),
                 "ssl = %s" % ("on" if on else "off")):
        postgres.ask("ALTER SYSTEM SET " + line, "postgres")
    postgres.ask("SELECT pg_reload_conf()", "postgres")
    time.sleep(0.3)


def way(postgres, name=NAME, ca=None):
    words = "host=%s hostaddr=127.0.0.1 port=%d user=turnpost dbname=league" % (name, postgres.port)
    return words + (" sslrootcert=%s" % ca if ca else "")


def refused(host, database, words):
    host.set("store", database=database)
    host.tp("store", "status", code=None)
    check(host.code in (75, 78) and re.search(words, host.err), "%s: exit %s, %s" % (database, host.code, host.err))


def play(_servers):
    postgres = Postgres(WORK / "postgres").start()
    host = Host("one")
    try:
        ca, other = authority(WORK / "ca"), authority(WORK / "other")
        certificate(WORK / "ca", postgres)
        host.init()
        host.keep_in(way(postgres, ca=ca), 5)
        refused(host, way(postgres, ca=ca), "SSL")  # it has none yet
        use_tls(postgres, True)
        refused(host, way(postgres, ca=other), "certificate verify failed")
        refused(host, way(postgres), "certificate verify failed")  # the system's authorities do not know it
        refused(host, way(postgres, "db2.example.test", ca), "does not match host name")
        host.set("store", database=way(postgres, ca=ca))
        host.tp("store", "copy", "files", "postgres")
        host.begin()
        await_holder(host, 10)
        plain = "SELECT count(*) FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid) WHERE a.application_name LIKE 'turnpost%' AND "
        check(postgres.ask(plain + "s.ssl") != ["0"], "no session by TLS")
        check(postgres.ask(plain + "NOT s.ssl") == ["0"], "a session without TLS")
        postgres.stop()
        time.sleep(1)
        postgres.up()
        await_holder(host, 30)
        check(postgres.ask(plain + "NOT s.ssl") == ["0"], "a session without TLS")
        check(host.end() == 0, "it did not end cleanly: " + host.said()[-2000:])
        check("secret" not in host.said(), "the password is in the log")
    finally:
        host.kill()
        postgres.stop()
    print("TLS with the right name and authority, or nothing; again after the server was away")


main(play)
