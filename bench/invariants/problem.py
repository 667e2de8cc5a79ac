# SPDX-License-Identifier: Apache-2.0
"""An invariant problem (SyGuS, track Inv) as scripts for other solvers."""
import re

VARIABLE = re.compile(r"\(\s*([^\s()]+)\s+(Int|Bool)\s*\)")
INVARIANT = re.compile(r"\(synth-inv\s+(\S+)\s+\(((?:\s*\([^()]*\))*)\s*\)\s*\)")
CONSTRAINT = re.compile(r"\(inv-constraint\s+(\S+)\s+(\S+)\s+(\S+)\s+([^\s()]+)\s*\)")
FUNCTION = re.compile(r"^\s*\(define-fun.*?(?=^\s*\((?:define-fun|inv-constraint|check-synth|declare|synth)|\Z)",
                      re.DOTALL | re.MULTILINE)


class Problem:
    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"(?<=[\s(])-(\d+)", r"(- \1)", text)  # SMT-LIB has no number "-5"
        self.variables = VARIABLE.findall(INVARIANT.search(text).group(2))
        self.name, self.pre, self.trans, self.post = CONSTRAINT.search(text).groups()
        self.functions = "".join(FUNCTION.findall(text))

    def _parts(self):
        """Parameters, and calls of the invariant and the three conditions, before and after a step."""
        here = " ".join(name for name, _ in self.variables)
        there = " ".join(f"{name}!" for name, _ in self.variables)
        return {"parameters": " ".join(f"({name} {sort})" for name, sort in self.variables),
                "primed": " ".join(f"({name}! {sort})" for name, sort in self.variables),
                "sorts": " ".join(sort for _, sort in self.variables),
                "constants": "".join(f"(declare-const {name}{prime} {sort})\n"
                                     for prime in ("", "!") for name, sort in self.variables),
                "functions": self.functions, "name": self.name, "holds": f"({self.name} {here})",
                "still_holds": f"({self.name} {there})", "pre": f"({self.pre} {here})",
                "trans": f"({self.trans} {here} {there})", "post": f"({self.post} {here})"}

    def horn_clauses(self):
        """Satisfiable if there is an invariant (SMT-LIB, logic HORN)."""
        return """(set-logic HORN)
{functions}
(declare-fun {name} ({sorts}) Bool)
(assert (forall ({parameters}) (=> {pre} {holds})))
(assert (forall ({parameters} {primed}) (=> (and {holds} {trans}) {still_holds})))
(assert (forall ({parameters}) (=> (and {holds} (not {post})) false)))
(check-sat)
""".format(**self._parts())

    def refutation(self, definition):
        """Satisfiable if the defined function is not an invariant (SMT-LIB)."""
        return """(set-logic ALL)
{functions}
{definition}
{constants}(assert (or (and {pre} (not {holds})) (and {holds} {trans} (not {still_holds})) (and {holds} (not {post}))))
(check-sat)
""".format(definition=definition, **self._parts())
