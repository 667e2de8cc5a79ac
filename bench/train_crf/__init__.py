# SPDX-License-Identifier: Apache-2.0
"""Training a linear-chain CRF by maximum likelihood: Fovea and its peers."""
