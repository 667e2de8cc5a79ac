# SPDX-License-Identifier: Apache-2.0
"""Runs toulbar2 with variable neighbourhood search: toulbar2.py MODEL EVIDENCE|- SECONDS. Prints {"log10_score": ...}.

The model is written again with the evidence as hard unary factors, because the binding has no evidence files. The
caller's tool computes the score from the assignment, so that rounding inside the solver does not matter.
"""
import json
import os
import sys
import tempfile


def observations(words):
    """Pairs (variable, value) of the first sample of an evidence file: their number and they, after the number of samples
    in files of several."""
    numbers = [int(word) for word in words]
    if not numbers or len(numbers) == 1 + 2 * numbers[0]:
        sample = numbers
    else:
        sample = numbers[1:]
    count = sample[0] if sample else 0
    return list(zip(sample[1:1 + 2 * count:2], sample[2:2 + 2 * count:2]))


def with_evidence(model, evidence):
    """UAI text with one more unary factor per observation."""
    words = open(model, encoding="ascii").read().split()
    count = int(words[1])
    cards = [int(word) for word in words[2:2 + count]]
    pairs = observations(open(evidence, encoding="ascii").read().split()) if evidence != "-" else []
    factors = int(words[2 + count])
    at = 3 + count
    for _ in range(factors):
        at += 1 + int(words[at])
    scopes = [f"1 {v}" for v, _ in pairs]
    tables = [f"{cards[v]} " + " ".join("1" if k == value else "0" for k in range(cards[v])) for v, value in pairs]
    return "\n".join(["MARKOV", *words[1:2], " ".join(words[2:2 + count]), str(factors + len(pairs)),
                      " ".join(words[3 + count:at]), *scopes, " ".join(words[at:]), *tables]) + "\n"


def main(model, evidence, seconds):
    import pytoulbar2

    with tempfile.NamedTemporaryFile("w", suffix=".uai", encoding="ascii") as file:
        file.write(with_evidence(model, evidence))
        file.flush()
        problem = pytoulbar2.CFN(vns=-4, verbose=-1)
        problem.Read(file.name)
        answer = problem.Solve(showSolutions=0, timeLimit=int(seconds))
    if answer is None:
        solution = problem.GetSolution()
    else:
        solution = answer[0]
    print(json.dumps({"values": [int(value) for value in solution]}), flush=True)
    os._exit(0)  # leaves the solver's memory to the system


if __name__ == "__main__":
    main(*sys.argv[1:3], float(sys.argv[3]))
