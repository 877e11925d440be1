#!/usr/bin/env python3
"""Writes the .tsv files that are named as C strings, one an array: embed.py a.tsv b.tsv > static_rows.inc"""
import os
import sys


def literal(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\n", "\\n") + '"'


for path in sys.argv[1:]:
    name = os.path.basename(path)[:-4]
    print(f"static const char {name}_text[] =")
    with open(path, encoding="utf-8") as f:
        for line in f:
            print("    " + literal(line))
    print("    ;")
