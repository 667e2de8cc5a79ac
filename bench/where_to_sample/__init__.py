# SPDX-License-Identifier: Apache-2.0
"""Where a learned schedule samples and what that saves, next to the paper's own curves."""
