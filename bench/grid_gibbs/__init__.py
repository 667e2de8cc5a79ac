# SPDX-License-Identifier: Apache-2.0
"""Gibbs updates a second on grids."""
