#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what people read is plain English.

Looks at README.md, CHANGELOG.md, CONTRIBUTING.md, docs/ (except generated pages), and the comments and string literals
of src/fovea. Reports turns of phrase that read like a translation, comments of declarations that begin with a question
word instead of a sentence, help texts without a capital or a full stop, and messages of the library that spell an
option as a flag, which is the command line's business. Exits with 1 if it finds any.

    tools/check_prose.py [ROOT]
"""
import pathlib
import re
import sys

PHRASES = [
    (r"(?<!there )\b(is|are|was|were) (no|none)\b(?! (longer|\w+er|more|less|worse|other|such)\b)",
     "write 'is not', 'has no' or 'there is no'"),
    (r"\bin the mean\b", "write 'on average'"),
    (r"\bbut for\b", "write 'except'"),
    (r"(?<!side )\bbeside\b", "write 'next to' or 'besides'"),
    (r"\bso many\b(?! (that|as))|\bso much\b(?! (that|as))", "write 'that many' or 'the number'"),
    (r"\b(told|tells|tell) of\b", "write 'reported'"),
    (r"\bdear(er|est)?\b", "write 'expensive'"),
    (r"\bsurely\b", "write 'certainly' or 'is guaranteed to'"),
    (r"\b(that|what)\b[^.,;:]{0,30}\bsays? of\b", "name what it predicts"),
    (r"\bthe (less|more) often\b", "write 'less often' or 'more often'"),
    (r"\bbelongs? into\b", "write 'belongs in'"),
    (r"\bfor nothing\b", "write 'free' or 'in vain'"),
    (r"\b(is|are) tried to be\b", "use an active verb"),
    (r"\brestarted no more\b|\bis not any more\b", "write 'no longer'"),
]
QUESTION = re.compile(r"(What|Of|How|Where|Whether|Which)\b(?! it is not\b)")
FLAG = re.compile(r"(?<![\w'`-])--[a-z][a-z0-9-]+")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
TEXTS = r'((?:"(?:[^"\\\n]|\\.)*"\s*)+)'
# An OptionInfo spelled out, or one of the functions of base/options.h and of Binder: after numbers, if any, or the
# variable comes the name, then the description.
DESCRIPTIONS = [
    re.compile(r"OptionInfo\{[^{}]*?\.description\s*=\s*" + TEXTS, re.S),
    re.compile(r'\b(?:option|number_in|number_from|(?:input|output)_file|(?:optional_)?input)\((?:[^()"]*,)?'
               r'\s*"[^"]*",\s*' + TEXTS, re.S),
]
GENERATED = ("docs/reference/", "docs/man/")  # of help texts, which are checked in src


def phrase_faults(text):
    """Yields the phrases of PHRASES in `text`, each with what to write instead."""
    for pattern, remedy in PHRASES:
        for match in re.finditer(pattern, text, re.I):
            yield match.group(0), remedy


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def check_document(text):
    """Yields faults of a Markdown text: (line, what, remedy). Blocks and spans of code are not prose."""
    kept = re.sub(r"```.*?```|`[^`\n]*`", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)
    for number, line in enumerate(kept.split("\n"), 1):
        for what, remedy in phrase_faults(line):
            yield number, what, remedy


def comment_blocks(text):
    """Yields runs of comment lines: (first line, text, whether it is a declaration's)."""
    block, first, is_doc = [], 0, False
    for number, line in enumerate(text.split("\n") + [""], 1):
        stripped = line.strip()
        if stripped.startswith("//"):
            if not block:
                first, is_doc = number, stripped.startswith("///") and not stripped.startswith("///<")
            block.append(stripped.lstrip("/").lstrip("<").strip())
        elif block:
            yield first, " ".join(block), is_doc
            block = []
        if not stripped.startswith("//"):
            trailing = re.search(r"\s//+<?\s*(.*)$", re.sub(LITERAL, '""', line))
            if trailing:
                yield number, trailing.group(1), False


def check_source(text, is_door, is_test):
    """Yields faults of a C++ text. `is_door`: the text may spell flags. Tests may quote anything."""
    if is_test:
        return
    for number, comment, is_doc in comment_blocks(text):
        for what, remedy in phrase_faults(comment):
            yield number, what, remedy
        if is_doc and QUESTION.match(comment):
            yield number, comment[:40], "begin with a noun or a verb"
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip().startswith("//") or line.startswith("#include"):
            continue
        for literal in LITERAL.findall(line):
            for what, remedy in phrase_faults(literal):
                yield number, what, remedy
            if not is_door and " " in literal:
                prose = re.sub(r"'[^']*'|`[^`]*`", "", literal)
                for flag in FLAG.findall(prose):
                    yield number, flag, "write option 'name', which the door spells"
    for match in (match for pattern in DESCRIPTIONS for match in pattern.finditer(text)):
        help_text = "".join(LITERAL.findall(match.group(1)))
        if not re.match(r"[A-Z0-9'-]", help_text):
            yield line_of(text, match.start()), help_text[:40], "begin help with a capital"
        if not help_text.rstrip().endswith("."):
            yield line_of(text, match.start()), help_text[-40:], "end help with a full stop"


def faults_of(root):
    documents = [root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    documents += sorted((root / "docs").rglob("*.md"))
    for path in documents:
        name = path.relative_to(root).as_posix()
        if path.exists() and not name.startswith(GENERATED):
            for fault in check_document(path.read_text(encoding="utf-8")):
                yield name, *fault
    for path in sorted((root / "src" / "fovea").rglob("*")):
        if path.suffix in (".h", ".cc"):
            name = path.relative_to(root).as_posix()
            is_test = path.stem.endswith(("_test", "_bench"))
            for fault in check_source(path.read_text(encoding="utf-8"), "/cli/" in name, is_test):
                yield name, *fault


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent)
    count = 0
    for name, line, what, remedy in faults_of(root):
        print(f"{name}:{line}: '{what}': {remedy}")
        count += 1
    print(f"prose: {count} faults" if count else "prose: no fault")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
