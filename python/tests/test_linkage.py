# SPDX-License-Identifier: Apache-2.0
"""fovea.linkage on every kind of table, against itself and the shape of what it was given."""

import json
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
from flat_memory import growth

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
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*too few to learn from"),
    pytest.mark.filterwarnings("ignore:stopped with 1 of 1 groups"),
]
COLUMNS = {name: [row[name] for row in PEOPLE] for name in PEOPLE[0]}
CLUSTERS = [0, 0, 1, 1, 2, 0, 3]
COMPARE = ["given:jaro_winkler", "surname:jaro_winkler", "born:date", "city"]
BLOCK = ["surname", "born"]


LISTS = {"compare": COMPARE, "block": BLOCK}


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
        yield (
            name,
            make(module),
            lambda frame: (
                frame["cluster"].to_pylist() if hasattr(frame["cluster"], "to_pylist") else list(frame["cluster"])
            ),
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
        (lambda: Dedupe().fit({"a": [1, 1, 1]}), "argument compare"),
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


def people(number=300, seed=0):
    """Made-up people, each listed once or twice, the second time with an error."""
    rng = np.random.default_rng(seed)
    rows = []
    for who in range(number):
        word = lambda k: "".join(rng.choice(list("bdfgklmnprst")) + rng.choice(list("aeiou")) for _ in range(k))
        row = {
            "given": word(2),
            "surname": word(4),
            "born": f"{rng.integers(1940, 2000)}-01-{rng.integers(1, 28):02}",
            "city": f"town {rng.integers(9)}",
            "who": f"p{who}",
        }
        rows.append(row)
        if rng.random() < 0.5:
            rows.append({**row, "city": "moved", "given": row["given"][:-1] + "x"})
    rng.shuffle(rows)
    return [{"id": f"r{i}", **row} for i, row in enumerate(rows)]


def who(rows):
    return [row["who"] for row in rows]


def test_pairs_and_links_name_ids():
    rows = people()
    found = dedupe(id="id", keep_pairs=True).fit(rows)
    pairs = found.pairs()
    assert pairs.columns == ["first", "second", "first_id", "second_id", "score", "probability"]
    assert pairs["first_id"].tolist() == [f"r{i}" for i in pairs["first"]]
    assert found.clusters_.columns == ["id", "cluster"] and found.clusters_["id"].tolist() == [r["id"] for r in rows]
    other = [{**row, "key": f"s{i}"} for i, row in enumerate(rows[:50])]
    links = Link(compare=COMPARE, block=BLOCK, id="id", second_id="key").fit_predict(rows, other)
    assert links["second_id"].tolist() == [f"s{i}" for i in links["second"]]
    assert links.columns == pairs.columns
    assert {(i, i) for i in range(50)} <= set(zip(links["first"], links["second"]))


def test_confidence_comes_with_samples():
    found = dedupe(samples=20, id="id").fit(people(60))
    assert found.clusters_.columns == ["id", "cluster", "confidence"]
    np.testing.assert_array_equal(found.clusters_["confidence"], found.confidence_)


def test_explanations_add_up():
    rows = people()
    found = dedupe(id="id", keep_pairs=True).fit(rows)
    pairs = found.pairs()
    for first, second, score, probability in zip(
        *(pairs[c].tolist()[:20] for c in ("first_id", "second_id", "score", "probability"))
    ):
        why = found.explain(first, second)
        terms = why.terms
        assert why.prior + (terms["weight"] + terms["adjustment"]).sum() == pytest.approx(why.score, abs=1e-9)
        assert why.score == pytest.approx(score, rel=1e-5) and why.probability == pytest.approx(probability, abs=1e-5)
        assert terms["comparison"].tolist()[0] == "given:jaro_winkler"
        assert terms["first"].tolist()[1] == next(row["surname"] for row in rows if row["id"] == first)
    assert "probability" in str(why) and first in why._repr_html_() and "Explanation" in repr(why)


def test_explanations_need_the_records():
    rows = people(50)
    found = dedupe().fit(rows)
    copy = pickle.loads(pickle.dumps(found))
    with pytest.raises(fovea.UsageError, match="Give them as arguments"):
        copy.explain(0, 1)
    assert copy.explain(0, 1, rows).score == found.explain(0, 1).score
    assert copy.explain(1, 0, rows[:2]).probability <= 1  # other records do not count
    link = Link(compare=COMPARE, block=BLOCK).fit(rows, rows[::-1])
    assert link.explain(0, len(rows) - 1).score == link.explain(0, 0, rows, rows).score
    assert link.pairs() is link.links_


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda d: d.explain(0, 99), "argument second=99: needs a row from 0 to 6"),
        (lambda d: d.explain(-1, 0), "argument first=-1"),
        (lambda d: d.explain("0", 1), "records go by ids where id= names"),
        (lambda d: d.set_params(id="given").explain("Carla", "Zoe"), "X, row 6: the id 'Anna' is also that of"),
        (lambda d: d.set_params(id="n").explain(3, "Zoe", [{**PEOPLE[0], "n": 3}]), "argument second='Zoe': no record"),
        (lambda d: d.explain(0, 1, [{"given": "a"}, {"given": "b"}]), "no column is called 'surname'"),
        (lambda d: Dedupe().explain(0, 1), "not fitted"),
    ],
)
def test_what_cannot_be_explained_is_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call(dedupe().fit(PEOPLE))


