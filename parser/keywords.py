#!/usr/bin/env python3
"""Makes the keyword table and the grammar's word classes from keywords.def.

usage: keywords.py table keywords.def grammar.y > keyword_table.inc
       keywords.py grammar keywords.def sections... > 05_keywords.y

The table is a hash table of indexes into the sorted words (FNV-1a, linear probing). A word whose token no grammar
section mentions gets token ID, so that adding a row for a word without a rule costs no parser states.
"""
import re
import sys


def rows(path):
    for line in open(path, encoding="ascii"):
        if line.strip() and not line.startswith("#"):
            yield line.split()


def used_tokens(paths):
    text = "".join(re.sub(r"//.*|/\*.*?\*/", "", open(p, encoding="utf-8").read(), flags=re.S if False else 0) for p in paths)
    return set(re.findall(r"\b[A-Z][A-Z0-9_]*\b", text))


def fnv(word):
    h = 2166136261
    for c in word.encode():
        h = (h ^ c) * 16777619 & 0xFFFFFFFF
    return h


def table(words, used):
    slots = [0] * 2048
    for i, (word, _, _, _) in enumerate(words):
        at = fnv(word) % len(slots)
        while slots[at]:
            at = (at + 1) % len(slots)
        slots[at] = i + 1
    print("static const Keyword keywords[] = {")
    for word, token, category, label in words:
        # Words that are no plain names always have a token: they must not be taken for an identifier.
        token = token if token in used or category != "UNRESERVED" else "ID"
        print(f'    {{"{word}", TK_{token}, KEYWORD_{category}, {"true" if label == "BARE" else "false"}}},')
    print("};\nstatic const uint16_t keyword_slots[%d] = {" % len(slots))
    for i in range(0, len(slots), 16):
        print("    " + ", ".join(map(str, slots[i:i + 16])) + ",")
    print("};")




def grammar(words, used):
    print("//////////////////////// Made by keywords.py: how words fall back to names ////////////////////////")
    print("%fallback ID", " ".join(t for _, t, c, _ in words if c == "UNRESERVED" and t in used and t != "ID"), ".")
    for name, categories in (("col_name_word", ["COL_NAME"]), ("type_func_word", ["TYPE_FUNC"]),
                             ("label_word", ["COL_NAME", "TYPE_FUNC", "RESERVED"])):
        for _, token, category, _ in words:
            if category in categories and token != "ID":
                print(f"{name}(A) ::= {token}(A).")
    for word, token, category, label in words:
        if category != "UNRESERVED" and label == "BARE" and token != "ID":
            print(f"bare_word(A) ::= {token}(A).")


def main():
    mode, definitions, sections = sys.argv[1], sys.argv[2], sys.argv[3:]
    words = list(rows(definitions))
    (table if mode == "table" else grammar)(words, used_tokens(sections))


main()
