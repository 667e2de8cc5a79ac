# SPDX-License-Identifier: Apache-2.0
"""A tagger whose conditionals come from a neural network, in batches of 64: how many calls does a good labelling take?

The network (scikit-learn's MLPClassifier, 128 units) gives the tag of a word of UD English from hashed attributes of five words and
from the tags of its two neighbours on each side, of which a fifth were left out while it was trained, on true tags. All
arms ask the same network. They begin with the same labels: at random, or each word's most frequent tag. The rivals: sweeps
over all words, 8 of them or until nothing changes; and the usual order of confidence (as in mask-predict), which begins
with all tags unknown, asks for all that still are, and keeps the share of them that is most certain, in 4 to 16 steps. Networks are
trained with five seeds; medians, smallest and largest.
"""
import collections
import statistics
import time

from harness import data, task
from harness.results import Report

SEEDS = range(1, 6)
BATCH = 64
TRAINED_ON, SCORED = 25_000, 8_000  # words
STEPS = (4, 8, 16)
NOISE = 0.2
ATTRIBUTES = 4096


def words_of(path, limit):
    """The first sentences, of (word, tag), that hold `limit` words together."""
    sentences, count = [], 0
    for block in path.read_text(encoding="utf-8").strip("\n").split("\n\n"):
        sentences.append([tuple(line.split("\t")) for line in block.split("\n")])
        count += len(sentences[-1])
        if count >= limit:
            break
    return sentences


def attributes_of(sentences):
    from sklearn.feature_extraction import FeatureHasher

    def of_word(sentence, t):
        for d in range(-2, 3):
            word = sentence[t + d][0] if 0 <= t + d < len(sentence) else "_"
            yield f"{d}={word.lower()}"
            if abs(d) < 2:
                yield from (f"{d}-{n}={word[-n:]}" for n in (1, 2, 3))
                yield f"{d}s={word[:1].isupper()}{any(c.isdigit() for c in word)}{'-' in word}"

    rows = (list(of_word(s, t)) for s in sentences for t in range(len(s)))
    return FeatureHasher(ATTRIBUTES, input_type="string", alternate_sign=False).transform(rows).tocsr()


class NeuralTagger:
    """Words of sentences laid end to end, as fovea.mcmc asks for them."""

    def __init__(self, network, sentences, tags):
        import numpy as np

        self.network, self.tags = network, tags
        self.attributes = attributes_of(sentences)
        number = {tag: k for k, tag in enumerate(tags)}
        self.gold = np.array([number.get(tag, -1) for s in sentences for _, tag in s])
        sentence = np.repeat(np.arange(len(sentences)), [len(s) for s in sentences])
        n = len(self.gold)
        self.cardinalities = [len(tags)] * n
        self.around = np.full((n, 4), -1)  # the words two before to two after, -1 where the sentence ends
        for column, d in enumerate((-2, -1, 1, 2)):
            other = np.arange(n) + d
            inside = (other >= 0) & (other < n)
            inside[inside] = sentence[other[inside]] == sentence[inside]
            self.around[inside, column] = other[inside]
        self.calls, self.words, self.seconds = 0, 0, 0.0

    def neighbours(self, v):
        return [int(other) for other in self.around[v] if other >= 0]

    def conditional_scores(self, sites, assignment):
        began = time.perf_counter()
        scores = log_probabilities(self.network, self.attributes[sites], self.tags_around(sites, assignment[0]))
        self.calls, self.words = self.calls + 1, self.words + len(sites)
        self.seconds += time.perf_counter() - began
        return scores[None]

    def tags_around(self, sites, assignment):
        """[site][one of four neighbours], -1 where it is not known."""
        import numpy as np

        around = self.around[sites]
        return np.where(around >= 0, np.asarray(assignment)[around], -1)

    def accuracy(self, assignment):
        return float((assignment == self.gold).mean())


def one_hot(tags_around, tags):
    import numpy as np
    from scipy import sparse

    rows, columns = np.nonzero(tags_around >= 0)
    places = columns * tags + tags_around[rows, columns]
    return sparse.csr_matrix((np.ones(len(rows)), (rows, places)), shape=(len(tags_around), 4 * tags))


def log_probabilities(network, attributes, tags_around):
    from scipy import sparse

    return network.predict_log_proba(sparse.hstack([attributes, one_hot(tags_around, len(network.classes_))]).tocsr())


def trained(sentences, tags, seed):
    import numpy as np
    from scipy import sparse
    from sklearn.neural_network import MLPClassifier

    tagger = NeuralTagger(None, sentences, tags)
    around = tagger.tags_around(np.arange(len(tagger.gold)), tagger.gold)
    around = np.where(np.random.default_rng(seed).random(around.shape) < NOISE, -1, around)
    inputs = sparse.hstack([tagger.attributes, one_hot(around, len(tags))]).tocsr()
    return MLPClassifier((128,), max_iter=4, random_state=seed).fit(inputs, tagger.gold)