def test_new_records_join_old_clusters():
    rows = people(400)
    old, new = rows[::2], rows[1::2]
    found = dedupe().fit(rows)
    clusters = found.fit_predict(old)
    result = found.update(new, clusters)
    assert [{k: v for k, v in row.items() if k != "cluster"} for row in result] == new
    together = {}
    for row in clusters + result:
        together.setdefault(row["cluster"], set()).add(row["who"])
    assert max(row["cluster"] for row in result) > max(row["cluster"] for row in clusters)  # new ones follow
    of_old = {row["who"]: row["cluster"] for row in clusters}
    joined = [row["cluster"] == of_old[row["who"]] for row in result if row["who"] in of_old]
    assert len(joined) > 50 and np.mean(joined) > 0.9
    assert np.mean([len(whole) == 1 for whole in together.values()]) > 0.9
    again = found.update(new[:10], clusters)
    is_old = [[row["cluster"] in of_old.values() for row in some] for some in (again, result[:10])]
    assert is_old[0] == is_old[1]


def test_new_clusters_are_named_like_old_ones():
    old = [{"id": f"r{i}", **row, "cluster": f"c{c}"} for i, (row, c) in enumerate(zip(PEOPLE, CLUSTERS))]
    otto = {"given": "Otto", "surname": "Lang", "born": "1950-01-01", "city": "Jena"}
    new = [{"id": "n1", **PEOPLE[0]}, {"id": "n2", **otto}, {"id": "n3", **otto}]
    model = dedupe(id="id").fit([{"id": f"r{i}", **row} for i, row in enumerate(PEOPLE)])
    assert [row["cluster"] for row in model.update(new, old)] == ["c0", "n2", "n2"]
    numbered = [{**row, "cluster": c} for row, c in zip(old, CLUSTERS)]
    assert [row["cluster"] for row in model.update(new, numbered)] == [0, 4, 4]
    assert model.update(new[:0] or {"id": [], "given": [], "surname": [], "born": [], "city": []}, old)["cluster"] == []
    model.set_params(id=None)
    with pytest.raises(fovea.UsageError, match="have names, so new ones are named after the ids of records: give id="):
        model.update(new, old)
    with pytest.raises(fovea.InputError, match="clusters, row 2: a record without a cluster"):
        model.update(new, [{**row, "cluster": None if row["id"] == "r1" else 1} for row in old])
    with pytest.raises(ValueError, match="'cluster'"):
        model.update(old, old)
    with pytest.raises(ValueError, match="not fitted"):
        dedupe().update(new, old)


