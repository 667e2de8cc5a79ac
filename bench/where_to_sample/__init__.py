# SPDX-License-Identifier: Apache-2.0
"""Where a learned schedule samples and what that saves, beside the paper's own curves."""
