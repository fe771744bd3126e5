"""The servers of tests/servers/fake.py, which misbehave."""
import threading

from league import *


class Fake:
    """The scripted servers, with their certificates in the folder of the real ones."""

    def __init__(self, folder, names):
        self.folder = folder
        self.process = subprocess.Popen(["python3", TESTS / "servers/fake.py", folder, *names], stdout=subprocess.PIPE, text=True)
        self.port = {}
        for line in self.process.stdout:
            if line == "ready\n":
                break
            name, port = line.strip().split("=")
            self.port[name] = int(port)
        self.said = []
        self.reader = threading.Thread(target=lambda: self.said.extend(self.process.stdout), daemon=True)  # or it would wait for us
        self.reader.start()

    def stop(self):
        """What it printed."""
        self.process.kill()
        self.reader.join()
        self.process.wait()
        return "".join(self.said)
