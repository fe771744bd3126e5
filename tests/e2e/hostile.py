"""Bad input through the real program: each with the answer that its sender gets, no change of any journal, in bounded time and
memory. LONG=1 plays the long form: 10,000 junk mails, storms of 1,000."""
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
MEMORY = None
if os.access("/dev/shm", os.W_OK):  # hundreds of small leagues: syncing them to a disk proves nothing here
    MEMORY = tempfile.mkdtemp(prefix="turnpost-hostile.", dir="/dev/shm")
    os.symlink(MEMORY, os.path.join(os.environ["WORK"], "leagues"))
    os.environ["WORK"] = MEMORY
from league import *
from trial import Table
import hostile_files
import hostile_mails


def play(_):
    table = Table()
    try:
        for part in (hostile_mails, hostile_files):
            if len(sys.argv) < 2 or sys.argv[1] == part.__name__:
                part.play(table)
    finally:
        table.show()
    slowest = max(table.rows, key=lambda row: row[2])
    largest = max(row[3] for row in table.rows)
    print("%d items, the slowest %.1f s (%s), at most %.0f MiB" % (len(table.rows), slowest[2], slowest[0], largest))
    if MEMORY:
        shutil.rmtree(MEMORY)


main(play)