def test_records_between_two_clusters_are_told():
    rows = people(300)
    model = dedupe().fit(rows)
    old = [{**row, "cluster": i} for i, row in enumerate(rows)]  # duplicates are kept apart
    with pytest.warns(UserWarning, match=r"match more than one existing cluster, the first X, row \d+"):
        model.update([{**row, "id": f"n{row['id']}"} for row in rows], old)


def test_labelled_pairs_correct_what_is_learned(tmp_path):
    rows = people(200)
    names = who(rows)
    rng = np.random.default_rng(1)
    pairs = [(i, j, names[i] == names[j]) for i, j in rng.integers(len(rows), size=(300, 2)).tolist() if i != j]
    pairs += [(i, names.index(name), True) for i, name in enumerate(names) if names.index(name) < i]
    assert dedupe(labelled_pairs=pairs).fit(rows).model == dedupe().fit(rows).model  # nothing to correct
    wrong = {"prior": 1e-8}  # by far too few: hardly a pair is a match until labels say so
    by_row = dedupe(labelled_pairs=pairs, **wrong).fit(rows)
    assert by_row.model != dedupe(**wrong).fit(rows).model
    by_id = [(f"r{i}", f"r{j}", match) for i, j, match in pairs]
    heads = ("first_id", "second_id", "match")
    table = {head: [pair[k] for pair in by_id] for k, head in enumerate(heads)}
    (tmp_path / "pairs.csv").write_text("\n".join([",".join(heads), *(",".join(map(str, pair)) for pair in by_id)]))
    for form in (by_id, table, [dict(zip(heads, pair)) for pair in by_id], tmp_path / "pairs.csv"):
        assert dedupe(labelled_pairs=form, id="id", **wrong).fit(rows).model == by_row.model


def test_questions_leave_out_what_says_the_same_again():
    rows = people(200)
    model = dedupe(keep_pairs=True, id="id", threshold=0.01).fit(rows)
    pairs, questions = model.pairs(), model.questions(20)
    assert questions.columns == pairs.columns
    assert 0 < len(questions) <= 20
    assert questions["first"][0] == pairs["first"][0]
    asked = [*questions["first"], *questions["second"]]
    assert max(asked.count(row) for row in asked) <= 2
    with pytest.raises(ValueError, match="count=0"):
        model.questions(0)
    with pytest.raises(ValueError, match="keep_pairs"):
        dedupe().fit(rows).questions()


def test_a_function_scores_pairs():
    rows = people(200)
    names = who(rows)
    asked = []

    def score(first, second):
        asked.append((first, second))
        return 8 if names[first] == names[second] else -8

    model = dedupe(score=score, threshold=0.05).fit(rows)
    assert len(asked) == len(set(asked)) == model.report_["asked"] > 50
    labels = model.labels_.tolist()
    assert all(names[i] == names[j] for i, j in asked if labels[i] == labels[j])
    assert len(set(labels)) < len(rows)
    with pytest.raises(ZeroDivisionError):
        dedupe(score=lambda first, second: 1 / 0).fit(rows)
    with pytest.raises(ValueError, match="returned 'likely' for rows"):
        dedupe(score=lambda first, second: "likely").fit(rows)
    with pytest.raises(ValueError, match="needs a finite number"):
        dedupe(score=lambda first, second: float("nan")).fit(rows)
    with pytest.raises(ValueError, match="score=3"):
        dedupe(score=3).fit(rows)


