# SPDX-License-Identifier: Apache-2.0
"""An invariant problem (SyGuS, track Inv, or Horn clauses in SMT-LIB) as scripts for other solvers."""
import re

WORD = re.compile(r'\|[^|]*\||"[^"]*"|[()]|[^\s()]+')


def parsed(text):
    """The expressions of a text: words, and lists of these."""
    open_lists = [[]]
    for word in WORD.findall(re.sub(r";[^\n]*", "", text)):
        if word == "(":
            open_lists.append([])
        elif word == ")":
            done = open_lists.pop()
            open_lists[-1].append(done)
        else:
            open_lists[-1].append(word)
    return open_lists[0]


def written(expression, more=None):
    """SMT-LIB has no number "-5", and its let names no sorts. `more`: further arguments of some functions."""
    if isinstance(expression, str):
        if re.fullmatch(r"-\d+", expression):
            return f"(- {expression[1:]})"
        return f"({expression} {more[expression]})" if more and expression in more else expression
    if not expression:
        return "()"
    head, rest = expression[0], expression[1:]
    if head == "let":
        bindings = " ".join(f"({binding[0]} {written(binding[-1], more)})" for binding in rest[0])
        return f"(let ({bindings}) {written(rest[1], more)})"
    words = [head if isinstance(head, str) else written(head, more)] + [written(part, more) for part in rest]
    if more and isinstance(head, str) and head in more:
        words.append(more[head])
    return f"({' '.join(words)})"


def uses(expression, names):
    if isinstance(expression, str):
        return expression in names
    return any(uses(part, names) for part in expression)


class Loop:
    """A problem of SyGuS: one invariant of a loop."""

    def __init__(self, text):
        commands = parsed(text)
        (_, self.name, variables), = (c for c in commands if c[0] == "synth-inv")
        (_, _, self.pre, self.trans, self.post), = (c for c in commands if c[0] == "inv-constraint")
        self.variables = [tuple(variable) for variable in variables]
        state = {name for name, _ in self.variables} | {f"{name}!" for name, _ in self.variables}
        self.inputs = [(c[1], c[2]) for c in commands if c[0] == "declare-var" and c[1] not in state]
        self.more = {}  # functions that use inputs get them as further arguments
        self.functions = "\n".join(self._function(*c[1:]) for c in commands if c[0] == "define-fun")

    def for_sygus(self):
        """The problem in version 2 of SyGuS, which has no inputs of a loop: with them, its three clauses."""
        parameters = written([list(variable) for variable in self.variables])
        lines = ["(set-logic LIA)", self.functions]
        if not self.inputs:
            return "\n".join([*lines, f"(synth-inv {self.name} {parameters})",
                              f"(inv-constraint {self.name} {self.pre} {self.trans} {self.post})", "(check-synth)"])
        variables = dict.fromkeys(variable for clause in self._clauses() for variable in clause[0])
        return "\n".join([*lines, f"(synth-fun {self.name} {parameters} Bool)",
                          *(f"(declare-var {name} {sort})" for name, sort in variables),
                          *(f"(constraint {clause})" for _, clause in self._clauses()), "(check-synth)"])

    def _function(self, name, parameters, sort, body):
        text = written(body, self.more)
        if uses(body, {name for name, _ in self.inputs} | set(self.more)):
            self.more[name] = " ".join(name for name, _ in self.inputs)
            parameters = parameters + [list(variable) for variable in self.inputs]
        return f"(define-fun {name} {written(parameters)} {sort} {text})"

    def _call(self, function, *words):
        return f"({' '.join([function, *words, *filter(None, [self.more.get(function)])])})"

    def _clauses(self):
        """The three conditions, each with the variables that it is about."""
        here, there = [name for name, _ in self.variables], [f"{name}!" for name, _ in self.variables]
        holds, still_holds = self._call(self.name, *here), self._call(self.name, *there)
        now = self.variables + self.inputs
        both = now + [(f"{name}!", sort) for name, sort in self.variables]
        return [(now, f"(=> {self._call(self.pre, *here)} {holds})"),
                (both, f"(=> (and {holds} {self._call(self.trans, *here, *there)}) {still_holds})"),
                (now, f"(=> (and {holds} (not {self._call(self.post, *here)})) false)")]

    def horn_clauses(self):
        """Satisfiable if there is an invariant (SMT-LIB, logic HORN)."""
        clauses = "\n".join(f"(assert (forall {written([list(v) for v in variables])} {clause}))"
                            for variables, clause in self._clauses())
        sorts = " ".join(sort for _, sort in self.variables)
        return f"(set-logic HORN)\n{self.functions}\n(declare-fun {self.name} ({sorts}) Bool)\n{clauses}\n(check-sat)\n"

    def refutations(self, definitions):
        """Scripts that are all unsatisfiable if the defined function is an invariant (SMT-LIB)."""
        for variables, clause in self._clauses():
            constants = "\n".join(f"(declare-const {name} {sort})" for name, sort in variables)
            yield f"(set-logic ALL)\n{self.functions}\n{definitions}\n{constants}\n(assert (not {clause}))\n(check-sat)\n"


class HornClauses:
    """A problem in Horn clauses, with any number of predicates."""

    def __init__(self, text):
        self.text = text
        self.commands = parsed(text)

    def horn_clauses(self):
        return self.text

    def refutations(self, definitions):
        functions = "\n".join(written(c) for c in self.commands if c[0].startswith("define-"))
        for clause in (c[1] for c in self.commands if c[0] == "assert"):
            yield f"(set-logic ALL)\n{functions}\n{definitions}\n(assert (not {written(clause)}))\n(check-sat)\n"


def problem_of(path):
    text = path.read_text(encoding="utf-8")
    return HornClauses(text) if path.suffix == ".smt2" else Loop(text)
