# SPDX-License-Identifier: Apache-2.0
"""Splink on Spark: splink_on_spark.py TABLE MASTER OUTPUT, of people. Writes id, cluster as Parquet."""
import logging
import sys
import tempfile

from pyspark.sql import SparkSession
from splink import Linker, SettingsCreator
from splink.backends.spark import SparkAPI, similarity_jar_location

from record_linkage.splink_jobs import register


def main(path, master, output):
    job = register()
    settings = {"spark.ui.showConsoleProgress": "false", "spark.driver.memory": "2g", "spark.executor.memory": "1g",
                "spark.log.level": "OFF", "spark.sql.shuffle.partitions": "8", "spark.default.parallelism": "8",
                "spark.jars": similarity_jar_location()}
    spark = SparkSession.builder.master(master).config(map=settings).getOrCreate()
    spark.sparkContext.setCheckpointDir(tempfile.mkdtemp())
    table = spark.read.csv(path, header=True).selectExpr("id", *(
        f"nullif(trim({name}), '') as {name}"
        for name in ("given", "surname", "born", "street", "house", "postcode", "city", "phone", "email")))
    linker = Linker(SparkAPI(spark_session=spark).register(table), SettingsCreator(
        link_type="dedupe_only", unique_id_column_name="id", comparisons=job.comparisons,
        blocking_rules_to_generate_predictions=job.predict))
    linker.training.estimate_probability_two_random_records_match(job.known, recall=job.recall)
    linker.training.estimate_u_using_random_sampling(max_pairs=job.max_pairs, seed=1)
    for rule in job.train:
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    pairs = linker.inference.predict(threshold_match_probability=job.threshold)
    clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(pairs, job.threshold).as_spark_dataframe()
    clusters.selectExpr("id", "cluster_id as cluster").write.mode("overwrite").parquet(output)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    main(*sys.argv[1:])
