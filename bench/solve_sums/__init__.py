# SPDX-License-Identifier: Apache-2.0
"""Partition functions and marginals of discrete models against their references."""
