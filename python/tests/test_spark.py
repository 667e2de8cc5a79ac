# SPDX-License-Identifier: Apache-2.0
"""fovea.spark on a cluster of two workers on this machine, each a process with 1 GB, against one machine."""

import os
import random
import shutil
import signal
import subprocess
import threading
import time

import pytest

from fovea import InputError, UsageError
from fovea.linkage import Dedupe, Link

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyspark", reason="fovea.spark needs PySpark")
if shutil.which("java") is None:
    pytest.skip("fovea.spark needs Java", allow_module_level=True)

import fovea.spark as fs  # noqa: E402, before the session starts: it names the workers' Python

from test_stages import COMPARE, RULES, first_rows, linked, people  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # of pyspark's own use of pandas


_QUICK_START = "-XX:TieredStopAtLevel=1"  # compiling for speed takes longer than these jobs


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.executor.memory", "1g")
        .config("spark.driver.extraJavaOptions", _QUICK_START)
        .config("spark.executor.extraJavaOptions", _QUICK_START)
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def table():
    return people(4000)


@pytest.fixture(scope="module")
def model(table):
    return Dedupe(compare=COMPARE, block=RULES, id="id").fit(table).model


def on_one_machine(table, model, **options):
    """id -> the id of the first record of its cluster."""
    dedupe = Dedupe(id="id", **options)
    dedupe.model_ = model
    ids = table["id"].to_pylist()
    return dict(zip(ids, (ids[row] for row in first_rows(dedupe.predict(table)["cluster"]))))


def as_dict(records):
    return {row.id: row.cluster for row in records.select("id", "cluster").collect()}


@pytest.mark.parametrize("partitions", [3, 8])
def test_clusters_are_those_of_one_machine(spark, table, model, partitions):
    df = spark.createDataFrame(table).repartition(5)  # in some order, which stays
    result = fs.dedupe(df.cache(), model=model, id="id", partitions=partitions)
    whole = on_one_machine(df.toArrow(), model)
    assert as_dict(result.records) == whole
    assert len(set(whole.values())) < 0.8 * table.num_rows
    assert result.records.columns == [*df.columns, "cluster"]
    assert result.report["records"] == table.num_rows


def test_blocks_as_components(spark, table):
    learned = Dedupe(compare=COMPARE, block="surname", id="id").fit(table)
    df = spark.createDataFrame(table)
    result = fs.dedupe(df, model=learned.model, id="id", samples=10, sweeps=20)
    assert as_dict(result.records) == on_one_machine(table, learned.model, samples=10, sweeps=20)
    assert "4-forest" not in result.report["seconds"]
    confidence = [row.confidence for row in result.records.select("confidence").collect()]
    assert 0 < min(confidence) < max(confidence) == 1


def test_pairs_are_those_that_match(spark, table, model):
    result = fs.dedupe(spark.createDataFrame(table), model=model, pairs=True, cluster_column="of")
    one = Dedupe(keep_pairs=True)
    one.model_ = model
    found = {(row.first, row.second): row.score for row in result.pairs.collect()}
    together = one._cluster(one._table(table, "X"), True, None, None, None)["pairs"]
    expected = {
        (first, second): score
        for first, second, score in zip(*(together.column(name) for name in ("first", "second", "score")))
        if score > 0
    }
    assert found == expected
    alone = result.records.filter("id = 'p17'").first()
    assert alone.of <= 17


def test_a_model_is_learned_on_the_way(spark, table, model):
    df = spark.createDataFrame(table)
    result = fs.dedupe(df, compare=COMPARE, block=RULES, id="id")
    assert result.model == model
    assert as_dict(result.records) == on_one_machine(table, model)
    some = fs.dedupe(df, compare=COMPARE, block=RULES, learn_records=2000, learning={"max_block": 900}).model
    assert some != model
    assert '"max_block": 900' in some
    with pytest.raises(UsageError, match="leave these out"):
        fs.dedupe(df, model=model, compare=COMPARE)
    with pytest.raises(InputError, match="nobody"):
        fs.dedupe(df, compare="nobody:jaro_winkler", block="surname")
    with pytest.raises(UsageError, match="learn_records=0"):
        fs.dedupe(df, compare=COMPARE, block=RULES, learn_records=0)


def links_of(result):
    return {(row.first, row.second): row.score for row in result.links.collect()}


