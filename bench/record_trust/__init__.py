# SPDX-License-Identifier: Apache-2.0
"""Records that a data engineer can trust: what must hold on every table."""
