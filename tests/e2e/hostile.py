"""Bad input through the real program: each with the answer that its sender gets, no change of any journal, in bounded time and
memory. LONG=1 plays the long form: 10,000 junk mails, storms of 1,000."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from trial import LONG, Table
import hostile_mails


def play(_):
    table = Table()
    try:
        hostile_mails.play(table)
    finally:
        table.show()
    slowest = max(table.rows, key=lambda row: row[2])
    largest = max(row[3] for row in table.rows)
    print("%d items, the slowest %.1f s (%s), at most %.0f MiB" % (len(table.rows), slowest[2], slowest[0], largest))


main(play)