def test_golden_records_take_the_best_of_each_cluster():
    rows = [
        {"given": "Anna", "surname": "Meyer", "born": "1980-02-11", "city": None, "seen": "2020-01-05"},
        {"given": "Ana", "surname": "Meyer", "born": "1980-02-11", "city": "Bonn", "seen": "2021-03-01"},
        {"given": "Bernd", "surname": "Schulz", "born": "1975-07-30", "city": None, "seen": "2020-01-01"},
    ]
    model = Dedupe(compare="given:jaro_winkler, surname:jaro_winkler, born:date", block="born")
    with pytest.warns(UserWarning, match="too few"):
        clustered = model.fit_predict(rows)
    golden = model.golden("given:latest(seen), seen:max")
    assert golden.columns == ["given", "surname", "born", "city", "seen", "cluster_size", "cluster"]
    assert golden["given"].tolist() == ["Ana", "Bernd"]
    assert golden["city"].tolist() == ["Bonn", None]
    assert golden["seen"].tolist() == ["2021-03-01", "2020-01-01"]
    assert golden["cluster_size"].tolist() == [2, 1]
    again = model.golden("given:latest(seen), seen:max", clustered)
    assert again["given"].tolist() == ["Ana", "Bernd"]
    assert again["cluster"].tolist() == ["0", "1"]
    for rules, text in (("given:best", "no rule 'best'"), ("name:first", "no column"), (3, "rules=3: needs a str")):
        with pytest.raises(ValueError, match=text):
            model.golden(rules)
    with pytest.raises(ValueError, match="no column 'cluster' of clusters"):
        model.golden("", rows)


def thirds(rows):
    """Three tables, of which the last calls the surname otherwise."""
    parts = [rows[t::3] for t in range(3)]
    parts[2] = [{("family name" if key == "surname" else key): cell for key, cell in row.items()} for row in parts[2]]
    return parts


def test_several_tables_are_linked_whose_columns_have_other_names():
    rows = people(300)
    for row, name in zip(rows, who(rows)):
        row["person"] = str(name)
    tables = thirds(rows)
    model = Link(**LISTS, map='"family name"=surname', gold="person")
    links = model.fit(*tables).links_
    heads = ["first_table", "first", "second_table", "second", "score", "probability"]
    assert links.columns == heads
    right = sum(
        tables[a][i]["person"] == tables[b][j]["person"]
        for a, i, b, j in zip(*(links[head].tolist() for head in heads[:4]))
    )
    assert model.report_["metrics"]["correct"] == right > 20
    assert {*zip(links["first_table"].tolist(), links["second_table"].tolist())} == {(0, 1), (0, 2), (1, 2)}
    with_ids = Link(**{**model.get_params(), "id": "id"}).fit(*tables).links_
    assert with_ids.columns == ["first_table", "first", "first_id", "second_table", "second", "second_id", *heads[4:]]
    assert with_ids["first_id"][0] == tables[with_ids["first_table"][0]][with_ids["first"][0]]["id"]
    with pytest.raises(ValueError, match="'surname'"):
        Link(**LISTS).fit(*tables)
    with pytest.raises(ValueError, match="argument map: no table has a column 'dob'"):
        Link(map="dob=born", **LISTS).fit(*tables[:2])


def test_what_is_known_of_pairs_counts_for_links():
    rows = people(300)
    first, second, _ = thirds(rows)
    linked = Link(**LISTS).fit(first, second).links_
    a, b = int(linked["first"][0]), int(linked["second"][0])
    known = Link(**LISTS, cannot_link=[(a, b)], must_link=[(0, len(second) - 1)]).fit(first, second).links_
    pairs = {*zip(known["first"].tolist(), known["second"].tolist())}
    assert (a, b) not in pairs
    assert (0, len(second) - 1) in pairs
    answers = [(i, j, False) for i, j in zip(linked["first"].tolist()[:5], linked["second"].tolist())]
    assert Link(**LISTS, labelled_pairs=answers).fit(first, second).links_ is not None


