# SPDX-License-Identifier: Apache-2.0
"""Tagging a file with a trained model: Fovea and its peers."""
