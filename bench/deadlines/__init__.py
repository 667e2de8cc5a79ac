# SPDX-License-Identifier: Apache-2.0
"""Whether time limits are kept."""
