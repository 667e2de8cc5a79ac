# SPDX-License-Identifier: Apache-2.0
"""Clusters a table by fovea.linkage.Dedupe, from the file to the clusters; prints one JSON object.

python records.py TABLE CLUSTERS JSON   # JSON: the estimator's parameters
"""

import json
import sys
import time


def main(table, clusters, parameters):
    started = time.perf_counter()
    import polars

    from fovea.linkage import Dedupe

    frame = polars.read_csv(table, infer_schema=False, null_values="NA")
    read = time.perf_counter()
    found = Dedupe(**json.loads(parameters)).fit_predict(frame)
    clustered = time.perf_counter()
    found.select("cluster").write_csv(clusters)
    print(
        json.dumps(
            {
                "read_seconds": read - started,
                "seconds": clustered - read,
                "whole_seconds": time.perf_counter() - started,
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
