# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
from fovea import ep as ep
from fovea import gestures as gestures
from fovea import graph as graph
from fovea import linkage as linkage
from fovea import mcmc as mcmc
from fovea import sequence as sequence
from fovea import spark as spark
from fovea import stages as stages
from fovea import synthesis as synthesis
from fovea import tagging as tagging
from fovea._errors import InfeasibleError as InfeasibleError
from fovea._errors import InputError as InputError
from fovea._errors import LimitError as LimitError
from fovea._errors import UsageError as UsageError
from fovea._phases import phases as phases

__all__ = ['InfeasibleError', 'InputError', 'LimitError', 'UsageError', 'phases', 'ep', 'gestures', 'graph', 'linkage', 'mcmc', 'sequence', 'spark', 'stages', 'synthesis', 'tagging']
__version__: str
