# SPDX-License-Identifier: Apache-2.0
"""CRFsuite's attribute format: `label<TAB>name[:value]...` lines, a blank line after each sequence."""
import re


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CELL = re.compile(r"((?:[^\\:]|\\.)*)(?::(.*))?", re.DOTALL)


def _cell(text):
    """`name` or `name:value`, with \\: and \\\\ escaped, as a (name, value) pair; without a value, None."""
    if "\\" not in text and ":" not in text:
        return text, None
    name, value = _CELL.fullmatch(text).groups()
    return _ESCAPED.sub(r"\1", name), None if value is None else float(value)


def parse_item(cells):
    """The attributes of one item, in the cheapest form that python-crfsuite takes."""
    pairs = [_cell(cell) for cell in cells]
    if all(value is None for _, value in pairs):
        return [name for name, _ in pairs]
    return {name: 1.0 if value is None else value for name, value in pairs}


def sequences(path):
    """Yields (items, labels) for each sequence of the file."""
    items, labels = [], []
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line:
                label, *cells = line.split("\t")
                labels.append(label)
                items.append(parse_item(cells))
            elif labels:
                yield items, labels
                items, labels = [], []
    if labels:
        yield items, labels
