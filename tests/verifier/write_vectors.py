#!/usr/bin/env python3
"""Writes the vectors that come from games/galaxy-command, when that game has been recorded anew: `records`, `commitment`,
`seals`, `turn` and `hidden` of vectors.json; those that follow from what stands in it, `marks`, `alphas` and `seatings`; and prints those that src/journal/README.md shows (section 12)."""
import hashlib
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
GAME = HERE.parent.parent / "games/galaxy-command"
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import curve
import draws
import journal
from boxes import Keys, box_key, salt_of, seal_of
from forms import blake
from table import mark_of

TURN = 1
vectors = json.loads((HERE / "vectors.json").read_text())
lines = (GAME / "journal.jsonl").read_text().splitlines(True)
records = [json.loads(line) for line in lines]
heads = [journal.head_of(line.encode()) for line in lines]
key = bytes.fromhex(records[-1]["seal_key"])
start, turn = (next(r for r in records if r["type"] == kind) for kind in ("start", "turn"))
close = records[turn["seq"] - 2]
create = heads[0]
vrf = bytes.fromhex(records[0]["vrf_key"])


def salted(seq, seat, item, payload, box=None):
    salt = salt_of(key, seq, seat, item, payload.encode())
    seal = seal_of(salt, payload.encode())
    more = {"k": box_key(key, seal).hex(), "box": box} if box else {}
    return {"seq": seq, "seat": seat, "item": item, "salt": salt.hex(), "payload": payload, "seal": seal.hex(), **more}


def root_of(record, seals, deal):
    alpha = draws.alpha(create, record["turn"], [bytes.fromhex(s) or bytes(32) for s in seals], deal, 0)
    beta = curve.vrf_verify(vrf, bytes.fromhex(record["pi"]), alpha)
    return alpha, beta, hashlib.blake2b(b"turnpost/roll\0" + beta).digest()


deal = bytes.fromhex(start["pi"][:64])
alpha, beta, root = root_of(turn, close["seals"], deal)
joined = {r["seat"]: r["mark"] for r in records if r["type"] == "seat" and "mark" in r}
_, _, root_of_deal = root_of(start, [joined.get(seat, "") for seat in range(1, records[0]["seats"] + 1)], bytes(32))
draw = start["hidden"][0]
hidden = salted(start["seq"], 0, 2, Keys(key).payload(draw["box"], bytes.fromhex(draw["seal"]), records[0]["game"], start["seq"], 0, 2).decode(), draw["box"])
secret = json.loads(hidden["payload"])
output = curve.vrf_verify(vrf, bytes.fromhex(secret["proof"]), b"turnpost/hide\0" + root_of_deal + secret["label"].encode())
assert hidden["seal"] == draw["seal"] and output

vectors["records"] = [{"line": lines[i], "head": heads[i].hex()} for i in (0, 1, turn["seq"] - 1)]
vectors["commitment"] = {"seal_key": key.hex(), "commitment": blake(b"turnpost/kseal\0" + key).hex()}
vectors["seals"] = [hidden]
old = vectors["turn"]
vectors["turn"] = {
    "create_head": create.hex(), "deal": deal.hex(), "rollbacks": 0, "turn": TURN, "seals": close["seals"],
    "alpha": alpha.hex(), "vrf_key": vrf.hex(), "pi": turn["pi"], "beta": beta.hex(), "root": root.hex(),
    "dice": [{"label": d["label"], "sides": 6, "value": draws.die(root, d["label"], 6)} for d in old["dice"]],
    "picks": [{"label": p["label"], "of": p["of"], "value": draws.die(root, p["label"], p["of"]) - 1} for p in old["picks"]],
    "shuffle": {**{m: old["shuffle"][m] for m in ("label", "items")}, "shuffled": draws.shuffle(root, old["shuffle"]["label"], list(old["shuffle"]["items"]))},
}
vectors["hidden"] = {"root": root_of_deal.hex(), "label": secret["label"], "proof": secret["proof"], "output": output.hex()}
for m in vectors["marks"]:
    m["mark"] = mark_of(bytes.fromhex(m["create_head"]), m["seat"], bytes.fromhex(m["sig"]), m["text"]).hex()
for a in vectors["alphas"]:
    a["alpha"] = draws.alpha(bytes.fromhex(a["create_head"]), a["turn"], [bytes.fromhex(s) or bytes(32) for s in a["seals"]], bytes.fromhex(a["deal"]), a["rollbacks"]).hex()
for s in vectors["seatings"]:
    held = [(h["seat"], h["player"], bytes.fromhex(h["mark"])) for h in s["held"]]
    s["drawn"] = [{"seat": seat, "player": player} for seat, player in draws.seated(bytes.fromhex(s["root"]), held)]
(HERE / "vectors.json").write_text(re.sub(r"\[\s*((?:\d+,\s*)*\d+)\s*\]", lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", json.dumps(vectors, indent=1, ensure_ascii=False)) + "\n")

folded = lambda text, width: ("\n" + " " * 23).join(text[i : i + width] for i in range(0, len(text), width))
print("""    head of record 1   %s
    K_seal             %s
    its commitment     %s
    payload (%d, 0, 2)  %s
    its salt           %s
    its seal           %s
    k                  %s
    box                %s
    vrf_key            %s
    deal               %s
    turn 1: pi         %s
            beta       %s
            R          %s
    dice with six sides: %s
    turn 0: R          %s
            %s  R' = %s""" % (
    create.hex(), key.hex(), vectors["commitment"]["commitment"], start["seq"], folded(hidden["payload"], 80), hidden["salt"], hidden["seal"], hidden["k"], folded(hidden["box"], 80), vrf.hex(), deal.hex(),
    folded(turn["pi"], 80), folded(beta.hex(), 64), folded(root.hex(), 64), ", ".join("%s %d" % (d["label"], d["value"]) for d in vectors["turn"]["dice"]),
    folded(root_of_deal.hex(), 64), secret["label"], folded(output.hex(), 64)))
