# SPDX-License-Identifier: Apache-2.0
"""Inductive invariants for problems of the SyGuS competition's track Inv (2018), 30 s each, two threads, five seeds.

Fovea runs its search with Z3's Spacer in a second thread, and once more without. Its peers are the programs z3 (Spacer,
by constrained Horn clauses) and cvc5 (its SyGuS solver), which take no seed. Tools take turns, problem by problem.
Those of one thread, all but the first, run two at a time on two cores; a peer that reached the limit once is not asked
again. A problem is solved by an invariant, or by a proof that none exists. Every invariant of Fovea's is given to z3
and cvc5 again, as text with the problem's own definitions.

`python -m invariants.run --quick` gives 5 s and one seed, prints and writes nothing.
"""
import collections
import concurrent.futures
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from harness import data, fovea, measure, task
from harness.results import Report
from invariants.problem import Loop, problem_of

SEEDS, SECONDS = 5, 30
QUICK_SEEDS, QUICK_SECONDS = 1, 5
SLACK = 5  # seconds after which a process that should have ended is killed
COMMAND = "bench/run.sh invariants"
OURS, SEARCH, SPACER, CVC5 = "Fovea", "Fovea, --no-spacer", "Z3 Spacer", "cvc5"
PEERS = (SPACER, CVC5)

Answer = collections.namedtuple("Answer", "verdict found_by seconds", defaults=(None, None, None))


def timed(command, seconds, text=None):
    """Standard output and wall clock of the process."""
    started = time.monotonic()
    try:
        done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True, check=False,
                              timeout=seconds + SLACK)
        return done.stdout, time.monotonic() - started
    except subprocess.TimeoutExpired:
        return "", time.monotonic() - started


def checked(problem, definitions):
    """Refuses predicates that do not satisfy the clauses. A solver that gives up has not refused."""
    for solver in (["cvc5", "--lang=smt2"], ["z3", "-in"]):
        for script in problem.refutations(definitions):
            output, _ = timed(solver, SECONDS, script)
            if output.strip() not in ("unsat", "unknown", ""):
                raise measure.Failed(f"{' '.join(solver)} does not agree: {output}\n{definitions}")


def by_fovea(path, seed, seconds, *words):
    output, taken = timed(fovea.command("synth", "inv", path, "--json", "--seed", seed, "--time-limit", f"{seconds}s",
                                        *words), seconds)
    if not output:
        return Answer("refused", None, taken)
    report = json.loads(output.splitlines()[0])
    if "error" in report:
        return Answer("refused", None, taken)
    if report["outcome"] == "proved":
        checked(problem_of(path), report["definition"])
    return Answer(report["outcome"], report["found_by"], taken)


def by_spacer(path, seconds):
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as script:
        script.write(problem_of(path).horn_clauses())
        script.flush()
        output, taken = timed(["z3", f"-T:{seconds}", script.name], seconds)
    return Answer({"sat": "proved", "unsat": "infeasible"}.get(output.strip(), "unknown"), "spacer", taken)


def by_cvc5(path, seconds):
    problem = problem_of(path)
    if not isinstance(problem, Loop):
        return Answer("unknown", "cvc5", 0)  # it has no solver for Horn clauses
    with tempfile.NamedTemporaryFile("w", suffix=".sl") as script:
        script.write(problem.for_sygus())
        script.flush()
        output, taken = timed(["cvc5", "--lang=sygus2", f"--tlimit={1000 * seconds}", script.name], seconds)
    verdict = "proved" if "(define-fun" in output else "infeasible" if output.strip() == "infeasible" else "unknown"
    return Answer(verdict, "cvc5", taken)