def test_links_are_those_of_one_machine(spark, table):
    model, expected = linked(table, 1500)
    first, second = spark.createDataFrame(table.slice(0, 1500)), spark.createDataFrame(table.slice(1500)).repartition(3).cache()
    ordered = second.toArrow()
    one = Link(id="id")
    one.model_ = model
    whole = one.predict(table.slice(0, 1500), ordered)
    result = fs.link(first, second.withColumnRenamed("id", "number"), model=model, id="id", second_id="number")
    assert links_of(result) == dict(zip(zip(whole["first"].tolist(), whole["second"].tolist()), whole["score"].tolist()))
    found = {(row.first_id, row.second_id): row.probability for row in result.links.collect()}
    assert found == pytest.approx(dict(zip(zip(whole["first_id"], whole["second_id"]), whole["probability"].tolist())))
    assert result.report["links"] == len(expected) == len(found)


def test_one_to_one_links_learned_on_the_way(spark, table, tmp_path):
    first, second = table.slice(0, 1500), table.slice(1500)
    one = Link(compare=COMPARE, block="surname, city", one_to_one=True)
    whole = one.fit_predict(first, second)
    options = {"compare": COMPARE, "block": "surname, city", "one_to_one": True, "storage": str(tmp_path / "stages")}
    tables = spark.createDataFrame(first), spark.createDataFrame(second)
    result = fs.link(*tables, **options)
    assert result.model == one.model
    assert sorted(links_of(result)) == sorted(zip(whole["first"].tolist(), whole["second"].tolist()))
    again = fs.link(*tables, **options)
    assert again.report["skipped"] == ["1-first", "1-second", "2-model", "3-sizes", "4-pairs", "5-assigned", "6-links"]
    assert links_of(again) == links_of(result)
    with pytest.raises(InputError, match="argument second: no column is called 'number'"):
        fs.link(*tables, id="id", second_id="number", compare=COMPARE, block="surname")
    with pytest.raises(InputError, match="no column in common"):
        fs.link(tables[0], spark.createDataFrame([(1,)], "x long"), compare=COMPARE, block="surname")


def test_a_job_goes_on_from_whole_stages(spark, table, model, tmp_path):
    df = spark.createDataFrame(table)
    storage = str(tmp_path / "stages")
    first = fs.dedupe(df, model=model, id="id", storage=storage)
    clusters = as_dict(first.records)
    assert first.report["skipped"] == []
    again = fs.dedupe(df, model=model, id="id", storage=storage)
    assert again.report["skipped"] == ["1-records", "4-forest", "5-clusters", "6-records"]
    assert as_dict(again.records) == clusters
    for folder in tmp_path.glob("stages/[456]-*"):
        (folder / "_SUCCESS").unlink()  # as if the driver had died while these were written
    half = fs.dedupe(df, model=model, id="id", storage=storage)
    assert half.report["skipped"] == ["1-records"]
    assert as_dict(half.records) == clusters
    other = fs.dedupe(df.limit(1000), model=model, id="id", storage=storage)
    assert other.report["skipped"] == []


