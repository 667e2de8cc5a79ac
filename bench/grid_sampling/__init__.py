# SPDX-License-Identifier: Apache-2.0
"""What choosing strips saves on grids."""
