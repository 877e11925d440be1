"""Lint: what style asks of the source and a script can check.

Each check yields complaints, `file:line: what`. Sizes are a ratchet: exceptions.txt lists what is over a limit, with its
size; entries may shrink and go, nothing may grow past its entry or be added.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FUNCTION_LINES, FILE_LINES, HEADER_LINES, PARAMETERS = 60, 1000, 250, 6

MODULES = {"parser": set(), "planner": {"parser"}, "executor": {"planner"}, "pgwire": {"executor"}}
LAYERS = ["base", "types", "keys", "kv", "range", "txn", "catalog", "table"]


def tracked():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    return [n for n in sorted(listed.stdout.split()) if os.path.exists(os.path.join(ROOT, n))]


def sources(*endings):
    return [n for n in tracked() if n.endswith(endings) and n.split("/")[0] in ("storage", *MODULES)]


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as f:
        return f.read()


def arrow(name, module, target, layer):
    """What is wrong with including target (and its layer, in storage) from name; None if nothing is."""
    if module == "storage":
        here = name.split("/")[1]
        if target != "storage":
            return f"storage includes {target}"
        return f"storage/{here} includes storage/{layer}" if LAYERS.index(layer) > LAYERS.index(here) else None
    if target not in {module, "storage"} | MODULES[module]:
        return f"{module} includes {target}"
    return f"parser includes storage/{layer}" if module == "parser" and target == "storage" and layer != "base" else None


def check_arrows():
    """A module includes itself, its right-hand neighbour and storage; a layer of storage those before it."""
    for name in sources(".c", ".h"):
        for number, line in enumerate(read(name).splitlines(), 1):
            if line.startswith("#include <lmdb.h>") and not name.startswith("storage/kv/"):
                yield f"{name}:{number}: lmdb.h outside storage/kv"
            m = re.match(r'#include "([a-z_0-9]+)/([^"/]+)', line)
            if m and m.group(1) in ("storage", *MODULES):
                wrong = arrow(name, name.split("/")[0], m.group(1), m.group(2))
                if wrong:
                    yield f"{name}:{number}: {wrong}"


def check_headers():
    """A header opens with its contract: /* name.h - what it is."""
    for name in sources(".h"):
        base = os.path.basename(name)
        if not read(name).startswith(f"/* {base} - "):
            yield f"{name}:1: does not open with `/* {base} - `"


def functions(text):
    """(name, lines, parameters) of each function definition."""
    lines = text.splitlines()
    start = None
    for i, line in enumerate(lines):
        if line == "{" and start is None:
            j = i - 1
            while j > 0 and not re.match(r"[A-Za-z_]", lines[j]):
                j -= 1
            m = re.search(r"([A-Za-z_0-9]+)\((.*)\)\s*$", " ".join(lines[j:i]))
            count = m.group(2).count(",") + 1 if m and m.group(2) not in ("", "void") else 0
            start = (i, m.group(1) if m else "?", count)
        elif line == "}" and start is not None:
            yield start[1], i - start[0] - 1, start[2]
            start = None


def sizes():
    """(what, size, limit) of everything over a limit."""
    for name in sources(".c", ".h", ".y"):
        text = read(name)
        limit = HEADER_LINES if name.endswith(".h") else FILE_LINES
        if text.count("\n") > limit:
            yield f"{name} lines", text.count("\n"), limit
        for function, length, parameters in functions(text) if name.endswith(".c") else ():
            if length > FUNCTION_LINES:
                yield f"{name} {function} lines", length, FUNCTION_LINES
            if parameters > PARAMETERS:
                yield f"{name} {function} parameters", parameters, PARAMETERS


def check_sizes():
    allowed = {}
    for line in read("regress/lint/exceptions.txt").splitlines():
        if line.strip() and not line.startswith("#"):
            what, size = line.rsplit(" ", 1)
            allowed[what] = int(size)
    for what, size, limit in sizes():
        if size > allowed.get(what, limit):
            yield f"{what}: {size}, at most {allowed.get(what, limit)}"


BANNED = r"\b(sprintf|strcpy|strcat|strtok|gets|alloca|atoi|atol|vsprintf)\("


def check_banned():
    for name in sources(".c", ".h"):
        for number, line in enumerate(read(name).splitlines(), 1):
            if re.search(BANNED, line):
                yield f"{name}:{number}: banned: {line.strip()}"
            if re.search(r"\b(TODO|FIXME|XXX)\b", line):
                yield f"{name}:{number}: unfinished by its own words"


def check_dead_files():
    """Each .c is named in a meson.build of its folder or of one above."""
    builds = {n: read(n) for n in tracked() if n.endswith("meson.build")}
    for name in sources(".c"):
        folder, base = os.path.split(name)
        if not any((folder.startswith(os.path.dirname(b)) or name in text) and base[:-2] in text for b, text in builds.items()):
            yield f"{name}: in no meson.build"


CHECKS = [check_arrows, check_headers, check_sizes, check_banned, check_dead_files]


def main():
    failed = 0
    for check in CHECKS:
        complaints = list(check())
        failed += bool(complaints)
        print(("FAIL " if complaints else "ok   ") + check.__name__[6:])
        for complaint in complaints:
            print("    " + complaint)
    return 1 if failed else 0


if __name__ == "__main__":
    if "--sizes" in sys.argv:
        for row in sizes():
            print(row[0], row[1])
        sys.exit(0)
    sys.exit(main())
