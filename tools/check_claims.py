#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that README.md claims nothing that no result shows.

Every number of its first list and of its section "How fast, how good" must stand in docs/benchmarks.md or on a page of
docs/benchmarks, rounded as the README rounds it. Those pages are made from bench/results (tools/make_benchmarks_md.py).
Numbers in names (CoNLL-2003) do not count. The check cannot see whether the result is of the same thing: readers must.
Prints what is missing.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTION = "## How fast, how good"
NUMBER = re.compile(r"(?<![\w.-])(\d[\d,]*\.?\d*|\.\d+)")


def numbers_of(text):
    """The numbers of a text as they are written, with digits, commas between thousands and a point."""
    return [number.rstrip(".,") for number in NUMBER.findall(text)]


def value_of(number):
    return float(number.replace(",", ""))


def decimals_of(number):
    return len(number.partition(".")[2])


def is_shown(number, results):
    """Whether some result rounds to the number as it is written."""
    value, half = value_of(number), .5 * 10.0**-decimals_of(number) * (1 + 1e-9)
    return any(abs(result - value) <= half for result in results)


def section_of(readme):
    """The text that makes claims, without links, pictures and code, whose numbers are not claims."""
    start = readme.index(SECTION)
    end = readme.find("\n## ", start + 1)
    first_list = re.search(r"^- .*?(?=^```|^## )", readme[:start], re.S | re.M)
    text = (first_list.group(0) if first_list else "") + readme[start:end if end > 0 else len(readme)]
    return re.sub(r"`[^`]*`|\([^)]*\.(?:md|svg|png)\)", "", text)


def missing_claims(readme, benchmarks):
    results = sorted({value_of(number) for number in numbers_of(benchmarks)})
    return [number for number in numbers_of(section_of(readme)) if not is_shown(number, results)]


def main():
    pages = [ROOT / "docs/benchmarks.md", *(ROOT / "docs/benchmarks").glob("*.md")]
    benchmarks = "\n".join(page.read_text() for page in pages)
    missing = missing_claims((ROOT / "README.md").read_text(), benchmarks)
    for number in missing:
        print(f"README.md: {SECTION[3:]}: {number} stands in no result of docs/benchmarks")
    if not missing:
        print("claims: every number of the README stands in a result")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