def test_models_adapt_to_larger_tables():
    model = dedupe(statistics="table", random_state=1).fit(people(60, seed=1))
    large = people(2000, seed=2)
    names, plain, adapted = who(large), model.predict(large), model.predict(large, adapt=True)

    def wrong(rows):
        first = {}
        for row, name in zip(rows, names):
            first.setdefault(row["cluster"], name)
        return sum(first[row["cluster"]] != name for row, name in zip(rows, names))

    assert wrong(adapted) < wrong(plain)
    links = Link(**LISTS).fit(*thirds(people(300))[:2])
    assert len(links.predict(*thirds(people(300))[:2], adapt=True)) > 0


def test_lists_are_proposed():
    rows = people(300)
    found = Dedupe(id="id").fit(rows)
    proposed = found.report_["proposed"]
    assert "id" not in [part.split(":")[0] for part in proposed["compare"].split(", ")]
    again = Dedupe(id="id", compare=proposed["compare"], block=proposed["block"]).fit(rows)
    assert "proposed" not in again.report_
    np.testing.assert_array_equal(again.labels_, found.labels_)


def test_pairs_that_must_or_cannot_be_linked():
    rows = people(60)
    labels = dedupe().fit(rows).labels_
    together = next((i, j) for i in range(len(labels)) for j in range(i) if labels[i] == labels[j])
    apart = (0, next(i for i in range(len(labels)) if labels[i] != labels[0] and i not in together))
    found = dedupe(must_link=[apart], cannot_link=[together]).fit(rows).labels_
    assert found[apart[0]] == found[apart[1]] and found[together[0]] != found[together[1]]
    table = {"first_id": ["r0"], "second_id": [f"r{apart[1]}"]}
    found = dedupe(must_link=table, id="id").fit(rows).labels_
    assert found[apart[0]] == found[apart[1]]
    with pytest.raises(fovea.UsageError, match=r"must_link, row 1: needs \(id, id\)"):
        dedupe(must_link=[3]).fit(rows)
    with pytest.raises(fovea.InputError, match="said not to be of one entity"):
        dedupe(must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)]).fit(rows)


def test_labels_are_learned_from():
    rows = [{**row, "who": row["who"] if i % 2 else None} for i, row in enumerate(people(300))]
    found = dedupe(labels="who", gold="who", training_pairs=1000).fit(rows)
    assert found.report_["metrics"]["pairs"]["f1"] > 0.9
    assert found.predict(rows)[0]["cluster"] == 0  # predictions do not look at labels


def test_texts_count_as_missing():
    rows = [{**row, "city": row["city"] or "n/a"} for row in PEOPLE]
    assert dedupe(missing="n/a").fit(rows).model == dedupe().fit(PEOPLE).model
    assert (
        dedupe(missing=["-", "n/a"]).fit(COLUMNS | {"city": [c or "-" for c in COLUMNS["city"]]}).model
        == dedupe().fit(PEOPLE).model
    )


def test_statistics_of_parts_add_up(tmp_path):
    rows = people(200)
    whole = dedupe().fit(rows)
    files = [tmp_path / name for name in ("all", "even", "odd")]
    for file, part in zip(files, (rows, rows[::2], rows[1::2])):
        dedupe().save_statistics(file, part)
    assert dedupe(statistics=files[0]).fit(rows).model == whole.model
    assert dedupe(statistics=[str(file) for file in files[1:]]).fit(rows).model == whole.model
    assert dedupe(statistics=files[1]).fit(rows).model != whole.model
    fitted = Dedupe()
    fitted.model_ = whole.model
    fitted.save_statistics(tmp_path / "again", rows)
    assert (tmp_path / "again").read_bytes() == files[0].read_bytes()
    with pytest.raises(fovea.UsageError, match="needs compare="):
        Dedupe().save_statistics(tmp_path / "none", rows)


def test_fitted_estimators_are_pickled_with_their_tables():
    found = dedupe(keep_pairs=True, id="id").fit(people(50))
    copy = pickle.loads(pickle.dumps(found))
    for name in found.pairs_:
        np.testing.assert_array_equal(copy.pairs_[name], found.pairs_[name])
    assert copy.labels_.tolist() == found.labels_.tolist() and copy.get_params() == found.get_params()
    assert copy.clusters_["id"].tolist() == found.clusters_["id"].tolist()


