# SPDX-License-Identifier: Apache-2.0
"""MAP on discrete models: Fovea and toulbar2."""
