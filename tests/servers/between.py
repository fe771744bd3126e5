#!/usr/bin/env python3
"""A bad network between a program and PostgreSQL: bytes go through it, late, not at all, or all but an answer.

    between.py PORT DELAY       prints the port on which it listens; what it gets goes on to PORT of 127.0.0.1, and back, each after
                                DELAY milliseconds

It reads as much of PostgreSQL's protocol as it takes to know where a commit begins and ends."""
import asyncio
import struct
import sys
import threading

ENCRYPTION = (80877103, 80877104)  # asks for TLS or GSSAPI, before anything else is said

ASK = b"VALUES($1, 0, now())"                   # whether a commit happened
BEAT = b"SET until = now() + $2 * interval"     # the lease is renewed


def start_loop():
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


class Client:
    """What a client has said."""

    def __init__(self):
        self.rest, self.started = b"", False
        self.writes = False

    def take(self, data, mark):
        """The bytes up to a message that is the mark, and those from it on: BEGIN, or the COMMIT of a transaction that writes."""
        held = self.rest
        self.rest += data
        done = 0
        while True:
            size, skip = self.size_of(done)
            if not size or len(self.rest) < done + size:
                break
            if self.message(self.rest[done:done + size], skip) == mark:
                at = max(done - len(held), 0)
                self.rest = self.rest[done + size:]
                self.rest = self.rest[self.skip_all():]
                return data[:at], data[at:]
            done += size
        self.rest = self.rest[done:]
        return data, b""

    def skip_all(self):
        """What comes together with the mark."""
        done = 0
        while True:
            size, _ = self.size_of(done)
            if not size or len(self.rest) < done + size:
                return done
            done += size

    def size_of(self, at):
        """Of the message that begins there, with its kind; 0 when that cannot be told yet."""
        kind = 1 if self.started else 0
        if len(self.rest) < at + kind + 4:
            return 0, kind
        return kind + struct.unpack_from(">I", self.rest, at + kind)[0], kind

    def message(self, message, kind):
        if not kind:
            self.started = struct.unpack_from(">I", message, 4)[0] not in ENCRYPTION
            return None
        if message[:1] not in b"PQ":
            return None
        words = message[5:].split(b"\0")[1 if message[:1] == b"P" else 0]
        if words.startswith(b"BEGIN"):
            self.writes = False
        elif b"SET seq =" in words:
            self.writes = True
        return None if words == b"COMMIT" and not self.writes else words


class Link:
    """One connection through it."""

    def __init__(self, between, to_client):
        self.between, self.to_client, self.to_server = between, to_client, None
        self.client = Client()
        self.mute = False    # what the server says goes nowhere
        self.late = 0        # seconds by which it is slower than others
        self.fate = None     # of the commit that is under way
        self.held = b""
        self.answer = b""

    def close(self):
        for writer in (self.to_client, self.to_server):
            if writer:
                writer.transport.abort()

    async def pump(self, reader, writer, take):
        """Reads, and writes each piece when its time has come."""
        queue = asyncio.Queue()
        task = asyncio.ensure_future(self.deliver(queue, writer))
        try:
            while data := await reader.read(1 << 16):
                data = take(data)
                if data:
                    queue.put_nowait((asyncio.get_running_loop().time() + self.between.delay + self.late, data))
        except (OSError, asyncio.IncompleteReadError):
            pass
        queue.put_nowait(None)
        await task
        self.close()

    async def deliver(self, queue, writer):
        while piece := await queue.get():
            due, data = piece
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            await self.between.flows.wait()
            try:
                writer.write(data)
                await writer.drain()
            except OSError:
                return

    def from_client(self, data):
        if self.between.deaf:
            return b""
        if self.between.damages:
            return self.damage(data)
        if self.held:
            self.held += data
            return b""
        if BEAT in data:
            self.late = self.between.beats
        if self.between.asks and ASK in data:
            self.between.asks -= 1
            self.between.loop.call_soon(self.close)
            return b""
        if self.between.unheard and ASK in data:
            self.between.unheard -= 1
            self.fate = "answer"
        before, rest = self.client.take(data, b"BEGIN" if self.between.wish == "hold" else b"COMMIT")
        if rest and self.between.wish and self.between.skips:
            self.between.skips -= 1
        elif rest and self.between.wish:
            self.fate, self.between.wish = self.between.wish, None
            self.between.met.set()
            if self.fate in ("hold", "stall"):
                self.held = rest
                self.between.holding = self
                return before
            if self.fate == "request":
                self.shut()
                self.between.loop.call_soon(self.close)
                return before
        return before + rest

    def damage(self, data):
        """Whole messages, up to the one at which the line breaks."""
        self.client.rest += data
        out = b""
        while not self.mute:
            size, kind = self.client.size_of(0)
            if not size or len(self.client.rest) < size:
                return out
            message, self.client.rest = self.client.rest[:size], self.client.rest[size:]
            self.client.message(message, kind)
            if message[:1] == (b"P" if self.between.damages == "request" else b"S") and kind:
                self.between.left -= 1
                if self.between.left == 0:
                    self.breaks()
                    return out + (message if self.between.damages == "answer" else b"")
            out += message
        return b""

    def shut(self):
        self.between.refuses |= not self.between.heals

    def breaks(self):
        self.between.met.set()
        self.shut()
        self.mute = True  # the server's words go nowhere; it is hung up on when it has said them
        if self.between.damages == "request":
            self.between.loop.call_soon(self.close)

    def from_server(self, data):
        if self.between.met.is_set() and self.between.damages and self.mute:
            self.answer += data
            if self.is_ready():
                self.between.loop.call_soon(self.close)
            return b""
        if self.between.deaf or self.mute:
            return b""
        if self.fate in ("answer", "silent"):
            self.answer += data
            if self.is_ready():
                self.mute = True
                if self.fate == "answer":
                    self.shut()
                    self.between.loop.call_soon(self.close)
            return b""
        return data

    def is_ready(self):
        """The server has said all that it has to say of the commit."""
        at = 0
        while len(self.answer) >= at + 5:
            if self.answer[at:at + 1] == b"Z":
                return True
            at += 1 + struct.unpack_from(">I", self.answer, at + 1)[0]
        return False


