# SPDX-License-Identifier: Apache-2.0
"""Trains and applies a CRF on attributes as lists of str, in a process of its own; prints one JSON object.

python crf.py fovea|crfsuite TRAIN DEV LABELS   # the two tsv files, label last; the predicted labels go to LABELS
"""

import json
import resource
import sys
import time


def read(path):
    """Cells and labels of each sequence."""
    with open(path, encoding="utf-8") as file:
        blocks = [block.split("\n") for block in file.read().strip("\n").split("\n\n")]
    cells = [[line.split("\t") for line in block] for block in blocks]
    return [[row[:-1] for row in block] for block in cells], [[row[-1] for row in block] for block in cells]


def attributes(sequence):
    """The attributes of each item, as tutorials of sklearn-crfsuite make them."""
    words = [cells[0] for cells in sequence]
    items = []
    for i, word in enumerate(words):
        item = [
            "bias",
            "w=" + word,
            "lower=" + word.lower(),
            "suffix=" + word[-3:],
            "end=" + word[-2:],
            "prefix=" + word[:3],
            f"upper={word.isupper()}",
            f"title={word.istitle()}",
            "pos=" + sequence[i][1],
        ]
        item.append("previous=" + words[i - 1] if i else "BOS")
        item.append("next=" + words[i + 1] if i + 1 < len(words) else "EOS")
        items.append(item)
    return items


def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def by_fovea(X, y, dev, _):
    from fovea.tagging import CRF

    started = time.perf_counter()
    crf = CRF(l2=1.0, threads=2).fit(X, y)
    trained = time.perf_counter()
    labels = crf.set_params(threads=1).predict(dev)  # one thread, as the peer has
    return labels, trained - started, time.perf_counter() - trained


def by_crfsuite(X, y, dev, model):
    import pycrfsuite

    started = time.perf_counter()
    trainer = pycrfsuite.Trainer(verbose=False)
    for items, labels in zip(X, y):
        trainer.append(items, labels)
    trainer.set_params({"c1": 0, "c2": 1.0, "max_iterations": 1000})
    trainer.train(model)
    trained = time.perf_counter()
    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    return [tagger.tag(items) for items in dev], trained - started, time.perf_counter() - trained


def main(tool, train, dev, output):
    (X, y), (D, _) = read(train), read(dev)
    X, D = [attributes(s) for s in X], [attributes(s) for s in D]
    before = peak_mb()
    labels, fit_seconds, predict_seconds = {"fovea": by_fovea, "crfsuite": by_crfsuite}[tool](
        X, y, D, output + ".model"
    )
    with open(output, "w", encoding="utf-8") as file:
        file.write("".join("\n".join(sequence) + "\n\n" for sequence in labels))
    print(
        json.dumps(
            {
                "fit_seconds": fit_seconds,
                "items_per_second": sum(map(len, D)) / predict_seconds,
                "added_mb": peak_mb() - before,
                "peak_mb": peak_mb(),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
