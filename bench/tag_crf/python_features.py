# SPDX-License-Identifier: Apache-2.0
"""Makes the default template's features as a Python user of CRFsuite writes them. run.py checks that they equal
Fovea's."""
import itertools
import unicodedata


def _sign(character):
    if character.isupper():
        return "A"
    if character.isalpha():
        return "a"
    return "0" if unicodedata.category(character) == "Nd" and character.isascii() else character


def _shape(word):
    return "".join(sign for sign, _ in itertools.groupby(map(_sign, word)))


def _spelling(word):
    shape = _shape(word)
    features = ["Ulower=" + word.lower()]
    for n in range(1, min(4, len(word)) + 1):
        features += [f"Uprefix={word[:n]}", f"Usuffix={word[-n:]}"]
    features += ["Usignature=" + "".join(map(_sign, word)), "Ushape=" + shape,
                 "Uoutline=" + (shape.replace("a", "") if "A" in shape else shape)]
    if "0" in shape:
        features += ["Udigits=" + "".join("0" if _sign(c) == "0" else c for c in word), "Uhas-digit=y"]
    if shape.startswith("A"):
        features.append("Ucapitalized=y")
    if shape == "A":
        features.append("Uall-capitals=y")
    return features


def _at(cells, t):
    if t < 0:
        return f"_B{t:+}"
    return cells[t] if t < len(cells) else f"_B{t - len(cells) + 1:+}"


def _shape_at(words, t):
    return _shape(words[t]) if 0 <= t < len(words) else _at(words, t)


def item_features(columns, t):
    """The attributes of item t; columns[c][t] are its cells."""
    words = columns[0]
    features = [f"Uw{row:+}={_at(words, t + row)}" for row in range(-2, 3)]
    features += _spelling(words[t])
    features += [f"Ushape{row:+}={_shape_at(words, t + row)}" for row in (-1, 1)]
    for number, cells in enumerate(columns[1:], start=1):
        near = [_at(cells, t + row) for row in range(-2, 3)]
        features += [f"U{number}:{row:+}={near[row + 2]}" for row in range(-2, 3)]
        features += [f"U{number}:{row:+}:{row + 1:+}={near[row + 2]}/{near[row + 3]}" for row in range(-2, 2)]
    return features


def column_sequences(path):
    """Yields (items, labels) for each sentence of a file of columns, the label last."""
    with open(path, encoding="utf-8", newline="\n") as lines:
        for blank, block in itertools.groupby(lines, key=lambda line: line == "\n"):
            if blank:
                continue
            *columns, labels = zip(*(line.rstrip("\n").split("\t") for line in block))
            yield [item_features(columns, t) for t in range(len(labels))], labels