def executors():
    """Processes of workers, by the operating system."""
    found = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def test_killed_workers_change_nothing(spark, table, model):
    df = spark.createDataFrame(table)
    whole = on_one_machine(table, model)
    started = time.monotonic()
    fs.dedupe(df, model=model, id="id", partitions=6)
    undisturbed = time.monotonic() - started
    for seed in range(2):
        draw = random.Random(seed)
        ended = threading.Event()
        killed = []

        def kill(draw=draw, ended=ended, killed=killed):
            if ended.wait(draw.uniform(0.1, 0.7) * undisturbed):
                return
            killed.append(draw.choice(executors()))
            os.kill(killed[-1], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            result = fs.dedupe(df, model=model, id="id", partitions=6)
        finally:
            ended.set()
            killer.join()
        assert as_dict(result.records) == whole
        assert killed
        deadline = time.monotonic() + 30
        while len(executors()) < 2 and time.monotonic() < deadline:
            time.sleep(0.2)


@pytest.mark.parametrize(
    "columns, options, error, text",
    [
        ({"id": ["a", None]}, {"id": "id"}, InputError, "1 records have none"),
        ({"id": ["a", "a"]}, {"id": "id"}, InputError, "2 records have the id 'a'"),
        ({"city": [{"x": 1}, {"x": 2}]}, {}, InputError, "column 'city' is of type struct<x:bigint>"),
        ({"cluster": ["1", "2"]}, {}, UsageError, "cluster_column='cluster'"),
        ({"fovea_row": [1, 2]}, {}, UsageError, "rename"),
        ({"born": None}, {}, InputError, "born"),
        ({}, {"sweep": 3}, UsageError, "sweep"),
        ({}, {"model": "/nowhere/people.er"}, InputError, "No such file"),
    ],
)
def test_refused_before_any_work(spark, table, model, columns, options, error, text):
    rows = table.slice(0, 2)
    for name, cells in columns.items():
        if name in rows.column_names:
            rows = rows.drop_columns([name])
        if cells is not None:
            rows = rows.append_column(name, pa.array(cells))
    with pytest.raises(error, match=text):
        fs.dedupe(spark.createDataFrame(rows), **{"model": model, **options})


def test_an_empty_table_and_other_frames(spark, table, model):
    with pytest.raises(InputError, match="no records"):
        fs.dedupe(spark.createDataFrame(table).limit(0), model=model)
    with pytest.raises(UsageError, match="needs a DataFrame of Spark"):
        fs.dedupe(table, model=model)


SENTENCES = [["a", "dog", "barks"], ["the", "cat", "sleeps"], ["a", "cat"], [], ["the", "dog"]]
TAGS = [["D", "N", "V"], ["D", "N", "V"], ["D", "N"], [], ["D", "N"]]


@pytest.fixture(scope="module")
def tagger():
    from fovea.tagging import CRF

    filled = [i for i, sentence in enumerate(SENTENCES) if sentence]
    return CRF().fit([SENTENCES[i] for i in filled], [TAGS[i] for i in filled])


def test_labels_are_those_of_one_machine(spark, tagger, tmp_path):
    tagger.save(tmp_path / "pos.model")
    df = spark.createDataFrame([(i, sentence) for i, sentence in enumerate(SENTENCES * 50)], "n long, tokens array<string>")
    tagged = fs.tag(df, model=tmp_path / "pos.model", text="tokens", labels="pos")
    assert tagged.columns == ["n", "tokens", "pos"]
    found = [row.pos for row in tagged.orderBy("n").collect()]
    assert found == tagger.predict(SENTENCES * 50)


def test_what_cannot_be_tagged(spark, tagger):
    df = spark.createDataFrame([("a dog", ["a"]), ("b", None)], "text string, tokens array<string>")
    with pytest.raises(InputError, match="needs arrays of tokens"):
        fs.tag(df, model=tagger, text="text")
    with pytest.raises(InputError, match="no column is called that"):
        fs.tag(df, model=tagger, text="words")
    with pytest.raises(UsageError, match="labels='text'"):
        fs.tag(df, model=tagger, text="tokens", labels="text")
    with pytest.raises(UsageError, match="sweep"):
        fs.tag(df, model=tagger, text="tokens", sweep=1)
    with pytest.raises(Exception, match="a sequence is missing; leave such rows out"):
        fs.tag(df, model=tagger, text="tokens").collect()


def labelled(spark, count, seed=1):
    """Sequences in which a word mostly tells its label, some of which are not known."""
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        labels = [draw.choice("ABC") for _ in range(draw.randrange(7))]
        words = [label.lower() if draw.random() < 0.8 else draw.choice("abcdef") for label in labels]
        rows.append((words, [None if draw.random() < 0.05 else label for label in labels]))
    return rows, spark.createDataFrame(rows, "tokens array<string>, tags array<string>")


def test_weights_do_not_depend_on_tasks_or_order(spark, monkeypatch):
    from fovea import _spark_train
    from fovea.tagging import CRF

    monkeypatch.setattr(_spark_train, "_SEQUENCES_OF_A_SHARD", 50)
    rows, df = labelled(spark, 700)
    trained = {}
    for tasks in (1, 2, 16):
        monkeypatch.setattr(_spark_train.ShardedTraining, "_most_tasks", lambda self, tasks=tasks: tasks)
        tagger = fs.train(df.repartition(tasks + 1), text="tokens", labels="tags", l2=0.3, iterations=6)
        trained[tasks] = tagger._bytes
    assert len(set(trained.values())) == 1
    filled = [row for row in rows if row[0]]
    one = CRF(l2=0.3).fit(*zip(*filled))
    assert tagger.report_["objective"] == pytest.approx(one.report_["objective"], rel=0.02)
    agree = [a == b for x, y in zip(tagger.predict([r[0] for r in filled]), one.predict([r[0] for r in filled])) for a, b in zip(x, y)]
    assert sum(agree) > 0.99 * len(agree)
    assert tagger.get_params()["l2"] == 0.3


def test_training_goes_on_from_whole_stages_and_takes_attributes(spark, tmp_path):
    rows, _ = labelled(spark, 60)
    rows = [([[f"word={word}", "bias"] for word in words], tags) for words, tags in rows]
    df = spark.createDataFrame(rows, "items array<array<string>>, tags array<string>")
    first = fs.train(df, text="items", labels="tags", storage=str(tmp_path / "stages"), iterations=5)
    again = fs.train(df.repartition(3), text="items", labels="tags", storage=str(tmp_path / "stages"), iterations=5)
    assert first._bytes == again._bytes
    assert len(list((tmp_path / "stages").glob("*/_SUCCESS"))) == 2
    assert first.report_["iterations"] == 5
    assert first.predict([[["word=a", "bias"]]]) == [["A"]]


@pytest.mark.parametrize(
    "rows, options, error, text",
    [
        ([(["a", "b"], ["A"])], {}, InputError, "2 items in column 'tokens' and 1 labels in column 'tags'"),
        ([(["a"], None)], {}, InputError, "1 items in column 'tokens' and 0 labels"),
        ([([], [])], {}, InputError, "no sequence has items"),
        ([(["a"], ["A"])], {"labels": "tag"}, InputError, "labels='tag'"),
        ([(["a"], ["A"])], {"optimizer": "rprop"}, UsageError, "leave others out"),
        ([(["a"], ["A"])], {"l3": 1}, TypeError, "l3"),
    ],
)
def test_what_cannot_be_trained_on(spark, rows, options, error, text):
    df = spark.createDataFrame(rows, "tokens array<string>, tags array<string>")
    with pytest.raises(error, match=text):
        fs.train(df, **{"text": "tokens", "labels": "tags", **options})


def test_jobs_that_learn(spark, table, tmp_path, capsys):
    spark.createDataFrame(table.slice(0, 1500)).write.parquet(str(tmp_path / "first"))
    spark.createDataFrame(table.slice(1500)).write.parquet(str(tmp_path / "second"))
    places = [str(tmp_path / name) for name in ("first", "second")]
    lists = ["--compare", COMPARE, "--block", "surname, city", "--id", "id"]
    model = str(tmp_path / "links.er")
    assert fs.main(["link", *places, "-o", str(tmp_path / "links"), *lists, "--save-model", model]) == 0
    written = spark.read.parquet(str(tmp_path / "links"))
    assert written.columns == ["first", "second", "first_id", "second_id", "score", "probability"]
    assert f'"links": {written.count()}' in capsys.readouterr().out
    assert fs.main(["link", *places, "-o", str(tmp_path / "more"), "--model", model]) == 0
    assert spark.read.parquet(str(tmp_path / "more")).count() == written.count()
    labelled(spark, 40)[1].write.parquet(str(tmp_path / "tokens"))
    output = str(tmp_path / "tags.model")
    job = ["train", str(tmp_path / "tokens"), "-o", output, "--text", "tokens", "--labels", "tags"]
    assert fs.main(job) == 0
    assert '"ended_by": "converged"' in capsys.readouterr().out
    assert fs.tag(spark.read.parquet(str(tmp_path / "tokens")), model=output, text="tokens").count() == 40
    assert fs.main(job) == 2
    assert "exists" in capsys.readouterr().err


def test_the_job_of_a_file(spark, table, model, tmp_path, capsys):
    spark.createDataFrame(table).write.parquet(str(tmp_path / "people.parquet"))
    (tmp_path / "people.er").write_text(model)
    places = [str(tmp_path / "people.parquet"), "-o", str(tmp_path / "out"), "--model", str(tmp_path / "people.er")]
    assert fs.main(["dedupe", *places, "--id", "id"]) == 0
    written = spark.read.parquet(str(tmp_path / "out"))
    ordered = spark.read.parquet(str(tmp_path / "people.parquet")).toArrow()
    assert as_dict(written) == on_one_machine(ordered, model)
    assert fs.main(["dedupe", *places, "--id", "id"]) == 2
    assert "exists" in capsys.readouterr().err
    places[2] = str(tmp_path / "other")
    assert fs.main(["dedupe", *places, "--id", "number"]) == 3
    assert "no column is called 'number'" in capsys.readouterr().err
    assert fs.main(["dedupe", *places, "--option", "header"]) == 2
    assert "needs NAME=VALUE" in capsys.readouterr().err
    places[0] = str(tmp_path / "nowhere.parquet")
    assert fs.main(["dedupe", *places]) == 3
    assert "nowhere.parquet" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
