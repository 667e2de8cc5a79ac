# SPDX-License-Identifier: Apache-2.0
"""Where the paper's learned schedule samples in images."""
