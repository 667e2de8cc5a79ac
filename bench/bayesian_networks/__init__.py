# SPDX-License-Identifier: Apache-2.0
"""All marginals of Bayesian networks: Fovea and aGrUM."""
