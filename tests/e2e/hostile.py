"""Bad input through the real program: each with the answer that its sender gets, no change of any journal, in bounded time and
memory. LONG=1 plays the long form: 10,000 junk mails, storms of 1,000."""
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
KEPT = os.environ["WORK"]
# Hundreds of small leagues: syncing them to a disk proves nothing here.
os.environ["WORK"] = tempfile.mkdtemp(prefix="turnpost-hostile.", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else KEPT)
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
        shutil.rmtree(WORK)
    finally:
        table.show()
        if WORK.exists():  # to look at what failed
            shutil.move(WORK, KEPT + "/leagues")
    slowest = max(table.rows, key=lambda row: row[2])
    largest = max(row[3] for row in table.rows)
    print("%d items, the slowest %.1f s (%s), at most %.0f MiB" % (len(table.rows), slowest[2], slowest[0], largest))


main(play)