def test_two_threads_at_once():
    rows = people(300)
    expected = dedupe().fit(rows).labels_
    results = []
    threads = [threading.Thread(target=lambda: results.append(dedupe(threads=1).fit(rows).labels_)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    for labels in results:
        np.testing.assert_array_equal(labels, expected)


def test_two_hundred_fits_leave_no_memory():
    program = """
from test_linkage import dedupe, people
rows = people(100)
def step(i):
    found = dedupe(keep_pairs=True, id="id").fit(rows)
    if i % 10 == 0: found.explain("r0", "r1")
"""
    assert growth(program, times=220, warm_up=20) < 4e6


@pytest.mark.parametrize("delay", [0, 4], ids=["comparing", "clustering"])
def test_ctrl_c_returns_the_best_so_far_or_raises(delay):
    rng = np.random.default_rng(0)
    rows = {c: ["".join(rng.choice(list("abcd"), 6)) for _ in range(2000)] for c in ("name", "street")}
    rows["block"] = ["same"] * 2000
    model = Dedupe(compare="name:edits, street:edits", block="block", sweeps=10**6, start="singletons")
    sent, timers = [], []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def send(record):
        if record["done"] == 0 and not timers:
            timers.append(threading.Timer(delay, interrupt))
            timers[0].start()

    try:
        model.fit(rows, progress=send)  # compares for a second, and clusters for a minute
        assert delay > 0 and model.interrupted_ and len(model.labels_) == 2000
    except KeyboardInterrupt:
        assert not hasattr(model, "labels_")
    assert time.monotonic() - sent[0] < 10


def test_ctrl_c_ends_predictions_without_an_answer(monkeypatch):
    model, link = dedupe().fit(PEOPLE), Link(compare=COMPARE, block=BLOCK).fit(PEOPLE, PEOPLE)
    for name in ("dedupe", "link"):
        whole = getattr(fovea._core, name)
        monkeypatch.setattr(fovea._core, name, lambda *a, whole=whole, **b: {**whole(*a, **b), "interrupted": True})
    for call in (lambda: model.predict(PEOPLE), lambda: link.predict(PEOPLE, PEOPLE)):
        with pytest.raises(KeyboardInterrupt):
            call()
    assert model.fit(PEOPLE).interrupted_


def test_time_limits_hold():
    rng = np.random.default_rng(0)
    rows = {c: ["".join(rng.choice(list("abcd"), 6)) for _ in range(2000)] for c in ("name", "street")}
    rows["block"] = ["same"] * 2000
    options = {"compare": "name:edits, street:edits", "block": "block"}
    for call in (
        lambda: Dedupe(**options).fit(rows, time_limit=0.01),
        lambda: Link(**options).fit(rows, rows, time_limit=0.01),
    ):
        started = time.monotonic()
        try:  # what was compared by then is a result
            call()
        except fovea.LimitError as error:
            assert "the time limit was over" in str(error)
        assert time.monotonic() - started < 1.5
    started = time.monotonic()
    model = Dedupe(**options, sweeps=10**6, start="singletons").fit(rows, time_limit=4)
    assert len(model.labels_) == 2000 and not model.interrupted_ and time.monotonic() - started < 12


def test_grids_of_parameters_are_searched():
    base = pytest.importorskip("sklearn.base")
    rows = people(150)
    scores = {}
    for threshold in (0.2, 0.5, 0.999999):
        model = base.clone(dedupe(gold="who", labelled_pairs=None)).set_params(threshold=threshold).fit(rows)
        scores[threshold] = model.report_["metrics"]["pairs"]["f1"]
    assert max(scores, key=scores.get) != 0.999999
    assert not hasattr(base.clone(model), "model_")
