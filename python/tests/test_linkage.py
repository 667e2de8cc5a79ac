# SPDX-License-Identifier: Apache-2.0
"""fovea.linkage on every kind of table, against itself and the shape of what it was given."""

import json
import pickle

import numpy as np
import pytest

import fovea
from fovea.linkage import Dedupe, Link

PEOPLE = [
    {"given": "Anna", "surname": "Meyer", "born": "1980-02-11", "city": "Bonn"},
    {"given": "Ana", "surname": "Meyer", "born": "1980-02-11", "city": "Bonn"},
    {"given": "Bernd", "surname": "Schulz", "born": "1975-07-30", "city": "Ulm"},
    {"given": "Bernt", "surname": "Schulz", "born": "1975-07-30", "city": "Ulm"},
    {"given": "Carla", "surname": "Vogel", "born": "1991-12-01", "city": "Kiel"},
    {"given": "Anna", "surname": "Meier", "born": "1980-02-11", "city": None},
    {"given": "Dora", "surname": "Vogel", "born": "1962-05-09", "city": "Kiel"},
]
COLUMNS = {name: [row[name] for row in PEOPLE] for name in PEOPLE[0]}
CLUSTERS = [0, 0, 1, 1, 2, 0, 3]
COMPARE = ["given:jaro_winkler", "surname:jaro_winkler", "born:date", "city"]
BLOCK = ["surname", "born"]


def dedupe(**params):
    return Dedupe(compare=COMPARE, block=BLOCK, **params)


def frames():
    yield "dicts", PEOPLE, lambda frame: [row["cluster"] for row in frame]
    yield "columns", COLUMNS, lambda frame: frame["cluster"]
    for name, make in (
        ("pandas", lambda m: m.DataFrame(COLUMNS)),
        ("polars", lambda m: m.DataFrame(COLUMNS)),
        ("pyarrow", lambda m: m.table(COLUMNS)),
    ):
        try:
            module = __import__(name)
        except ImportError:
            continue
        yield name, make(module), lambda frame: (
            frame["cluster"].to_pylist() if hasattr(frame["cluster"], "to_pylist") else list(frame["cluster"])
        )


@pytest.mark.parametrize(("frame", "clusters"), [f[1:] for f in frames()], ids=[f[0] for f in frames()])
def test_the_same_table_comes_back_with_its_clusters(frame, clusters):
    result = dedupe().fit_predict(frame)
    assert type(result) is type(frame) and clusters(result) == CLUSTERS


def test_other_columns_types_count_as_their_texts():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS)
    frame["born"] = pandas.to_datetime(frame["born"]).dt.date
    frame["number"] = [1.0, np.nan, 3, 4, 5, 6, 7]
    assert dedupe().fit(frame).labels_.tolist() == CLUSTERS


def test_a_model_serves_other_tables_and_other_processes(tmp_path):
    first = dedupe().fit(PEOPLE)
    again = pickle.loads(pickle.dumps(first))
    more = [{"given": "Karl", "surname": "Lang", "born": "1950-01-01", "city": "Jena"}, *PEOPLE[:2]]
    assert [row["cluster"] for row in again.predict(more)] == [0, 1, 1]
    assert again.labels_.tolist() == CLUSTERS  # a prediction changes nothing
    first.save(tmp_path / "people.er")
    loaded = Dedupe.from_model(tmp_path / "people.er")
    assert [row["cluster"] for row in loaded.predict(PEOPLE)] == CLUSTERS
    assert json.loads(first.model)["comparisons"]


def test_pairs_say_how_sure_they_are():
    found = dedupe(keep_pairs=True).fit(PEOPLE)
    pairs = found.pairs()
    probability = {(a, b): p for a, b, p in zip(pairs["first"], pairs["second"], pairs["probability"])}
    assert probability[0, 1] > 0.5 and all(0 <= p <= 1 for p in probability.values())
    doubt = np.abs(pairs["probability"] - 0.5)
    assert (np.diff(doubt) >= 0).all()
    with pytest.raises(fovea.UsageError, match="keep_pairs=True"):
        dedupe().fit(PEOPLE).pairs()


def test_known_clusters_score_the_result():
    gold = [{**row, "who": f"p{c}"} for row, c in zip(PEOPLE, CLUSTERS)]
    report = dedupe(gold="who").fit(gold).report_
    assert report["clusters"] == 4 and "metrics" in report


def test_links_name_the_rows_of_both_tables():
    model = dedupe().fit(PEOPLE)
    link = Link()
    link.model_ = model.model
    links = link.predict(PEOPLE, [PEOPLE[3], PEOPLE[0]])
    rows = set(zip(links["first"].tolist(), links["second"].tolist()))
    assert {(0, 1), (3, 0)} <= rows and all((b == 0) == (a in (2, 3)) for a, b in rows)


def test_answers_repeat_at_any_number_of_threads():
    rng = np.random.default_rng(0)
    rows = [dict(PEOPLE[i], city=f"c{rng.integers(3)}") for i in rng.integers(len(PEOPLE), size=300)]
    one = dedupe(threads=1, random_state=5).fit(rows).labels_
    two = dedupe(threads=2, random_state=5).fit(rows).labels_
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Dedupe().fit(PEOPLE), "compare"),
        (lambda: Dedupe(compare="nme", block="born").fit(PEOPLE), "no column is called 'nme'"),
        (lambda: Dedupe(compare="given:magic", block="born").fit(PEOPLE), "magic"),
        (lambda: dedupe(threshold=2).fit(PEOPLE), "threshold"),
        (lambda: dedupe(max_block=1).fit(PEOPLE), "argument max_block=1"),
        (lambda: dedupe(preset="magic").fit(PEOPLE), "one of authors"),
        (lambda: dedupe(id="surname").fit(PEOPLE), "Meyer"),
        (lambda: dedupe().fit([]), "without records"),
        (lambda: dedupe().fit(3), "needs a data frame"),
        (lambda: dedupe().fit({"a": [1], "b": [1, 2]}), "columns have"),
        (lambda: dedupe().predict(PEOPLE), "not fitted"),
        (lambda: dedupe().fit(PEOPLE, time_limit="1ms/item"), "/item"),
        (lambda: dedupe().set_params(colour=1), "no parameter 'colour'"),
    ],
)
def test_bad_arguments_are_named(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_scikit_learn_clones_it():
    base = pytest.importorskip("sklearn.base")
    copy = base.clone(dedupe(threshold=0.7))
    assert copy.get_params() == dedupe(threshold=0.7).get_params()
