# SPDX-License-Identifier: Apache-2.0
"""fovea.phases: what calls spend their time on."""

import threading

import pytest

import fovea
from fovea.tagging import CRF

SENTENCES = [[["the", "D"], ["dog", "N"], ["barks", "V"]], [["a", "D"], ["cat", "N"]]] * 200
ITEMS = [[item[:1] for item in sentence] for sentence in SENTENCES]
LABELS = [[item[1] for item in sentence] for sentence in SENTENCES]


def test_phases_of_all_calls_are_recorded():
    with fovea.phases() as spent:
        CRF(threads=1).fit(ITEMS, LABELS)
        assert spent == []
        CRF(threads=1).fit(ITEMS, LABELS)
    names = [phase["phase"] for phase in spent]
    assert "training" in names and len(set(names)) == len(names)
    training = spent[names.index("training")]
    assert training["seconds"] > 0 and training["cpu_seconds"] > 0
    assert training["cores"] == pytest.approx(training["cpu_seconds"] / training["seconds"])


def test_calls_outside_are_not_recorded():
    with fovea.phases() as spent:
        other = threading.Thread(target=lambda: CRF(threads=1).fit(ITEMS, LABELS))
        other.start()
        other.join()
    CRF(threads=1).fit(ITEMS, LABELS)
    assert spent == []


def test_an_error_ends_the_record():
    with pytest.raises(fovea.UsageError), fovea.phases() as spent:
        CRF(threads=-1).fit(ITEMS, LABELS)
    assert spent == []
    with fovea.phases(), pytest.raises(fovea.UsageError, match="inside"), fovea.phases():
        pass
    with fovea.phases() as again:
        CRF(threads=1).fit(ITEMS, LABELS)
    assert again
