# SPDX-License-Identifier: Apache-2.0
"""fovea.synthesis: invariants that enumeration confirms, runs that break a loop, and rules for made-up formulas."""

import itertools
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import numpy as np
import pandas
import pytest
from flat_memory import growth

import fovea
from fovea.synthesis import Rule, RuleClassifier, find_invariant

LOOP = """
(set-logic LIA)
(synth-inv Inv ((x Int) (n Int)))
(define-fun start ((x Int) (n Int)) Bool (and (= x {first}) (>= n 0)))
(define-fun step ((x Int) (n Int) (x! Int) (n! Int)) Bool (and (< x n) (= x! (+ x 1)) (= n! n)))
(define-fun end ((x Int) (n Int)) Bool (=> (>= x n) (= x n)))
(inv-constraint Inv start step end)
(check-synth)
"""
# Whether 3 x may be 1 + 7 y when k is 77 is hard to see.
HARD = """
(set-logic LIA)
(synth-inv Inv ((x Int) (y Int) (k Int)))
(define-fun start ((x Int) (y Int) (k Int)) Bool (and (= x 1) (= y 0) (> k 0)))
(define-fun step ((x Int) (y Int) (k Int) (x! Int) (y! Int) (k! Int)) Bool
  (or (and (= x! (+ x y)) (= y! (+ y k)) (= k! k)) (and (= x! (* 2 x)) (= y! (+ x y)) (= k! (+ k 1)))))
(define-fun end ((x Int) (y Int) (k Int)) Bool (not (and (= (* 3 x) (+ 1 (* 7 y))) (> x 100000) (= k 77))))
(inv-constraint Inv start step end)
(check-synth)
"""


def python_of(formula):
    """A function of x and n, from a formula of SMT-LIB."""
    tokens = iter(formula.replace("(", " ( ").replace(")", " ) ").split())

    def read(token):
        if token != "(":
            return token if token not in ("true", "false") else token.capitalize()
        parts = []
        for inner in tokens:
            if inner == ")":
                break
            parts.append(read(inner))
        head, rest = parts[0], parts[1:]
        if head == "not":
            return f"(not {rest[0]})"
        if head == "-" and len(rest) == 1:
            return f"(-{rest[0]})"
        if head == "=>":
            return f"((not {rest[0]}) or {rest[1]})"
        operators = {"and": " and ", "or": " or ", "=": " == ", "distinct": " != "}
        return "(" + operators.get(head, f" {head} ").join(rest) + ")"

    return eval(f"lambda x, n: {read(next(tokens))}")


@pytest.mark.parametrize("options", [{}, {"no_spacer": True}])
def test_an_invariant_is_inductive_where_it_can_be_tried(options):
    answer = find_invariant(LOOP.format(first=0), **options)
    assert answer.proved and answer.status == "proved" and not answer.interrupted
    assert answer.definition.startswith("(define-fun Inv ((x Int) (n Int)) Bool")
    holds = python_of(answer.formula)
    for x, n in itertools.product(range(-6, 7), repeat=2):
        if x == 0 and n >= 0:
            assert holds(x, n)
        if holds(x, n):
            assert x < n or x == n
            if x < n:
                assert holds(x + 1, n)
    assert "proved" in repr(answer) and "formula" in answer._repr_html_()


def test_a_file_says_the_same(tmp_path):
    path = tmp_path / "loop.sl"
    path.write_text(LOOP.format(first=0))
    for where in (path, str(path)):
        assert find_invariant(where, no_spacer=True).proved
    path.write_text("(set-logic LIA)\n(synth-inv")
    with pytest.raises(fovea.InputError, match=r"loop.sl:2"):
        find_invariant(path)
    with pytest.raises(FileNotFoundError):
        find_invariant(tmp_path / "none.sl")


CLAUSES = """(set-logic HORN)
(declare-fun first (Int Int) Bool)
(declare-fun second (Int Int Int) Bool)
(assert (forall ((x Int) (n Int)) (=> (and (= x 0) (> n 0)) (first x n))))
(assert (forall ((x Int) (n Int)) (=> (and (first x n) (< x n)) (first (+ x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (and (first x n) (>= x n)) (second x n 0))))
(assert (forall ((x Int) (n Int) (y Int)) (=> (and (second x n y) (< y n)) (second x n (+ y 1)))))
(assert (forall ((x Int) (n Int) (y Int)) (=> (and (second x n y) (>= y n) (distinct (+ x y) {end})) false)))
"""