def ask(paths, seeds, seconds, search_seeds=None):
    """answers[tool][path], one answer for each round; fewer for the search without Spacer, if search_seeds says so.
    Tools of one thread run two at a time."""
    answers = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for path in paths:
            print(f"  {path.stem}", file=sys.stderr, flush=True)
            answers[OURS][path] = [by_fovea(path, seed, seconds) for seed in range(1, seeds + 1)]
            search = [pool.submit(by_fovea, path, seed, seconds, "--no-spacer")
                      for seed in range(1, (search_seeds or seeds) + 1)]
            peers = {tool: pool.submit(rounds_of, asked, path, seeds, seconds)
                     for tool, asked in ((SPACER, by_spacer), (CVC5, by_cvc5))}
            answers[SEARCH][path] = [answer.result() for answer in search]
            for tool, rounds in peers.items():
                answers[tool][path] = rounds.result()
    return answers


def rounds_of(asked, path, seeds, seconds):
    """One answer for each round. A tool that has reached the limit once is not asked again."""
    answers = [asked(path, seconds)]
    while len(answers) < seeds:
        answers.append(asked(path, seconds) if is_solved(answers[0]) else answers[0])
    return answers


def is_solved(answer):
    return answer.verdict in ("proved", "infeasible")


def solved(answers, tool, number):
    return {path for path, rounds in answers[tool].items() if is_solved(rounds[number])}


def refuse_disagreement(answers):
    for path in answers[OURS]:
        verdicts = {answer.verdict for rounds in answers.values() for answer in rounds[path] if is_solved(answer)}
        if len(verdicts) > 1:
            raise measure.Failed(f"{path.stem}: solved as {verdicts}")


def add_counts(report, answers, table):
    for tool, rounds in answers.items():
        counts = [len(solved(answers, tool, number)) for number in range(min(map(len, rounds.values())))]
        first = [answers[0] for answers in rounds.values()]
        times = [statistics.median(answer.seconds for answer in of_path) for of_path in rounds.values()
                 if all(map(is_solved, of_path))]
        report.add(table=table, row={
            "tool": tool, "solved, by seed": " ".join(map(str, counts)),
            "proved": sum(answer.verdict == "proved" for answer in first),
            "infeasible": sum(answer.verdict == "infeasible" for answer in first),
            "of these by Spacer": sum(is_solved(answer) and answer.found_by == "spacer" for answer in first),
            "median ms of those solved": round(1e3 * statistics.median(times)) if times else "",
            "slowest, s": round(max(times), 1) if times else ""})


def add_bars(report, answers, seeds):
    peers = set.union(*(solved(answers, tool, 0) for tool in PEERS))
    ours = [solved(answers, OURS, number) for number in range(seeds)]
    search = [len(solved(answers, SEARCH, number)) for number in range(seeds)]
    cvc5 = len(solved(answers, CVC5, 0))
    neither = [len(found - peers) for found in ours]
    counts = [len(found) for found in ours]
    for name, differences, note in (
            ("both", [count - len(peers) for count in counts], f"{counts} against {len(peers)}"),
            ("neither", neither, ""),
            ("search", [count - cvc5 for count in search], f"{search} against {cvc5}")):
        summary = measure.summary(differences)
        report.bar(f"invariants/{name}", summary["median"], COMMAND, note=note, spread=summary)
    report.add(text="Solved by Fovea in some round and by neither peer: " +
               ", ".join(sorted(path.stem for path in set.union(*ours) - peers)) + ". By a peer and not by Fovea: " +
               (", ".join(sorted(path.stem for path in peers - set.union(*ours))) or "none") + ".")


def need_peers():
    for peer in ("z3", "cvc5"):
        if not shutil.which(peer):
            raise data.Missing(f"the program {peer} is not there; Debian has it")


def main():
    is_quick = task.wants_quick_run("Measure how many invariants are found.")
    seeds, seconds = (QUICK_SEEDS, QUICK_SECONDS) if is_quick else (SEEDS, SECONDS)
    paths = sorted((data.directory() / "invariants" / "sygus").glob("*.sl"))
    if not paths:
        raise data.Missing("the invariant problems are not there; set FOVEA_DATA")
    need_peers()
    report = Report("invariants")
    report.add(text=__doc__.split("\n\n`python")[0])
    answers = ask(paths, seeds, seconds)
    refuse_disagreement(answers)
    add_counts(report, answers, f"Problems solved in {seconds} s, of {len(paths)}")
    add_bars(report, answers, seeds)
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
