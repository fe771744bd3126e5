#!/usr/bin/env python3
"""tests/bench/LAST.md from what `make bench` has measured: table.py BENCH_JSON WHERE > LAST.md

WHERE is a phrase for the heading: which commit, on what. A figure without a row below is printed by its name."""
import json
import pathlib
import sys

# figure: what it is; True: ours is shown, not the ratio to the reference.
ROWS = {
    "mails_per_second": ("10,000 orders from Dovecot through verification to journals and receipts, mails a second against mbsync "
                         "that downloads them", False),
    "peak_memory_mib": ("its memory, MiB", True),
    "send_to_smtp_sink": ("sending in order, 25 mails of each game to each of its readers, to smtp-sink, against smtp-source", False),
    "send_to_postfix": ("the same to Postfix, against smtp-source", False),
    "reports_with_pictures": ("reports a second that a batch makes, 300 turns of three players each, with pictures against without", False),
    "reports_sent_with_pictures": ("the same until Postfix has them all, each board drawn and painted meanwhile", False),
    "picture_new": ("a picture, drawn and painted, against rsvg-convert that paints the drawing", False),
    "picture_cached": ("one that is there already, against a new one", False),
    "turns_galaxy_command": ("turns a second: Galaxy Command", True),
    "turns_galactic_supremacy": ("Galactic Supremacy", True),
    "turns_galactic_contract": ("Galactic Contract", True),
    "turns_galaxy_farmer": ("Galaxy Farmer", True),
    "turn_against_libsodium": ("a turn against the bare operations of libsodium that it needs", False),
    "idle_run": ("an idle run with 100,000 games against 10", False),
    "verify_journal": ("verifying a journal of 50,000 records against bare Ed25519", False),
    "turn_200": ("turn 200 against turn 2", False),
    "batch_of_due_games": ("1,000 due games against one", False),
    "batch_syncs": ("their sync calls", False),
    "due_of_many_games": ("500 due games of 10,000 against 500 of 1,000, with 2,000 players", False),
    "memory_of_many_games": ("its memory, MiB", True),
    "audit": ("audit of 1,000 games against bare libsodium and the turns alone", False),
    "reply_against_signed": ("orders by reply, for which a mail domain vouches whose key is known, against signed ones", False),
    "compete_draw": ("10,000 players, drawn at tables of four after a round and ranked, against the bare signatures and proofs of the "
                     "journal", False),
    "compete_read": ("reading that journal against the same", False),
    "compete_again": ("reading it again, as it was proved before, against that", False),
    "compete_open": ("a season of 1,000 games, drawn and opened in a run, against ten of 100", False),
    "compete_memory": ("the memory of both, MiB", True),
    "site_whole": ("the whole site of 10,000 games, seconds", True),
    "site_changed": ("what 50 turns of them change, seconds", True),
    "site_memory": ("the memory of both, MiB", True),
    "store_mails": ("5,000 orders into a league in PostgreSQL, against files", False),
    "store_far": ("the same where each answer of the database takes 5 ms more, against none", False),
    "store_trips": ("its round trips for each 1,000 mails", True),
    "store_idle": ("an idle run with 100,000 games in PostgreSQL against 10", False),
    "audit_memory_mib": ("its memory, a journal of 50,000 orders among them, MiB", True),
}


def number(value):
    return "%.2f" % value if value < 10 else "{:,.0f}".format(value)


def row(name, figure):
    words, absolute = ROWS.get(name, (name, False))
    last, goal = figure["ratio"], figure["goal"]
    if absolute:
        last, goal = figure["ours"], figure["goal"] * figure["reference"]
    mark = "" if figure["holds"] else " **falls short**"
    return "| %s | %s%s | %s %s |" % (words, number(last), mark, "at most" if figure["at_most"] else "at least", "{:,g}".format(goal))


def main(path, where):
    figures = json.loads(pathlib.Path(path).read_text())
    print("<!-- Written by `make bench` (tests/bench/table.py); do not edit. -->")
    print("# The last figures of `make bench`\n\n%s. Medians; each ratio is of two times of the same run.\n" % where)
    print("| figure | last | goal |\n|---|---|---|")
    for name in sorted(figures, key=lambda name: list(ROWS).index(name) if name in ROWS else len(ROWS)):
        print(row(name, figures[name]))


if __name__ == "__main__":
    main(*sys.argv[1:])
