# SPDX-License-Identifier: Apache-2.0
"""The stages of linkage on parts of a table, without any engine, against Dedupe on the whole table."""

import pickle

import numpy as np
import pytest

from fovea import InputError, UsageError, stages
from fovea.linkage import Dedupe

pa = pytest.importorskip("pyarrow")

RULES = "surname+born, city"
COMPARE = "given:jaro_winkler, surname:jaro_winkler, born:date, city"


def people(count, seed=1):
    """Records of people, of whom every third has two, one of them misspelt."""
    random = np.random.default_rng(seed)
    rows = []
    while len(rows) < count:
        given = "".join(random.choice(list("abcdefg"), 5))
        person = {
            "id": "",
            "given": given,
            "surname": f"{random.choice(['Meyer', 'Kunz', 'Vogel', 'Sachs', 'Ernst'])}{random.integers(40)}",
            "born": f"{random.integers(1950, 1990)}-{random.integers(1, 13):02}-{random.integers(1, 29):02}",
            "city": f"City {random.integers(30)}",
        }
        rows.append(person)
        if random.random() < 0.5:
            rows.append({**person, "given": given[:-1] + "x", "city": person["city"] if random.random() < 0.8 else None})
    rows = [rows[i] for i in random.permutation(len(rows))][:count]
    return pa.Table.from_pylist([{**row, "id": f"p{i}"} for i, row in enumerate(rows)])


@pytest.fixture(scope="module")
def table():
    return people(3000)


@pytest.fixture(scope="module")
def learned(table):
    return Dedupe(compare=COMPARE, block=RULES, id="id").fit(table)


def numbered(table, parts):
    """Parts of the table, each as batches with numbers."""
    whole = table.append_column(stages.ROW, pa.array(range(table.num_rows), pa.int64()))
    rows = -(-table.num_rows // parts)
    return [whole.slice(begin, rows).to_batches(max_chunksize=100) for begin in range(0, table.num_rows, rows)]


def brought_together(batches, columns, same, parts):
    """Sorts rows by columns; those that agree in the first `same` of them are in one of the parts that are returned."""
    whole = pa.Table.from_batches(batches).sort_by([(name, "ascending") for name in columns])
    groups = [hash(key) % parts for key in zip(*(whole[name].to_pylist() for name in columns[:same]))]
    return [whole.filter(pa.array([group == part for group in groups])).to_batches(97) for part in range(parts)]


def run_all(plan, table, parts):
    """[row] the first row of its cluster, by all stages."""
    records = numbered(table, parts)
    if plan.has_contexts:
        plan.use_contexts(stages.merge_contexts([plan.count_contexts(part) for part in records]))
    keys = [batch for part in records for batch in plan.keys(part, records=False)]
    sizes = pa.Table.from_batches(keys).group_by(["fovea_rule", "fovea_key"]).aggregate([([], "count_all")])
    special = plan.special_blocks(zip(*(sizes[name].to_pylist() for name in ("fovea_rule", "fovea_key", "count_all"))))
    plan.use_blocks(special)
    plan = pickle.loads(pickle.dumps(plan))  # as it goes to workers
    keys = [batch for part in records for batch in plan.keys(part)]
    components = stages.Components(table.num_rows)
    for part in brought_together(keys, stages.SORTED_BLOCKS, 3, parts):
        for first, second in stages.forest(plan.links(part)):
            components.add(first, second)
    first = pa.array(components.first_records().astype(np.int64))
    wholes = pa.Table.from_batches([batch for part in records for batch in part])
    grouped = wholes.append_column("fovea_component", first).to_batches()
    clusters = np.arange(table.num_rows)
    for part in brought_together(grouped, stages.SORTED_COMPONENTS, 1, parts):
        for found in plan.clusters(part):
            clusters[found["row"].to_numpy()] = found["cluster"].to_numpy()
    return clusters, special


def first_rows(labels):
    """[row] the first row of its cluster."""
    _, first, cluster = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    return first[cluster]


@pytest.mark.parametrize("parts", [1, 4, 7])
def test_parts_give_the_clusters_of_the_whole(table, learned, parts):
    plan = stages.Plan(learned.model, table.column_names)
    clusters, special = run_all(plan, table, parts)
    whole = Dedupe(id="id")
    whole.model_ = learned.model
    assert special == []
    assert clusters.tolist() == first_rows(whole.predict(table)["cluster"]).tolist()
    assert len(set(clusters)) < 0.8 * table.num_rows


def test_contexts_and_blocks_that_are_left_out(table):
    options = {"compare": "given:jaro_winkler@size(surname), born:date", "block": "born, city, surname", "max_block": 60}
    learned = Dedupe(**options).fit(people(500, seed=2))
    plan = stages.Plan(learned.model, table.column_names, threshold=0.3, seed=5)
    assert plan.has_contexts
    clusters, special = run_all(plan, table, 3)
    assert any(parts == 0 for _, _, parts in special)
    whole = Dedupe(threshold=0.3, random_state=5)
    whole.model_ = learned.model
    with pytest.warns(UserWarning, match="leaves out"):
        assert clusters.tolist() == first_rows(whole.predict(table)["cluster"]).tolist()


def test_samples_have_the_confidence_of_the_whole(table, learned):
    plan = stages.Plan(learned.model, table.column_names, samples=20)
    records = pa.Table.from_batches([batch for part in numbered(table, 1) for batch in part]).slice(0, 400)
    one_block = records.append_column("fovea_component", pa.array([0] * 400)).to_batches()
    found = pa.Table.from_batches(list(plan.clusters(one_block)))
    assert 0 < np.nanmin(found["confidence"].to_numpy()) <= 1


def test_columns_are_those_that_stages_need(table, learned):
    more = table.append_column("note", pa.array(["-"] * table.num_rows))
    assert stages.Plan(learned.model, more.column_names).columns == ["given", "surname", "born", "city"]
    assert stages.Plan(learned.model, more.column_names, id="id").columns == ["id", "given", "surname", "born", "city"]


def test_large_blocks_become_tiles_or_are_left_out(table, learned):
    plan = stages.Plan(learned.model.replace('"max_block": 5000', '"max_block": 90000'), table.column_names)
    assert plan.least_special() == [20_000, 20_000]
    assert plan.special_blocks([(0, "a", 20_000), (1, "b", 50_000), (1, "c", 90_001)]) == [(1, "b", 3), (1, "c", 0)]


def test_refusals(table, learned):
    with pytest.raises(InputError, match="born"):
        stages.Plan(learned.model, ["id", "given", "surname", "city"])
    with pytest.raises(UsageError, match="no such column"):
        stages.Plan(learned.model, table.column_names, id="number")
    with pytest.raises(UsageError, match="sweep"):
        stages.Plan(learned.model, table.column_names, sweep=3)
    with pytest.raises(InputError, match="the model"):
        stages.Plan("{}", table.column_names)
    by_id = Dedupe(compare=COMPARE, block=RULES, id="id", draw_by="id").fit(table)
    with pytest.raises(UsageError, match="draws by id"):
        stages.Plan(by_id.model, table.column_names)
    components = stages.Components(3)
    with pytest.raises(InputError, match="record 3 of 3"):
        components.add(np.array([1], np.uint32), np.array([3], np.uint32))
    with pytest.raises(UsageError, match="4294967296 records"):
        stages.Components(2**32)
