# SPDX-License-Identifier: Apache-2.0
"""The stages of linkage on parts of a table, without any engine, against Dedupe on the whole table."""

import pickle

import numpy as np
import pytest

from fovea._records import table_of

from fovea import InputError, UsageError, stages
from fovea.linkage import Dedupe, Link

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


def chunks_of(table, parts):
    """The chunks of each part of the table."""
    rows, found = -(-table.num_rows // parts), []
    for begin in range(0, table.num_rows, rows):
        part = stages.pack(table.slice(begin, rows).to_batches(max_chunksize=100))
        found.append([chunk.append_column("begin", pa.array([begin + chunk["place"][0].as_py()])) for chunk in part])
    return found


def brought_together(of_parts, count):
    """[number] the batches of that bucket, from all parts."""
    found = [[] for _ in range(count)]
    for batches in of_parts:
        for batch in batches:
            for place, number in enumerate(batch["bucket"].to_pylist()):
                found[number].append(batch.slice(place, 1))
    return found


def special_of(plan, chunks, count):
    keys = brought_together((plan.block_buckets(part, count, records=False) for part in chunks), count)
    sizes = [tuple(row.values()) for bucket in keys for batch in plan.block_sizes(bucket) for row in batch.to_pylist()]
    return plan.special_blocks(sizes)


def run_all(plan, table, parts):
    """[row] the first row of its cluster, by all stages, and the blocks that are left out."""
    chunks = chunks_of(table, parts)
    if plan.has_contexts:
        plan.use_contexts(stages.merge_contexts([plan.count_contexts(part) for part in chunks]))
    plan = pickle.loads(pickle.dumps(plan))  # as it goes to workers
    components, left_out = stages.Components(table.num_rows), []
    for bucket in brought_together((plan.block_buckets(part, parts) for part in chunks), parts):
        for row in (row for batch in plan.forest(bucket) for row in batch.to_pylist()):
            if row["links"] is not None:
                components.add_links(row["links"])
            else:
                left_out.append((row["rule"], row["key"], row["count"]))
    assert sorted(special_of(plan, chunks, parts)) == sorted(plan.special_blocks(left_out))
    plan.use_blocks(plan.special_blocks(left_out))
    first = components.first_records()
    labelled = [
        [
            chunk.append_column("components", pa.array([first[begin : begin + rows].tobytes()], pa.binary()))
            for chunk in part
            for begin, rows in [(chunk["begin"][0].as_py(), chunk["rows"][0].as_py())]
        ]
        for part in chunks
    ]
    clusters = np.arange(table.num_rows)
    for bucket in brought_together((plan.component_buckets(part, parts) for part in labelled), parts):
        for found in plan.clusters(bucket):
            clusters[found["row"].to_numpy()] = found["cluster"].to_numpy()
    return clusters, left_out


def first_rows(labels):
    """[row] the first row of its cluster."""
    _, first, cluster = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    return first[cluster]


@pytest.mark.parametrize("parts", [1, 4, 7])
def test_parts_give_the_clusters_of_the_whole(table, learned, parts):
    plan = stages.Plan(learned.model, table.column_names)
    clusters, left_out = run_all(plan, table, parts)
    whole = Dedupe(id="id")
    whole.model_ = learned.model
    assert left_out == []
    assert clusters.tolist() == first_rows(whole.predict(table)["cluster"]).tolist()
    assert len(set(clusters)) < 0.8 * table.num_rows


def test_contexts_and_blocks_that_are_left_out(table):
    options = {"compare": "given:jaro_winkler@size(surname), born:date", "block": "born, city, surname", "max_block": 60}
    learned = Dedupe(**options).fit(people(500, seed=2))
    plan = stages.Plan(learned.model, table.column_names, threshold=0.3, seed=5)
    assert plan.has_contexts
    clusters, left_out = run_all(plan, table, 3)
    assert all(count > 60 for _, _, count in left_out)
    assert {rule for rule, _, _ in left_out} == {1}
    whole = Dedupe(threshold=0.3, random_state=5)
    whole.model_ = learned.model
    with pytest.warns(UserWarning, match="leaves out"):
        assert clusters.tolist() == first_rows(whole.predict(table)["cluster"]).tolist()


def test_samples_have_a_confidence(table, learned):
    plan = stages.Plan(learned.model, table.column_names, samples=20)
    (chunks,) = chunks_of(table.slice(0, 400), 1)
    together = [
        chunk.append_column("components", pa.array([np.zeros(chunk["rows"][0].as_py(), np.uint32).tobytes()]))
        for chunk in chunks
    ]
    (found,) = plan.clusters(plan.component_buckets(together, 1))
    assert found.num_rows == 400
    assert 0 < np.nanmin(found["confidence"].to_numpy()) <= 1


def test_pairs_and_their_forest(table, learned):
    plan = stages.Plan(learned.model, table.column_names)
    (chunks,) = chunks_of(table, 1)
    (bucket,) = brought_together([plan.block_buckets(chunks, 1)], 1)
    pairs = list(plan.links(bucket))
    whole = Dedupe(keep_pairs=True)
    whole.model_ = learned.model
    found = whole._cluster(table_of(table, "X"), True, None, None, None)["pairs"]
    expected = {(a, b): s for a, b, s in zip(*(found.column(n) for n in ("first", "second", "score"))) if s > 0}
    assert {(r["first"], r["second"]): r["score"] for batch in pairs for r in batch.to_pylist()} == expected
    one, other = stages.Components(table.num_rows), stages.Components(table.num_rows)
    for components, batches in ((one, stages.forest(pairs)), (other, plan.forest(bucket))):
        for batch in batches:
            components.add_links(batch["links"][0].as_py())
    assert (one.first_records() == other.first_records()).all()


def linked(table, first_rows):
    """The table as two, with a model, and the links that one machine finds with it: (first, second) -> score."""
    first, second = table.slice(0, first_rows), table.slice(first_rows)
    link = Link(compare=COMPARE, block="surname, city").fit(first, second)
    one = Link()
    one.model_ = link.model
    found = one.predict(first, second)
    return link.model, dict(zip(zip(found["first"].tolist(), found["second"].tolist()), found["score"].tolist()))


def test_parts_give_the_links_of_two_tables(table):
    model, expected = linked(table, 1000)
    assert len(expected) > 300
    plan = stages.Plan(model, table.column_names)
    plan.use_tables(1000)
    chunks = chunks_of(table, 3)  # of which one holds records of both
    plan.use_blocks(special_of(plan, chunks, 3))
    pairs = [
        batch
        for bucket in brought_together((plan.block_buckets(part, 3) for part in chunks), 3)
        for batch in pickle.loads(pickle.dumps(plan)).links(bucket)
    ]
    rows = [row for batch in pairs for row in batch.to_pylist()]
    assert {(row["first"], row["second"] - 1000): row["score"] for row in rows} == expected
    best = plan.best_links(pa.Table.from_batches(pairs).group_by(["first", "second", "score"]).aggregate([]))
    one = Link(one_to_one=True)
    one.model_ = model
    whole = one.predict(table.slice(0, 1000), table.slice(1000))
    assert sorted(zip(best["first"].to_pylist(), best["second"].to_pylist())) == sorted(
        zip(whole["first"].tolist(), (whole["second"] + 1000).tolist())
    )
    assert len(whole["first"]) < len(expected)


def test_a_sample_depends_on_the_numbers_alone(table):
    def sampled(parts, share, seed=1):
        found = [batch for part in chunks_of(table, parts) for batch in stages.sample(part, share, seed)]
        return pa.concat_tables(list(stages.unpack(found)))

    assert sampled(3, 1) == table
    some = sampled(1, 0.3)
    assert 0.25 * table.num_rows < some.num_rows < 0.35 * table.num_rows
    assert some != sampled(1, 0.3, seed=2)


def test_chunks_hold_the_records(table):
    (chunks,) = chunks_of(table, 1)
    assert pa.concat_tables(stages.unpack(chunks)) == table


def test_columns_are_those_that_stages_need(table, learned):
    more = table.append_column("note", pa.array(["-"] * table.num_rows))
    assert stages.Plan(learned.model, more.column_names).columns == ["given", "surname", "born", "city"]
    assert stages.Plan(learned.model, more.column_names, id="id").columns == ["id", "given", "surname", "born", "city"]


def test_large_blocks_become_tiles_or_are_left_out(table, learned):
    plan = stages.Plan(learned.model.replace('"max_block": 5000', '"max_block": 90000'), table.column_names)
    assert plan.may_have_special_blocks()
    assert not stages.Plan(learned.model, table.column_names).may_have_special_blocks()
    assert plan.special_blocks([(0, "a", 20_000), (1, "b", 50_000), (1, "c", 90_001)]) == [(1, "b", 10), (1, "c", 0)]


def test_refusals(table, learned):
    with pytest.raises(InputError, match="born"):
        stages.Plan(learned.model, ["id", "given", "surname", "city"])
    with pytest.raises(InputError, match="no column is called 'number'"):
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
    with pytest.raises(UsageError, match="4294967295 records"):
        stages.Components(2**32 - 1)
    with pytest.raises(InputError, match="damaged"):
        list(stages.Plan(learned.model, table.column_names).forest([pa.record_batch({"records": [b"\x7f"]})]))
