"""docs/*.md: what a page shows is what the server answers.

A page's ```sql blocks are run in order through psql, on a fresh server; the ```text block that
follows one must be what psql printed. A line of three dots stands for any lines. `run.py fill-docs` writes the answers.
"""
import glob
import re
import subprocess

from server import Server

BLOCKS = re.compile(r"```sql\n(.*?)```\n(\s*```text\n(.*?)```\n)?", re.S)


def ask(server, database, sql):
    done = subprocess.run(["psql", "-X", "-q", server.dsn(database)], input=sql, capture_output=True, text=True, timeout=120)
    lines = [line.rstrip() for line in (done.stderr + done.stdout).strip("\n").splitlines()]
    return "\n".join(lines) + "\n" if lines else ""


def agrees(printed, wanted):
    pattern = "".join(r"(?:.*\n)*?" if line.strip() in ("…", "...") else re.escape(line) + "\n" for line in wanted.splitlines())
    return re.fullmatch(pattern, printed) is not None


def pages():
    for path in sorted(glob.glob("docs/*.md")):
        with open(path, encoding="utf-8") as f:
            yield path, f.read()


def run():
    for path, text in pages():
        with Server() as server:
            for number, block in enumerate(BLOCKS.finditer(text), 1):
                printed, wanted = ask(server, "postgres", block[1]), block[3] or ""
                wrong = None if agrees(printed, wanted) else f"line {text[:block.start()].count(chr(10)) + 1}: got\n{printed}"
                yield f"{path} {number}", wrong
            complaints = server.close()
            yield f"{path} server", complaints[0] if complaints else None


def fill():
    for path, text in pages():
        with Server() as server:

            def answered(block):
                printed = ask(server, "postgres", block[1])
                if block[3] and agrees(printed, block[3]):
                    return block[0]
                return f"```sql\n{block[1]}```\n" + (f"\n```text\n{printed}```\n" if printed else "")

            filled = BLOCKS.sub(answered, text)
            server.close()
        with open(path, "w", encoding="utf-8") as f:
            f.write(filled)
        yield path, None
