"""A name server before names.py's, on a port of its own, that misbehaves for some names and passes all else on."""
import re
import select
import socket
import struct
import threading
import time


def question(query):
    """The name that is asked for, in small letters, and where the question ends."""
    at, labels = 12, []
    while query[at]:
        labels.append(query[at + 1:at + 1 + query[at]].decode("latin-1").lower())
        at += query[at] + 1
    return ".".join(labels), at + 5


def answer(query, text):
    """An answer with this TXT record, without any signature."""
    _, end = question(query)
    data = b"".join(bytes([len(text[i:i + 200])]) + text[i:i + 200] for i in range(0, len(text), 200))
    head = query[:2] + struct.pack(">HHHHH", 0x8580, 1, 1, 0, 0)
    return head + query[12:end] + struct.pack(">HHHIH", 0xC00C, 16, 1, 60, len(data)) + data


class Liar:
    def __init__(self, port):
        self.behind = ("127.0.0.1", port)
        self.silent, self.lies, self.asked = set(), {}, {}
        self.failing, self.pause = re.compile("(?!)"), 2  # names that match are answered by SERVFAIL, after so many seconds
        self.udp, self.tcp = socket.socket(type=socket.SOCK_DGRAM), socket.socket()
        self.tcp.bind(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.udp.bind(("127.0.0.1", self.port))
        self.tcp.listen()
        for work in (self.datagrams, self.connections):
            threading.Thread(target=work, daemon=True).start()

    def say(self, query):
        """What is answered; None: nothing."""
        name, _ = question(query)
        self.asked[name] = self.asked.get(name, 0) + 1
        if any(name == s or name.endswith("." + s) for s in self.silent):
            return None
        if name in self.lies:
            return answer(query, self.lies[name].encode())
        if self.failing.search(name):
            time.sleep(self.pause)
            return query[:2] + struct.pack(">HHHHH", 0x8182, 1, 0, 0, 0) + query[12:question(query)[1]]
        with socket.socket(type=socket.SOCK_DGRAM) as out:
            out.settimeout(5)
            out.sendto(query, self.behind)
            return out.recv(65535)

    def datagrams(self):
        while True:
            query, sender = self.udp.recvfrom(65535)
            threading.Thread(target=self.datagram, args=(query, sender), daemon=True).start()

    def datagram(self, query, sender):
        said = self.say(query)
        if said:
            self.udp.sendto(said, sender)

    def connections(self):
        """What is too long for a datagram is passed on as it is."""
        while True:
            near, _ = self.tcp.accept()
            threading.Thread(target=self.relay, args=(near,), daemon=True).start()

    def relay(self, near):
        with near, socket.create_connection(self.behind) as far:
            while True:
                ready, _, _ = select.select([near, far], [], [], 10)
                for one in ready:
                    data = one.recv(65535)
                    if not data:
                        return
                    (far if one is near else near).sendall(data)
                if not ready:
                    return
