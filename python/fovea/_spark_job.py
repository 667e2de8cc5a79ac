# SPDX-License-Identifier: Apache-2.0
"""The command line of fovea.spark: jobs from file to file."""

import argparse
import json
import os
import sys

import fovea.spark as fs
from fovea._errors import InputError, LimitError, UsageError
from fovea._spark import exists, library_errors


def main(arguments):
    given = _parser().parse_args(arguments)
    try:
        return _run(given)
    except (InputError, UsageError, LimitError) as error:
        print(f"fovea: error: {error}", file=sys.stderr)
        return next(code for kind, code in ((InputError, 3), (UsageError, 2), (LimitError, 4)) if isinstance(error, kind))


def _parser():
    parser = argparse.ArgumentParser(prog="python -m fovea.spark", description="Jobs on Spark, from file to file.")
    jobs = parser.add_subparsers(dest="job", required=True, metavar="JOB")
    for name, about, inputs, output in (
        ("dedupe", "find the records of a table that refer to the same entity", ["input"], "Parquet"),
        ("link", "find the pairs of records of two tables that refer to the same entity", ["first", "second"], "Parquet"),
        ("tag", "label the sequences of a table", ["input"], "Parquet"),
        ("train", "train a CRF on the sequences of a table", ["input"], "model, a file of the driver's machine,"),
    ):
        job = jobs.add_parser(name, help=about, description=about)
        for table in inputs:
            job.add_argument(table, help="table to read: what Spark reads by --format, from any place that it reaches")
        job.add_argument("-o", "--output", required=True, help=f"{output} to write; it must not exist")
        job.add_argument("--format", default="parquet", help="format of the input: parquet (default), csv, json, orc")
        job.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="option of Spark's reader")
        if name != "tag":
            job.add_argument("--storage", help="folder for what each stage finds; a job that is started again goes on")
        if name in ("dedupe", "link"):
            _add_matching(job)
        else:
            job.add_argument("--text", required=True, help="column of sequences, arrays of tokens")
    jobs.choices["dedupe"].add_argument("--cluster-column", default="cluster", help="name of the column of clusters")
    jobs.choices["link"].add_argument("--second-id", help="column of unique ids in the second table; default: --id")
    jobs.choices["link"].add_argument("--one-to-one", action="store_true", help="link no record with two of one table")
    jobs.choices["tag"].add_argument("--model", required=True, help="model to use, a file of the driver's machine")
    jobs.choices["tag"].add_argument("--labels", default="labels", help="name of the column of labels")
    train_job = jobs.choices["train"]
    train_job.add_argument("--labels", required=True, help="column of labels, arrays of texts")
    train_job.add_argument("--template", help="file of a feature template; default: the built-in one")
    train_job.add_argument("--l2", type=float, default=1.0, help="weight of the penalty l2 * |w|^2")
    return parser


def _add_matching(job):
    job.add_argument("--model", help="match model to use, a file of the driver's machine, instead of learning one")
    job.add_argument("--compare", help="comparisons to learn with, as `fovea dedupe` has them")
    job.add_argument("--block", help="blocking rules to learn with, as `fovea dedupe` has them")
    job.add_argument("--preset", help="lists of comparisons and rules that are known to work: authors")
    job.add_argument("--save-model", help="where to write the match model that is learned")
    job.add_argument("--id", help="column of unique ids")
    job.add_argument("--threshold", type=float, default=0.5, help="two records match above this probability")
    job.add_argument("--partitions", type=int, help="number of tasks of each stage")


def _run(given):
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName(f"fovea {given.job}").getOrCreate()
    save_model = getattr(given, "save_model", None)
    for option, path in (("--output", given.output), ("--save-model", save_model)):
        if path and (os.path.exists(path) if option == "--save-model" or given.job == "train" else exists(spark, path)):
            raise UsageError(f"argument {option}: {path} exists; remove it, or give another name")
    return {"dedupe": _run_dedupe, "link": _run_link, "tag": _run_tag, "train": _run_train}[given.job](spark, given)


def _read(spark, given, path):
    from pyspark.errors import AnalysisException

    if wrong := [option for option in given.option if "=" not in option]:
        raise UsageError(f"argument --option {wrong[0]}: needs NAME=VALUE")
    options = dict(option.split("=", 1) for option in given.option)
    if given.format == "csv":
        options = {"header": "true", **options}
    try:
        return spark.read.format(given.format).options(**options).load(path)
    except AnalysisException as error:
        raise InputError(f"{path}: {str(error).splitlines()[0]}") from None


def _matching_of(given, *more):
    names = ("model", "compare", "block", "preset", "id", "threshold", "storage", "partitions", *more)
    return {name: getattr(given, name) for name in names}


def _write(given, table, result):
    table.write.parquet(given.output)
    if given.save_model and result.model:
        with open(given.save_model, "w", encoding="utf-8") as file:
            file.write(result.model)
    print(json.dumps(result.report))
    return 0


def _run_dedupe(spark, given):
    result = fs.dedupe(_read(spark, given, given.input), **_matching_of(given, "cluster_column"))
    return _write(given, result.records, result)


def _run_link(spark, given):
    tables = (_read(spark, given, path) for path in (given.first, given.second))
    result = fs.link(*tables, **_matching_of(given, "second_id", "one_to_one"))
    return _write(given, result.links, result)


def _run_tag(spark, given):
    with library_errors():
        df = _read(spark, given, given.input)
        fs.tag(df, model=given.model, text=given.text, labels=given.labels).write.parquet(given.output)
    return 0


def _run_train(spark, given):
    names = ("text", "labels", "template", "storage", "l2")
    tagger = fs.train(_read(spark, given, given.input), **{name: getattr(given, name) for name in names})
    tagger.save(given.output)
    print(json.dumps(tagger.report_))
    return 0
