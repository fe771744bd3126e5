#!/usr/bin/env python3
"""shrink.py PROGRAM SEED DAYS [name=value ...]: makes a red seed small. What is switched off, left out or shortened stays so as long as the
same line of the simulation says red; the end is a command that runs in a moment. A try costs a run."""
import os, re, subprocess, sys, tempfile, time

program, seed, days, given = sys.argv[1], sys.argv[2], int(sys.argv[3]), dict(a.split("=", 1) for a in sys.argv[4:])
tries, began = 0, time.time()
MOST = float(os.environ.get("SHRINK_SECONDS", "300"))


def run(days, args, trace=None):
    """Its red line ("" = none)."""
    global tries
    tries += 1
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as place:
        env = dict(os.environ, TMPDIR=place, **({"SIM_TRACE": trace} if trace else {}))
        try:
            done = subprocess.run([program, seed, str(days)] + ["%s=%s" % a for a in args.items() if a[1] != ""], capture_output=True, text=True,
                                  errors="replace", timeout=120, env=env)
        except subprocess.TimeoutExpired:
            return ""
    red = [line for line in done.stdout.splitlines() if line.startswith("RED ")]
    return red[-1] if red else ""


with tempfile.NamedTemporaryFile("r", errors="replace") as trace:
    first = run(days, given, trace.name)
    on = re.search(r"^0 on (.*)$", trace.read(), re.M).group(1).split()
if not first:
    sys.exit("that is not red")
where = first.split()[1]


def still(days, args):
    return time.time() - began < MOST and run(days, args).startswith("RED %s " % where)


args = dict(given, audit="1") if still(days, dict(given, audit="1")) else dict(given)
match = re.search(r" round \d+ \(day (\d+)\)", first)
if int(match.group(1)) + 1 < days and still(int(match.group(1)) + 1, args):
    days = int(match.group(1)) + 1


def shorten():
    """By halves, then by days; a shorter league makes all other tries cheaper."""
    global days
    while days > 1 and (still(days // 2, args) or still(days - 1, args)):
        days = days // 2 if still(days // 2, args) else days - 1


for name, values in (("people", (1, 2, 3)), ("games", (1, 2)), ("minutes", (240,))):
    for value in values:
        if still(days, dict(args, **{name: str(value)})):
            args[name] = str(value)
            break
names = [n for n in on if n not in ("keyed", "keyless")] + ["keyed", "keyless"]
size = len(names) // 2
while size:  # names that are on, in halves, quarters ...
    for i in range(0, len(names), size):
        trial = dict(args, **{name: "0" for name in names[i:i + size] if name in on and name not in args})
        if trial != args and still(days, trial):
            args = trial
    size //= 2
kept = [name for name in on if args.get(name) != "0"]
trial = dict([("all", "0")] + [a for a in args.items() if a[0] not in on] + [(name, "1") for name in kept])
if still(days, trial):  # the same in fewer words
    args = trial
shorten()
with tempfile.NamedTemporaryFile("r", errors="replace") as trace:
    run(days, args, trace.name)
    events = list(dict.fromkeys(re.findall(r"^\d+ event (\S+)$", trace.read(), re.M)))
skip, size = set(filter(None, args.get("skip", "").split(","))), max(1, len(events) // 2)
while size:
    for i in range(0, len(events), size):
        part = set(events[i:i + size]) - skip
        if part and still(days, dict(args, skip=",".join(sorted(skip | part)))):
            skip |= part
            args["skip"] = ",".join(sorted(skip))
    size //= 2
if len(args.get("skip", "")) > 3000:  # no command line for a person
    print("left: " + " ".join(e for e in events if e not in skip))
print("%d runs, %d s, %d events left: %s %s %d %s" % (tries, time.time() - began, len(set(events) - skip), program, seed, days,
                                                      " ".join("%s=%s" % a for a in args.items() if a[1] != "")))
print(run(days, args))
