# SPDX-License-Identifier: Apache-2.0
"""Where a learned schedule samples in words of handwritten letters."""
