# SPDX-License-Identifier: Apache-2.0
"""fovea.gestures on swipes of a made-up finger."""

import pickle
import signal
import threading
import time

import numpy as np
import pytest
from flat_memory import growth

import fovea
from fovea.gestures import Keyboard

WORDS = {"the": 90, "that": 40, "then": 20, "what": 20, "have": 18, "good": 9, "banana": 4, "keyboard": 3, "water": 5}
ROWS = [("qwertyuiop", 0.5, 0.54), ("asdfghjkl", 1, 1.55), ("zxcvbnm", 2, 2.53)]  # as the library places them
KEYS = {letter: (left + i, top) for letters, left, top in ROWS for i, letter in enumerate(letters)}


def swipe(word, rng):
    """Points on the way from letter to letter, in thousandths of the keyboard's width."""
    places = np.array([KEYS[letter] for letter in word])
    steps = np.linspace(0, len(word) - 1, 6 * len(word))
    path = np.stack([np.interp(steps, range(len(word)), places[:, k]) for k in range(2)], axis=1)
    return 100 * (path + 0.15 * rng.normal(size=path.shape))


def keys_of(points):
    letters = list(KEYS)
    centres = np.array(list(KEYS.values()))
    return "".join(letters[np.hypot(*(centres - p / 100).T).argmin()] for p in points)


def swipes(count, seed=1):
    rng = np.random.default_rng(seed)
    y = [list(WORDS)[i] for i in rng.integers(len(WORDS), size=count)]
    return [swipe(word, rng) for word in y], y


SMALL = {"words": WORDS, "chains": 4, "start_passes": 2, "passes": 2, "path_passes": 1, "network_passes": 2, "list": 5}


@pytest.mark.parametrize("family", ["path", "alignment"])
def test_both_families_learn_to_read(family, tmp_path):
    X, y = swipes(80)
    if family == "alignment":
        X = [keys_of(points) for points in X]
    keyboard = Keyboard(**SMALL, random_state=1).fit(X, y)
    assert keyboard.family_ == family and keyboard.report_["gestures"] == 80 and not keyboard.interrupted_
    other, truth = swipes(60, seed=2)
    if family == "alignment":
        other = [keys_of(points) for points in other]
    budget = "200 transitions/item"
    # a word drawn at random is right one time in nine; chains over keys alone may spell no word at all
    assert keyboard.score(other, truth, budget=budget) > (0.8 if family == "path" else 0.6)
    best = keyboard.predict_n_best(other, 3, budget=budget)
    for words in best:
        scores = [score for _, score in words]
        assert len(words) <= 3 and scores == sorted(scores, reverse=True)
    assert [words[0][0] if words else "" for words in best] == keyboard.predict(other, budget=budget)
    keyboard.save(tmp_path / "keyboard.model")
    for same in (Keyboard.load(tmp_path / "keyboard.model"), pickle.loads(pickle.dumps(keyboard))):
        assert same.predict(other) == Keyboard.load(tmp_path / "keyboard.model").predict(other)
        assert same.family_ == family
    again = Keyboard(**SMALL, random_state=1, threads=1).fit(X, y)
    assert again.predict_n_best(other, 3) == keyboard.predict_n_best(other, 3)


def test_gestures_have_three_forms():
    X, y = swipes(30)
    text = [keys_of(points) for points in X]
    plain = Keyboard(**SMALL, family="alignment").fit(text, y)
    named = Keyboard(**SMALL, family="alignment").fit([{"keys": k} for k in text], y)
    nearest = Keyboard(**SMALL, family="alignment").fit(X, y)
    assert plain.predict(text) == named.predict(text) == nearest.predict(X)
    both = Keyboard(**SMALL).fit([{"keys": k, "points": p, "events": k + k[-1]} for k, p in zip(text, X)], y)
    assert both.family_ == "path"


