"""The servers of tests/servers/fake.py, which misbehave."""
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

    def stop(self):
        """What it printed."""
        self.process.kill()
        return self.process.communicate()[0]
