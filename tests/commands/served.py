#!/usr/bin/env python3
"""The order page behind a web server that misbehaves, and what `turnpost doctor --page` says of it.

    tests/commands/served.py PROGRAM LEAGUE FOLDER     exit 1 and a line for each fault

LEAGUE has page_url = https://play.example.org/, and FOLDER is its page. The server is on 127.0.0.1: doctor comes to it through a
proxy (https_proxy) that leads every connection there."""
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOST = "play.example.org"


def policy():
    snippet = (ROOT / "cron/turnpost-page.nginx").read_text()
    return snippet.split('Content-Security-Policy "')[1].split('"')[0]


def certificate(folder):
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout", key, "-out", cert,
                    "-subj", "/CN=" + HOST, "-addext", "subjectAltName=DNS:" + HOST], check=True, capture_output=True)
    return cert, key


class Server:
    """Answers CONNECT itself, as the host that was asked for. `files`: bytes in place of those of the folder; `policy` None: no header."""

    def __init__(self, folder, cert, key):
        self.folder, self.files, self.policy, self.status, self.asked, self.away = folder, {}, policy(), 200, [], False
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(cert, key)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            sock, _ = self.listener.accept()
            threading.Thread(target=self.talk, args=(sock,), daemon=True).start()

    def talk(self, sock):
        try:
            if self.away or self.request(sock) != f"{HOST}:443":
                sock.close()
                return
            sock.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            sock = self.context.wrap_socket(sock, server_side=True)
            while path := self.request(sock):
                self.answer(sock, path.lstrip("/") or "index.html")
        except OSError:
            sock.close()

    @staticmethod
    def request(sock):
        head = b""
        while b"\r\n\r\n" not in head:
            more = sock.recv(4096)
            if not more:
                return None
            head += more
        return head.decode().split()[1]

    def answer(self, sock, name):
        self.asked.append(name)
        path = self.folder / name
        body = self.files.get(name, path.read_bytes() if path.is_file() else None)
        status = self.status if body is not None else 404
        head = f"HTTP/1.1 {status} X\r\nContent-Length: {len(body or b'')}\r\n"
        if self.policy is not None:
            head += f"Content-Security-Policy: {self.policy}\r\n"
        if status == 302:
            head += "Location: https://elsewhere.example.org/\r\n"
        sock.sendall(head.encode() + b"\r\n" + (body or b""))


def main():
    program, league, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        cert, key = certificate(pathlib.Path(work))
        server = Server(folder, cert, key)

        def doctor(name, wanted, *args):
            nonlocal failed
            env = dict(os.environ, https_proxy=f"http://127.0.0.1:{server.port}")
            ran = subprocess.run([program, "doctor", "--league", league, *args], env=env, capture_output=True, text=True)
            lines = [line for line in ran.stdout.splitlines() if " page " in line]
            if not any(all(word in line for word in wanted) for line in lines):
                failed += 1
                print(f"FAIL  {name}: want {wanted}, got {lines or ran}")

        page = ("--page", "--ca-file", str(cert))
        doctor("as it was written", ["ok", "is served as it was written"], *page)
        names = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file() and not p.name.startswith(".")}
        if not names <= set(server.asked):
            failed += 1
            print(f"FAIL  not asked for {names - set(server.asked)}")
        server.asked.clear()
        doctor("without --page nothing is fetched", ["ok", "is the one that mails name"])
        if server.asked:
            failed += 1
            print(f"FAIL  asked for {server.asked}")
        doctor("a certificate of nobody", ["FAILED", "certificate"], "--page")
        for name in ("check/p256.js", "league.json", "version.json", "words/galaxy-farmer-3.json"):
            bytes_of = bytearray((folder / name).read_bytes())
            bytes_of[len(bytes_of) // 2] ^= 1
            server.files = {name: bytes(bytes_of)}
            doctor(f"{name} has a changed byte", ["FAILED", f"https://{HOST}/{name} is not the file"], *page)
        server.files = {"league.json": (folder / "league.json").read_bytes() + b" "}
        doctor("a file is longer", ["FAILED", "league.json is not the file"], *page)
        server.files = {"league.json": b"x" * (5 << 20)}
        doctor("a file without end", ["FAILED", "league.json gives an answer of more than"], *page)
        server.files = {}
        good = server.policy
        for bad, word in ((None, "sends no Content-Security-Policy"), (good.replace("frame-ancestors 'none'", ""), "lacks frame-ancestors 'none'"),
                          (good.replace("require-trusted-types-for 'script'; ", ""), "lacks require-trusted-types-for"),
                          (good.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'"), "has 'unsafe-inline'"),
                          (good.replace("connect-src 'self'", "connect-src *"), "has *")):
            server.policy = bad
            doctor(f"policy {bad}", ["FAILED", word], *page)
        server.policy = good
        for status, word in ((302, "status 302"), (500, "status 500")):
            server.status = status
            doctor(f"status {status}", ["FAILED", word], *page)
        server.status = 200
        server.away = True
        doctor("nobody is there", ["FAILED", "gives no answer"], *page)
    print(f"served: {failed} faults")
    sys.exit(failed > 0)


main()
