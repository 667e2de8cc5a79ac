# SPDX-License-Identifier: Apache-2.0
"""A job for a cluster as it stands: the records of a Parquet, each with its cluster.

    spark-submit examples/spark/dedupe_job.py dedupe hdfs:///people -o hdfs:///people-clusters --model people.er \
        --id id --storage hdfs:///tmp/people-stages

The workers' Python needs the same wheel of fovea-engine and pyarrow. `dedupe --help` lists the options.
"""

import sys

from fovea.spark import main

sys.exit(main())
