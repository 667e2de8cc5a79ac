# SPDX-License-Identifier: Apache-2.0
"""Splink on DuckDB: splink_peer.py DATA_SET TABLE [SECOND_TABLE] OUTPUT.csv

Writes id,cluster for one table, id_l,id_r for two."""
import csv
import logging
import pathlib
import sys

import duckdb
from splink import DuckDBAPI, Linker, SettingsCreator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from record_linkage.splink_jobs import JOBS  # noqa: E402


def read(tables, job):
    """The tables as Splink takes them, all cells text."""
    connection = duckdb.connect()
    api = DuckDBAPI(connection)
    for number, table in enumerate(tables):
        connection.execute(f"create table input{number} as select {job.columns} "
                           f"from read_csv('{table}', all_varchar = true, header = true)")
    return [api.register(connection.table(f"input{number}"), dataset_display_name=f"table{number}")
            for number in range(len(tables))]


def trained(tables, job):
    linker = Linker(tables if len(tables) > 1 else tables[0], SettingsCreator(
        link_type="link_only" if len(tables) > 1 else "dedupe_only", unique_id_column_name="id",
        comparisons=job.comparisons, blocking_rules_to_generate_predictions=job.predict))
    linker.training.estimate_probability_two_random_records_match(job.known, recall=job.recall)
    linker.training.estimate_u_using_random_sampling(max_pairs=job.max_pairs, seed=1)
    for rule in job.train:
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    return linker


def clusters(linker, pairs, threshold):
    records = linker.clustering.cluster_pairwise_predictions_at_threshold(pairs, threshold).as_record_list()
    return ["id", "cluster"], [(record["id"], record["cluster_id"]) for record in records]


def links(linker, pairs, threshold):
    records = linker.clustering.cluster_using_single_best_links(
        pairs, duplicate_free_datasets=["table0", "table1"], threshold_match_probability=threshold).as_record_list()
    ids = {(record["cluster_id"], record["source_dataset"]): record["id"] for record in records}
    found = [(first, ids.get((cluster, "table1"))) for (cluster, table), first in ids.items() if table == "table0"]
    return ["id_l", "id_r"], [pair for pair in found if pair[1] is not None]


def main(name, *files):
    *tables, output = files
    job = JOBS[name]()
    linker = trained(read(tables, job), job)
    pairs = linker.inference.predict(threshold_match_probability=job.threshold)
    header, rows = (links if len(tables) > 1 else clusters)(linker, pairs, job.threshold)
    with open(output, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    main(*sys.argv[1:])
