# SPDX-License-Identifier: Apache-2.0
"""Jobs for a cluster as it stands: duplicates, links, labels, and taggers to train. For example the records of a Parquet,
each with its cluster:

    spark-submit examples/spark/job.py dedupe hdfs:///people -o hdfs:///people-clusters --model people.er \
        --id id --storage hdfs:///tmp/people-stages

The workers' Python needs the same wheel of fovea-engine and pyarrow. `--help` lists the jobs, and
`dedupe --help` the options of one.
"""

import sys

from fovea.spark import main

sys.exit(main())
