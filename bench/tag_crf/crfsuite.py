# SPDX-License-Identifier: Apache-2.0
"""Tags with CRFsuite. Input is a file of attributes (made beforehand), or, with --extract, columns from which Python
makes the attributes. Writes the predicted labels, one a line with a blank line after each sentence; prints one JSON
object with the seconds of each phase."""
import argparse
import json
import pathlib
import sys
import time

import pycrfsuite

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness.attributes import sequences  # noqa: E402
from tag_crf.python_features import column_sequences  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--extract", action="store_true", help="input is columns")
    options = parser.parse_args()

    started = time.monotonic()
    tagger = pycrfsuite.Tagger()
    tagger.open(options.model)
    opened = time.monotonic()
    source = column_sequences(options.input) if options.extract else sequences(options.input)
    # In CRFsuite's own memory layout, so that tagging below is C++ alone.
    prepared = [pycrfsuite.ItemSequence(items) for items, _ in source]
    read = time.monotonic()
    predictions = []
    for items in prepared:
        tagger.set(items)
        predictions.append(tagger.tag())
    tagged = time.monotonic()
    with open(options.output, "w", encoding="utf-8") as output:
        for labels in predictions:
            output.write("\n".join(labels) + "\n\n")
    print(json.dumps({"open_seconds": opened - started, "read_seconds": read - opened, "tag_seconds": tagged - read,
                      "tokens": sum(map(len, predictions))}))


if __name__ == "__main__":
    main()
