"""What an operator has who cheats: all keys of the league, and so the means to log a journal that they have changed."""
import base64

from league import *

ZEROS = "0" * 64


class Keys:
    def __init__(self, league):
        self.dir = WORK / "stolen"
        self.dir.mkdir(exist_ok=True)
        secret = (league.dir / "keys/secret/league").read_text().splitlines()
        blob = base64.b64decode("".join(secret[1:-1]))
        public = base64.b64decode((league.dir / "keys/league.pub").read_text().split()[1])[-32:]
        at = blob.index(public, blob.index(public) + 32 + len(b"\0\0\0\x40"))  # after the second copy: seed, point
        seed = None
        for i in range(len(blob) - 63):
            if blob[i + 32:i + 64] == public and blob[i - 4:i] == b"\0\0\0\x40":
                seed = blob[i:i + 32]
        check(at and seed, "no seed in the league's key")
        der = bytes.fromhex("302e020100300506032b657004220420") + seed
        (self.dir / "key.pem").write_text("-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                                          % base64.b64encode(der).decode())
        self.master = bytes.fromhex((league.dir / "keys/secret/master").read_text().strip())

    def sign(self, data):
        (self.dir / "data").write_bytes(data)
        sh("openssl", "pkeyutl", "-sign", "-inkey", self.dir / "key.pem", "-rawin", "-in", self.dir / "data",
           "-out", self.dir / "sig")
        return (self.dir / "sig").read_bytes()

    def rechain(self, lines, first, change):
        """The journal with record `first` changed, and it and all after it chained again."""
        out, prev = [], ZEROS
        for number, line in enumerate(lines, 1):
            if number >= first:
                record = json.loads(line)
                if number == first:
                    change(record)
                front = {k: record.pop(k) for k in ("game", "seq", "prev", "type", "time")}
                front["prev"] = prev
                line = (json.dumps(dict(front, **dict(sorted(record.items()))), separators=(",", ":"), ensure_ascii=False) + "\n").encode()
            prev = hashlib.blake2b(b"turnpost/log\0" + line, digest_size=32).hexdigest()
            out.append(line)
        return out

    def seal_cache(self, body):
        """state.json with the league's own mark on it."""
        key = hashlib.blake2b(b"", digest_size=32, key=self.master, salt=(2).to_bytes(8, "little") + bytes(8),
                              person=b"tp-cache" + bytes(8)).digest()
        return hashlib.blake2b(body, digest_size=32, key=key).hexdigest()
