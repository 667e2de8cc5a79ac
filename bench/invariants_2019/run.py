# SPDX-License-Identifier: Apache-2.0
"""Invariants of programs as engineers have them: 10 s each, two threads, five seeds; the search
without Spacer once.

Three sets: of halves of the Lustre and the C programs (code2inv) of the SyGuS competition's track Inv of 2019 every third
problem, by name, so that a run takes less than an hour; and a small set of Horn clauses with one to five predicates.
The peers, the programs z3 (Spacer, by constrained Horn clauses) and cvc5 (its SyGuS solver; it has none for Horn
clauses), take no seed. Both get the problem's own words: inputs, which the files declare as variables, become further
arguments of functions, and "-5" becomes (- 5). Tools take turns, problem by problem; those of one thread, all but the
first, run two at a time on two cores. Every answer of Fovea's is given to z3 and cvc5 again, as text with the problem's
own definitions. A file is refused if it is of another logic.

The clauses and congruences that Fovea proposes were devised with the problems of 2018 and with the Horn clauses in
view. Those two sets therefore do not test them. The sets of 2019 do.

`python -m invariants_2019.run --quick` takes every twelfth problem, 5 s and one seed, prints and writes nothing.
"""
import lzma
import pathlib
import tarfile
import tempfile

from harness import data, measure, task
from harness.results import Report
from invariants import run as one_set

SEEDS, SECONDS, SOON = 5, 10, 5
EVERY = 3  # of the competition's problems
COMMAND = "bench/run.sh invariants_2019"
SETS = {"Lustre": "sygus2019_lustre.tar.xz", "C programs": "sygus2019_xc.tar.xz",
        "Horn clauses": "chc_extra_small_lia.tar.xz"}


def problems(name, folder):
    """The set's files, unpacked into a folder."""
    path = data.directory() / "invariants" / SETS[name]
    if not path.exists():
        raise data.Missing(f"{path.name} is not there; set FOVEA_DATA")
    with lzma.open(path) as packed, tarfile.open(fileobj=packed) as archive:
        archive.extractall(folder, filter="data")
    return sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix in (".sl", ".smt2"))


def solved_soon(rounds, number):
    return {path for path, answers in rounds.items()
            if one_set.is_solved(answers[number]) and answers[number].seconds <= SOON}


def add_bars(report, name, answers, seeds):
    key = name.split()[0].lower()
    peers = set.union(*(one_set.solved(answers, tool, 0) for tool in one_set.PEERS))
    ours = [one_set.solved(answers, one_set.OURS, number) for number in range(seeds)]
    more = measure.summary([len(found) - len(peers) for found in ours])
    report.bar(f"invariants_2019/{key}", more["median"], COMMAND, spread=more,
               note=f"{[len(found) for found in ours]} against {len(peers)}")
    spacer = solved_soon(answers[one_set.SPACER], 0)
    missed = [spacer - solved_soon(answers[one_set.OURS], number) for number in range(seeds)]
    behind = measure.summary([len(paths) for paths in missed])
    report.bar(f"invariants_2019/{key}-spacer", behind["max"], COMMAND, spread=behind)
    refused = [path.stem for path, rounds in answers[one_set.OURS].items() if rounds[0].verdict == "refused"]
    never = set(answers[one_set.OURS]) - set.union(*ours)
    report.add(text=f"{name}: refused by Fovea: {', '.join(refused) or 'none'}. Not solved by Fovea in any round: "
                    f"{', '.join(sorted(path.stem for path in never)) or 'none'}; by a peer among these: "
                    f"{', '.join(sorted(path.stem for path in never & peers)) or 'none'}. Solved by Spacer alone within "
                    f"{SOON} s and not by Fovea, in some round: "
                    f"{', '.join(sorted(path.stem for path in set.union(*missed))) or 'none'}.")


def main():
    is_quick = task.wants_quick_run("Measure how many invariants of engineers' programs are found.")
    seeds, seconds = (1, SOON) if is_quick else (SEEDS, SECONDS)
    one_set.need_peers()
    report = Report("invariants_2019")
    report.add(text=__doc__.split("\n\n`python")[0])
    for name in SETS:
        with tempfile.TemporaryDirectory() as folder:
            every = 12 if is_quick else 1 if name.startswith("Horn") else EVERY
            paths = problems(name, folder)[::every]
            answers = one_set.ask(paths, seeds, seconds, search_seeds=1)
            one_set.refuse_disagreement(answers)
            one_set.add_counts(report, answers, f"{name}: solved in {seconds} s, of {len(paths)}")
            add_bars(report, name, answers, seeds)
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