def test_a_dictionary_comes_in_four_forms(tmp_path):
    X, y = swipes(30)
    path = tmp_path / "words.tsv"
    path.write_text("".join(f"{w}\t{c}\n" for w, c in WORDS.items()))
    of_file = Keyboard(**{**SMALL, "words": path}).fit(X, y)
    assert of_file.predict(X) == Keyboard(**SMALL).fit(X, y).predict(X)
    assert Keyboard(**{**SMALL, "words": list(WORDS)}).fit(X, y).report_["words"] == len(WORDS)
    assert Keyboard(**{**SMALL, "words": None}).fit(X, y).report_["words"] == len(set(y))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda X, y: Keyboard().fit(X, y[:-1]), "20 gestures and y has 19 words"),
        (lambda X, y: Keyboard().fit("abc", y), "list of gestures"),
        (lambda X, y: Keyboard().fit([3, *X[1:]], y), r"X\[0\]"),
        (lambda X, y: Keyboard().fit(["a7", *X[1:]], y), r"X\[0\]: .*a .. z"),
        (lambda X, y: Keyboard().fit(["", *X[1:]], y), r"X\[0\]"),
        (lambda X, y: Keyboard().fit([np.zeros((3, 3)), *X[1:]], y), r"X\[0\]: .*shape \(3, 3\)"),
        (lambda X, y: Keyboard().fit([np.full((3, 2), np.nan), *X[1:]], y), r"X\[0\]: the point 0 is"),
        (lambda X, y: Keyboard().fit([{"key": "a"}, *X[1:]], y), r"X\[0\] has 'key'"),
        (lambda X, y: Keyboard().fit([{"keys": 3}, *X[1:]], y), "need to be str"),
        (lambda X, y: Keyboard().fit(X, [3, *y[1:]]), r"y\[0\] is 3"),
        (lambda X, y: Keyboard().fit(X, ["!"] * 20), "no word has letters"),
        (lambda X, y: Keyboard().fit([], []), "no word has letters"),
        (lambda X, y: Keyboard(words={"the": 0}).fit(X, y), "the count 0"),
        (lambda X, y: Keyboard(words={"77": 1}).fit(X, y), r"words\[0\]"),
        (lambda X, y: Keyboard(words={"the": "x"}).fit(X, y), "argument words"),
        (lambda X, y: Keyboard(family="touch").fit(X, y), "family='touch'"),
        (lambda X, y: Keyboard(epsilon=2).fit(X, y), "epsilon=2"),
        (lambda X, y: Keyboard(**SMALL).fit(X, y).predict(["the"]), r"X\[0\]: .*no points"),
        (lambda X, y: Keyboard(**SMALL).fit(X, y).predict(X, budget="1s"), "time_limit"),
        (lambda X, y: Keyboard(**SMALL).fit(X, y).predict_n_best(X, 0), "n_best=0"),
        (lambda X, y: Keyboard().predict(X), "not fitted"),
    ],
)
def test_bad_arguments_are_named(make, text):
    with pytest.raises(ValueError, match=text):
        make(*swipes(20))


def test_a_file_that_is_no_model_is_refused(tmp_path):
    (tmp_path / "x.model").write_bytes(b"nothing of the kind")
    with pytest.raises(fovea.InputError):
        Keyboard.load(tmp_path / "x.model")


def test_ctrl_c_keeps_what_was_learned():
    X, y = swipes(300)
    text = [keys_of(points) for points in X]
    timer = threading.Timer(0.4, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    started = time.monotonic()
    keyboard = Keyboard(words=WORDS, passes=10**6).fit(text, y)
    assert keyboard.interrupted_ and time.monotonic() - started < 5
    assert len(keyboard.predict(text[:3])) == 3
    timer = threading.Timer(0.4, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        keyboard.predict(text * 30, budget="1e5 transitions/item")


def test_two_threads_read_at_once():
    X, y = swipes(40)
    keyboard = Keyboard(**SMALL).fit(X, y)
    expected, answers = keyboard.predict(X), []
    threads = [threading.Thread(target=lambda: answers.append(keyboard.predict(X))) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert answers == [expected] * 3


def test_memory_stays_flat():
    program = """
from test_gestures import SMALL, Keyboard, swipes
X, y = swipes(2)
def step(i):
    Keyboard(**SMALL, threads=1).fit(X, y).predict(X)
"""
    assert growth(program, times=230, warm_up=30) < 3e6


def test_words_before_count(tmp_path):
    X, y = swipes(80)
    text = tmp_path / "text.txt"
    text.write_text("have water\nhave water\nhave then\n")
    keyboard = Keyboard(**{**SMALL, "words": {**WORDS, "than": 20}}, text=str(text), random_state=1).fit(X, y)
    assert keyboard.report_["context_grams"] == 2

    def share(before):
        found = keyboard.predict_n_best([{"points": swipe("then", np.random.default_rng(3)), "before": before}], 12)[0]
        return dict(found)["then"]

    assert share(["have"]) > share([]) and share("have") == share(["so", "have"])
    with pytest.raises(fovea.UsageError, match="before"):
        keyboard.predict([{"points": X[0], "before": [3]}])
