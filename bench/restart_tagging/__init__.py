# SPDX-License-Identifier: Apache-2.0
"""Taggers through chains with restarts."""
