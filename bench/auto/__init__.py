# SPDX-License-Identifier: Apache-2.0
"""Whether --method auto picks well."""
