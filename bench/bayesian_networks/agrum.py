# SPDX-License-Identifier: Apache-2.0
"""Finds all marginals of a network by aGrUM's lazy propagation: agrum.py NETWORK.bif. Prints {"load", "infer": seconds,
"marginals": {variable: {label: probability}}}."""
import json
import sys
import time

import pyagrum


def main(path):
    started = time.monotonic()
    network = pyagrum.loadBN(path)
    loaded = time.monotonic()
    inference = pyagrum.LazyPropagation(network)
    inference.makeInference()
    posteriors = {name: inference.posterior(name) for name in network.names()}
    done = time.monotonic()
    marginals = {name: {network.variable(name).label(k): posterior[k] for k in range(posterior.domainSize())}
                 for name, posterior in posteriors.items()}
    print(json.dumps({"load": loaded - started, "infer": done - loaded, "marginals": marginals}))


if __name__ == "__main__":
    main(sys.argv[1])