def start_of(tagger, sentences, training, kind, seed):
    import numpy as np

    if kind == "random tags":
        return np.random.default_rng(seed).integers(len(tagger.tags), size=len(tagger.gold))
    counts = collections.defaultdict(collections.Counter)
    for sentence in training:
        for word, tag in sentence:
            counts[word][tag] += 1
    common = collections.Counter(tag for s in training for _, tag in s).most_common(1)[0][0]
    number = {tag: k for k, tag in enumerate(tagger.tags)}
    best = [counts[w].most_common(1)[0][0] if w in counts else common for s in sentences for w, _ in s]
    return np.array([number[tag] for tag in best])


def by_confidence(tagger, steps):
    """Keeps the most certain tags of those not yet known, an equal number in each step."""
    import numpy as np

    n = len(tagger.gold)
    assignment = np.full(n, -1)
    for step in range(steps):
        unknown = np.flatnonzero(assignment < 0)
        scores = np.concatenate([tagger.conditional_scores(unknown[i:i + BATCH], assignment[None])[0]
                                 for i in range(0, len(unknown), BATCH)])
        best = scores.max(axis=1)
        kept = np.argsort(-best)[: -(-n * (step + 1) // steps) - (n - len(unknown))]
        assignment[unknown[kept]] = scores[kept].argmax(axis=1)
    return assignment


def arms(start):
    from fovea.mcmc import anneal

    words = len(start)
    found = {"sweeps, 8": lambda t: anneal(t, start=start, order="cyclic", budget=f"{8 * words} transitions").assignment,
             "sweeps until nothing changes": lambda t: anneal(t, start=start, order="cyclic").assignment}
    found |= {f"by confidence, {steps} steps": lambda t, steps=steps: by_confidence(t, steps) for steps in STEPS}
    found |= {f"learned on the way, regret {regret}": lambda t, regret=regret: anneal(t, start=start, regret=regret).assignment
              for regret in (0, 0.001, 0.01)}
    return found


def measured(network, sentences, tags, training, kind, seed):
    records = []
    tagger = NeuralTagger(network, sentences, tags)
    for name, arm in arms(start_of(tagger, sentences, training, kind, seed)).items():
        tagger.calls, tagger.words, tagger.seconds = 0, 0, 0.0
        began = time.perf_counter()
        accuracy = tagger.accuracy(arm(tagger))
        records.append({"arm": name, "accuracy": accuracy, "calls": tagger.calls,
                        "visits": tagger.words / len(tagger.gold), "seconds": time.perf_counter() - began})
    return records


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def add_table(report, kind, runs):
    by_arm = collections.defaultdict(list)
    for records in runs:
        for record in records:
            by_arm[record["arm"]].append(record)
    for arm, records in by_arm.items():
        report.add(table=f"From {kind}: five networks, {SCORED} words", row={
            "order": arm, "accuracy, %": spread([100 * r["accuracy"] for r in records], 2),
            "calls": spread([r["calls"] for r in records], 0), "visits a word": spread([r["visits"] for r in records], 2),
            "seconds": spread([r["seconds"] for r in records], 2)})
    return by_arm


def bars(report, name, by_arm):
    ours = by_arm["learned on the way, regret 0.001"]
    for rival, rival_name in (("sweeps, 8", "sweeps"), ("by confidence, 8 steps", "confidence")):
        calls = [theirs["calls"] / mine["calls"] for theirs, mine in zip(by_arm[rival], ours)]
        seconds = [theirs["seconds"] / mine["seconds"] for theirs, mine in zip(by_arm[rival], ours)]
        gap = [100 * (mine["accuracy"] - theirs["accuracy"]) for theirs, mine in zip(by_arm[rival], ours)]
        for what, ratios in (("calls", calls), ("seconds", seconds)):
            report.bar(f"costly/{name}-{what}-{rival_name}", statistics.median(ratios), "bench/run.sh costly_oracle",
                       note=f"{min(ratios):.2f} to {max(ratios):.2f}; accuracy {spread(gap, 2)} points higher")


def main():
    import numpy  # noqa: F401 a missing package is said before the training

    training = words_of(data.split("pos")[0], TRAINED_ON)
    sentences = words_of(data.prepare("pos", "dev"), SCORED)
    tags = sorted({tag for s in training for _, tag in s})
    report = Report("costly_oracle")
    report.add(text=__doc__)
    networks = {seed: trained(training, tags, seed) for seed in SEEDS}
    for kind, name in (("random tags", "random"), ("each word's most frequent tag", "frequent")):
        runs = [measured(network, sentences, tags, training, kind, seed) for seed, network in networks.items()]
        bars(report, name, add_table(report, kind, runs))
    report.write()


if __name__ == "__main__":
    task.run(main)