def test_horn_clauses_have_a_formula_for_each_predicate():
    answer = find_invariant(CLAUSES.format(end="(* 2 n)"), no_spacer=True)
    assert answer.proved and set(answer.formulas) == {"first", "second"} and answer.formula is None
    assert answer.definition.count("(define-fun ") == 2
    wrong = find_invariant(CLAUSES.format(end="7"), no_spacer=True)
    assert wrong.status == "infeasible" and wrong.formulas == {}
    assert wrong.unsafe_run[0]["location"] == "first" and wrong.unsafe_run[-1]["location"] == "second"
    assert set(wrong.unsafe_run[0]) == {"x", "n", "location"}


def test_a_loop_that_breaks_has_a_run_that_shows_it():
    answer = find_invariant(LOOP.format(first=3))
    assert answer.status == "infeasible" and not answer.proved and answer.formula is None
    last = answer.unsafe_run[-1]
    assert answer.unsafe_run[0]["x"] == 3 and last["x"] >= last["n"] and last["x"] != last["n"]


def test_the_same_seed_gives_the_same_search():
    answers = [find_invariant(LOOP.format(first=0), random_state=5, no_spacer=True) for _ in range(2)]
    assert answers[0].formula == answers[1].formula
    assert answers[0].work["candidates"] == answers[1].work["candidates"]


def test_limits_end_a_search_without_an_answer():
    started = time.monotonic()
    answer = find_invariant(HARD, time_limit=0.5)
    assert answer.status == "unknown" and answer.formula is None and not answer.interrupted
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("options", [{}, {"no_spacer": True}])
def test_ctrl_c_arrives_while_z3_works(options):
    """Z3 would take the signal for itself."""
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.7, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    started = time.monotonic()
    answer = find_invariant(HARD, time_limit=30, **options)
    assert time.monotonic() - started < 10
    assert answer.interrupted and answer.status == "unknown"
    assert signal.getsignal(signal.SIGINT) is before


def test_the_progress_function_may_end_it():
    class Enough(Exception):
        pass

    def stop(record):
        raise Enough

    with pytest.raises(Enough):
        find_invariant(HARD, time_limit=30, progress=stop)
    with pytest.raises(Enough):
        Rule(terms=1, atoms=1).fit(*contrary(), progress=stop)


