# SPDX-License-Identifier: Apache-2.0
"""Finding the records of one entity without labels: Fovea and Splink."""
