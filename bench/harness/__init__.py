# SPDX-License-Identifier: Apache-2.0
"""The benchmarks share this: data, measuring whole processes, results."""