class Between:
    """All its ways to fail may be asked for by any thread, at any time.

    delay       seconds by which everything comes later, in both directions
    beats       seconds by which the line on which the lease is renewed is slower still
    asks        so many questions whether a commit happened are lost, and their lines with them
    unheard     so many of them are answered, and the answers lost
    cut()       hangs up, and hangs up on whoever comes, until mend()
    freeze()    lets nothing through, and keeps it, until thaw()
    drop()      takes everything and passes on nothing; nobody is told, until mend()
    damage(what, number)  the statement with this number breaks the line, "request" - before it is sent, "answer" - when all that was
                sent with it (counted so) is answered
    heals       else nobody is let in, after one of these or of the next, until mend()
    lose(what, skips)  of the next commit, or of one after so many others: "request" - it never arrives, and the line is dead; "answer" - it arrives, its answer does
                not, and the line is dead; "silent" - the same, with a line that looks alive; "hold" - all of it arrives
                when release() is called; "stall" - so does its end, the COMMIT. `met` (an Event) is set when it has begun"""

    loop = None

    def __init__(self, target):
        Between.loop = Between.loop or start_loop()
        self.target, self.delay, self.beats, self.asks, self.unheard = target, 0, 0, 0, 0
        self.deaf = self.refuses = False
        self.heals = True
        self.damages, self.left = None, 0
        self.wish, self.skips, self.holding, self.met = None, 0, None, threading.Event()
        self.links = set()
        self.call(self.listen())

    def call(self, what):
        return asyncio.run_coroutine_threadsafe(what, self.loop).result(30)

    async def listen(self):
        self.flows = asyncio.Event()
        self.flows.set()
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def accept(self, reader, writer):
        link = Link(self, writer)
        self.links.add(link)
        try:
            if not self.refuses:
                from_server, link.to_server = await asyncio.open_connection("127.0.0.1", self.target)
                await asyncio.gather(link.pump(reader, link.to_server, link.from_client), link.pump(from_server, writer, link.from_server))
        except OSError:
            pass
        link.close()
        self.links.discard(link)

    async def hang_up(self):
        for link in list(self.links):
            link.close()

    def cut(self):
        self.refuses = True
        self.call(self.hang_up())

    def drop(self):
        self.deaf = True

    def mend(self):
        """What was lost meanwhile is lost, so connections of that time are of no use."""
        if self.deaf:
            self.call(self.hang_up())
        self.deaf = self.refuses = False
        self.damages = None

    async def let(self, flow):
        self.flows.set() if flow else self.flows.clear()

    def freeze(self):
        self.call(self.let(False))

    def thaw(self):
        self.call(self.let(True))

    def damage(self, what, number):
        self.met.clear()
        self.damages, self.left = what, number

    def lose(self, what, skips=0):
        self.met.clear()
        self.skips, self.wish = skips, what

    async def pass_on(self):
        link, self.holding = self.holding, None
        data, link.held, link.fate = link.held, b"", None
        if link.to_server:
            link.to_server.write(data)

    def release(self):
        self.call(self.pass_on())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    between = Between(int(sys.argv[1]))
    between.delay = float(sys.argv[2]) / 1000
    print(between.port, flush=True)
    threading.Event().wait()