def test_two_threads_search_at_once():
    answers = []
    threads = [
        threading.Thread(target=lambda i=i: answers.append(find_invariant(LOOP.format(first=0), random_state=i)))
        for i in range(2)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(a.proved for a in answers) and len(answers) == 2


# ---- Rules


def labelled(rows=300, seed=1):
    X = np.random.default_rng(seed).integers(-5, 6, size=(rows, 3))
    return X, (X[:, 0] <= X[:, 1]) & (X[:, 2] >= 1) | (X[:, 0] + X[:, 1] == 2)


def contrary():
    """Labels that no small formula has."""
    X = np.array(list(itertools.product(range(8), repeat=3)))
    return X, X.sum(axis=1) % 2 == 0


def test_a_rule_is_right_on_every_row_and_beyond():
    X, y = labelled()
    rule = Rule(terms=3, atoms=3, random_state=1).fit(X, y, time_limit=30)
    assert rule.complete_ and rule.score(X, y) == 1 and len(rule.wrong_rows_) == 0
    other, truth = labelled(1000, seed=2)
    assert rule.score(other, truth) > 0.9
    assert "x1" in rule.formula_ and rule.report_["complete"]
    copied = pickle.loads(pickle.dumps(rule))
    assert (copied.predict(other) == rule.predict(other)).all()


def test_a_rule_reads_lists_frames_and_all_integers():
    X, y = labelled(80)
    rule = Rule(random_state=1).fit(X, y)
    for same in (X.tolist(), X.astype(np.int8), X.astype(float), X.astype(object)):
        assert Rule(random_state=1).fit(same, y.astype(int).tolist()).formula_ == rule.formula_
    import pandas

    frame = pandas.DataFrame(X, columns=["age", "height", "weight"])
    named = Rule(random_state=1).fit(frame, y)
    assert "age" in named.formula_ and (named.predict(frame) == rule.predict(X)).all()


def test_scikit_learn_takes_it_for_a_classifier():
    from sklearn.model_selection import cross_val_score

    X, y = labelled(150)
    assert cross_val_score(Rule(terms=2, atoms=2, random_state=0), X, X[:, 0] <= X[:, 1], cv=3).mean() > 0.9


def test_a_budget_repeats_and_a_rule_that_errs_says_so():
    X, y = contrary()
    with pytest.warns(UserWarning, match="wrong on"):
        first = Rule(terms=1, atoms=1).fit(X, y, budget="2e4 transitions")
    with pytest.warns(UserWarning):
        again = Rule(terms=1, atoms=1).fit(X, y, budget="2e4 transitions")
    assert not first.complete_ and first.formula_ == again.formula_
    assert (first.predict(X) != y).sum() == len(first.wrong_rows_)
    assert set(np.flatnonzero(first.predict(X) != y)) == set(first.wrong_rows_.tolist())


def test_ctrl_c_keeps_the_nearest_rule():
    timer = threading.Timer(0.4, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    started = time.monotonic()
    rule = Rule(terms=1, atoms=1).fit(*contrary())
    assert rule.interrupted_ and not rule.complete_ and time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Rule().fit([[1.5]], [1]), r"X\[0\]\[0\] is 1.5|X\[0\]\[0\] is np.float64\(1.5\)"),
        (lambda: Rule().fit([[1], [2**70]], [1, 0]), r"X\[1\]\[0\]"),
        (lambda: Rule().fit([[1], [float("nan")]], [1, 0]), r"X\[1\]\[0\]"),
        (lambda: Rule().fit([["1"]], [1]), r"X\[0\]\[0\]"),
        (lambda: Rule().fit([[1], [2, 3]], [1, 0]), "rows of one length"),
        (lambda: Rule().fit([1, 2], [1, 0]), "row"),
        (lambda: Rule().fit(np.zeros((0, 2), int), []), "not empty"),
        (lambda: Rule().fit([[1], [2]], [1]), r"needs \(2,\)"),
        (lambda: Rule().fit([[1], [2]], [1, 2]), r"y\[1\] is"),
        (lambda: Rule(terms=0).fit([[1], [2]], [1, 0]), "terms=0"),
        (lambda: Rule(constants="x").fit([[1], [2]], [1, 0]), "constants=x"),
        (lambda: Rule().fit([[1], [2]], [1, 0], budget="3 sweeps"), "counted in transitions"),
        (lambda: Rule().fit([[1], [2]], [1, 0]).predict([[1, 2]]), "2 features"),
        (lambda: Rule().predict([[1]]), "not fitted"),
        (lambda: find_invariant(3), "loop=3"),
        (lambda: find_invariant("(set-logic QF_BV)"), "loop:1"),
        (lambda: find_invariant(LOOP.format(first=0), terms=99), "terms=99"),
        (lambda: find_invariant(LOOP.format(first=0), term=1), "no argument 'term'"),
        (lambda: find_invariant(LOOP.format(first=0), time_limit="1s/item"), "one item"),
    ],
)
def test_bad_arguments_are_named(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_rows_that_contradict_each_other_are_named():
    with pytest.raises(fovea.InfeasibleError, match=r"X\[0\] and X\[2\]|X\[2\] and X\[0\]"):
        Rule().fit([[1, 2], [3, 4], [1, 2]], [1, 1, 0])


def test_z3_is_loaded_on_use_alone():
    program = """
import fovea, fovea.graph, fovea.ep
maps = lambda: "libz3" in open("/proc/self/maps").read()
before = maps()
fovea.synthesis
print(before, maps())
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert answer.split() == ["False", "True"]


def test_memory_stays_flat():
    program = f"""
from fovea.synthesis import Rule, find_invariant
LOOP = '''{LOOP.format(first=0)}'''
def step(i):
    Rule(terms=1, atoms=1).fit([[0, 1], [1, 0], [2, 2]], [1, 0, 1])
    if i % 4 == 0: find_invariant(LOOP, no_spacer=True)
"""
    assert growth(program, times=260, warm_up=20) < 4e6


def people(count, seed=1):
    """Numbers with gaps, categories, and whether age > 40 and colour is red, or age > 70; a tenth turned round."""
    random = np.random.default_rng(seed)
    age, colour = random.integers(18, 80, count).astype(float), random.choice(["red", "green", "blue"], count)
    sure = ((age > 40) & (colour == "red")) | (age > 70)
    age[random.random(count) < .05] = np.nan
    return pandas.DataFrame({"age": age, "colour": colour}), np.where(sure != (random.random(count) < .1), "yes", "no")


def test_rules_are_learned_from_a_frame():
    X, y = people(400)
    rules = RuleClassifier(only="yes").fit(X, y)
    assert rules.score(*people(400, 2)) > .84 and list(rules.classes_) == ["no", "yes"]
    assert set(rules.rules_) == {"yes"} and "colour is red" in rules.rules_["yes"]
    assert rules.text_.startswith("class is yes if\n") and rules.sql_.startswith("-- class is yes\nWHERE ")
    assert .05 < rules.error_ < .2 and any(length["chosen"] for length in rules.curve_)
    again = pickle.loads(pickle.dumps(rules))
    assert (again.predict(X) == rules.predict(X)).all()
    shuffled = X[["colour", "age"]]
    assert (rules.predict(shuffled) == rules.predict(X)).all()


def test_rules_in_python_and_sql_say_what_predict_says():
    X, y = people(300)
    rules = RuleClassifier(random_state=3).fit(X, y)
    predict = {}
    exec(rules.python_, predict)
    rows = X.astype(object).where(X.notna(), None).to_dict("records")
    assert [predict["predict"](row) for row in rows] == rules.predict(X).tolist()
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (i INTEGER, age REAL, colour TEXT)")
    base.executemany("INSERT INTO t VALUES (?, ?, ?)", [(i, row["age"], row["colour"]) for i, row in enumerate(rows)])
    found = [i for (i,) in base.execute(f"SELECT i FROM t {rules.sql_}")]
    named = next(iter(rules.rules_))
    assert found == np.flatnonzero(rules.predict(X) == named).tolist()


def test_rules_take_arrays_weights_and_several_classes():
    X = np.random.default_rng(0).uniform(0, 9, (300, 2))
    y = np.digitize(X[:, 0], [3, 6])
    rules = RuleClassifier().fit(X, y)
    assert rules.score(X, y) > .97 and set(rules.rules_) == {0, 1, 2} and rules.predict(X).dtype == y.dtype
    weighted = RuleClassifier(variables=1).fit(X, X[:, 0] > np.where(X[:, 1] > 4, 3, 6), sample_weight=(X[:, 1] > 4) * 1.0)
    assert (weighted.predict(X) == (X[:, 0] > 3)).mean() > .95
    cut = RuleClassifier().fit(X, y, time_limit=1e-9)
    assert cut.error_ is None and len(cut.predict(X)) == 300


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RuleClassifier().fit([[1.0], [2.0]], [0, 0]), "1 classes"),
        (lambda: RuleClassifier().fit([[1.0], [2.0]], [0]), "shape"),
        (lambda: RuleClassifier().fit([[np.inf], [2.0]], [0, 1]), "infinite"),
        (lambda: RuleClassifier().fit([[1.0], [2.0]], [0, 1], sample_weight=[-1, 1]), "sample_weight"),
        (lambda: RuleClassifier(only=7).fit([[1.0], [2.0]], [0, 1]), "only=7"),
        (lambda: RuleClassifier(terms=99).fit([[1.0], [2.0]], [0, 1]), "terms=99"),
        (lambda: RuleClassifier().fit([[1.0], [2.0]], [0, 1]).predict([[1.0, 2.0]]), "2 features"),
    ],
)
def test_rules_refuse_what_is_wrong(call, message):
    with pytest.raises(fovea.UsageError, match=message):
        call()
