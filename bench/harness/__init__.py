# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: data, measuring whole processes, results."""
