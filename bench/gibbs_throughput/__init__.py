# SPDX-License-Identifier: Apache-2.0
"""Gibbs transitions a second."""
