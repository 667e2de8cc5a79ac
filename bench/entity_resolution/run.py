# SPDX-License-Identifier: Apache-2.0
"""How many factors must be looked at to cluster author mentions (section 4.2 of Singh, Wick and McCallum 2012, "Monte
Carlo MCMC")? Chains start from singletons; figures show B-cubed F1 against factors and CPU seconds of one thread. All
arms make the same proposals: within blocks of one surname and first initial, a mention joins the entity of another one,
or leaves for one of its own. The target is the plateau of the chain that looks at all factors, minus .01. Tables show
what an arm has spent when it gets there, as medians over seeds with the smallest and the largest in brackets; ratios
are taken within a seed.

A *row* arm compares the values of two records anew for every factor, as the paper's model does. The other arms look the
score of two values up in tables that were filled beforehand (`MatchModel::pairs_of`), as `fovea dedupe` does where they
fit into memory: a factor then costs a few nanoseconds. With `sums`, entities keep sums of scores, so that one look-up
stands for any number of factors. With `split`, 3 % of the steps split or merge entities. A last number is the least
number of factors that are drawn.

Delayed acceptance is left out: the only cheap guess of a sum of pair scores is such a sum of the entity, which is
exact. So is TunaMH: pair scores are bounded by about 10 nats, so that its batch is larger than all factors.

Both kinds of arms run the same chains, so that one plateau serves both, and *row* arms end a little behind it. Weights
are those of the preset for authors, learned from a fifth of the blocks; F1 is that of all mentions.
`python -m entity_resolution.run --quick` takes few seeds, prints and writes nothing.
"""
import dataclasses
import statistics

from entity_resolution import corpora
from harness import fovea, measure, task
from harness.results import Report

PAPER = {"exact": "1x", "fraction=0.5": "2.02x", "fraction=0.1": "6.77x", "fraction=0.02": "9.78x",
         "variance=0.1": "1.38x", "variance=1": "5.26x", "variance=10": "7.76x", "variance=100": "13.16x"}
PAPER_FACTORS = (106_850_725, 1_395_330_603)  # of i = 100 and of all factors, to .80
SEEDS, FEW_SEEDS, QUICK_SEEDS = 10, 5, 1
DRAWN = ("exact", "fraction=0.5", "fraction=0.2", "fraction=0.1", "fraction=0.01", "variance=0.1", "variance=1",
         "variance=10", "sequential=0.2=4")
PLANNED = ("planned=exact", "planned=bounded:0.05", "planned=estimate", "planned=exact+sums", "exact+split",
           "planned=exact+sums+split")
MANY = (*DRAWN, "fraction=0.05", "fraction=0.02", "width=1", "width=10", "variance=100", "variance=1=4",
        "variance=10=4", "variance=10=2", "sequential=0.05", "sequential=0.05=8", "bound", *PLANNED)
FEW = (*DRAWN, "variance=10=4", "sequential=0.05", "sequential=0.05=8", "bound", *PLANNED)
ROWS = ("exact", "fraction=0.1", "variance=1", "variance=10=4", "variance=10=2", "sequential=0.2=4",
        "planned=bounded:0.05", "planned=estimate")
FEW_ROWS = ("exact", "variance=1", "sequential=0.05=8", "planned=bounded:0.05")


def study(corpus, sweeps, seeds, arms):
    return fovea.study("entity_resolution_study", corpus.table, corpus.model, "entity", sweeps, 1, seeds, *arms)


def target_of(records):
    """The mean over seeds of the F1 at which the chain with all factors ends, minus .01."""
    return statistics.mean(record["f1"][-1] for record in records if record["arm"] in ("exact", "exact+rows")) - .01


def spent(record, target, key):
    """The cost at which an arm's F1 passes the target, between two points linearly; None if it does not."""
    i = next((i for i, f1 in enumerate(record["f1"]) if f1 >= target), None)
    if i is None or i == 0:
        return None if i is None else record[key][0]
    share = (target - record["f1"][i - 1]) / (record["f1"][i] - record["f1"][i - 1])
    return record[key][i - 1] + share * (record[key][i] - record[key][i - 1])


def savings(own, baseline):
    """How many times less than the baseline with the same seed; None unless all seeds get there."""
    return None if None in own or None in baseline else measure.ratios(baseline, own)


def add_row(report, title, arm, runs, own, saving):
    row = {"arm": arm, "F1 at the end": round(statistics.mean(run["f1"][-1] for run in runs), 4)}
    if saving["factors"] is None:
        row["factors"] = f"{sum(x is not None for x in own['factors'])} of {len(runs)} seeds get there"
    else:
        median = {key: statistics.median(values) for key, values in own.items()}
        row |= {"factors": round(median["factors"]), "look-ups": round(median["lookups"]), "seconds": median["seconds"],
                "factors a proposal": median["factors"] / median["proposals"],
                "times fewer factors": saving["factors"], "times fewer seconds": saving["seconds"]}
    report.add(table=title, row=row | {"the paper, to .80 on DBLP": PAPER.get(arm, "")})


def compare(report, title, records, target, ending=""):
    """Adds a row for each arm; returns arm -> {"factors": saving, "seconds": saving, "end": F1 at the end}."""
    arms = {}
    for record in records:
        arms.setdefault(record["arm"].removesuffix(ending), []).append(record)
    keys = ("proposals", "factors", "lookups", "seconds")
    own = {arm: {key: [spent(run, target, key) for run in runs] for key in keys} for arm, runs in arms.items()}
    found = {arm: {key: savings(own[arm][key], own["exact"][key]) for key in ("factors", "seconds")} for arm in arms}
    for arm, runs in arms.items():
        add_row(report, f"{title}, to F1 {target:.4f}", arm, runs, own[arm], found[arm])
        found[arm]["end"] = statistics.mean(run["f1"][-1] for run in runs)
    return found


def mean_curve(records, arm, key):
    runs = [record for record in records if record["arm"] == arm]
    points = zip(*(zip(run[key], run["f1"]) for run in runs))
    return [[statistics.mean(x) for x in zip(*point)] for point in points]


def draw(report, corpus, records, arms, ending=""):
    """Draws F1 against factors, next to the paper's, and against seconds; means over seeds."""
    for key, axis in (("factors", "factors examined"), ("seconds", "CPU seconds")):
        curves = [{"label": arm, "points": mean_curve(records, arm + ending, key)} for arm in arms]
        if key == "factors":
            curves.append({"label": "the paper to .80: i = 100, all factors", "published": True,
                           "points": [[factors, .8] for factors in PAPER_FACTORS]})
        report.add(figure=f"{report.task}-{corpus.name}-{key}.svg".replace("_", "-"), title=corpus.title, x=axis, y="B-cubed F1",
                   log_x=True, curves=curves)


def tables_title(corpus, records):
    return f"{corpus.title}, scores of values in tables, which are filled in {records[0]['table_seconds']:.2f} s"


@dataclasses.dataclass(frozen=True)
class Studied:
    target: float  # F1 to reach
    found: dict  # arm -> key -> saving
    records: list

    def seconds(self, arm):
        """Seconds to the target for each seed; tables are filled once."""
        return [spent(record, self.target, "seconds") + record.get("table_seconds", 0)
                for record in self.records if record["arm"] == arm]


def study_tables(report, corpus, arms, sweeps, seeds):
    records = study(corpus, sweeps, seeds, arms)
    target = target_of(records)
    draw(report, corpus, records, [arm for arm in DRAWN if arm in arms])
    return Studied(target, compare(report, tables_title(corpus, records), records, target), records)


def study_rows(report, corpus, arms, sweeps, seeds, target):
    records = study(corpus, sweeps, seeds, [f"{arm}+rows" for arm in arms])
    return Studied(target, compare(report, f"{corpus.title}, values compared anew", records, target, "+rows"), records)


def study_populous(report, corpus, rounds):
    """Adds proposals a second among the four largest entities of the corpus, and the bars."""
    records = fovea.study("entity_resolution_populous", corpus.table, corpus.model, "entity", 4, rounds, .3)
    arms = {}
    for record in records:
        arms.setdefault(record["arm"], []).append(record)
    rates = {arm: [run["proposals"] / run["seconds"] for run in runs] for arm, runs in arms.items()}
    title = f"Proposals a second among the four largest entities of {corpus.title}, {records[0]['mentions']} mentions"
    for arm, runs in arms.items():
        kind = arm.split(",")[0].replace("sums", "tables")
        report.add(table=title, row={
            "arm": arm, "a second": measure.summary(rates[arm]),
            "factors": statistics.mean(run["factors"] / run["proposals"] for run in runs),
            "look-ups": statistics.mean(run["lookups"] / run["proposals"] for run in runs),
            "times all factors": measure.ratios(rates[arm], rates[f"{kind}, all factors"])})
    for name, arm, baseline in (("sums", "sums, exact", "tables, all factors"),
                                ("estimate", "rows, estimate", "rows, all factors")):
        ratio = measure.ratios(rates[arm], rates[baseline])
        report.bar(f"resolution-proposals/{name}", ratio["median"], "entity_resolution_populous", spread=ratio)


def best(found):
    """The arm that saves most seconds among those that draw factors, whose seeds all get there, and that end at most .002
    below all factors: what ends lower has looked at too few."""
    end = found["exact"]["end"] - .002
    arms = [arm for arm in found
            if found[arm]["seconds"] and "sums" not in arm and arm != "exact" and found[arm]["end"] >= end]
    return max(arms, key=lambda arm: found[arm]["seconds"]["median"])


def add_bars(report, corpus, found, arm, bars, ending=""):
    """bars: key -> name."""
    for key, name in bars.items():
        saving = found[arm][key]
        report.bar(name, saving and saving["median"], note=arm, spread=saving,
                   command=f"entity_resolution_study {corpus.table.name} {corpus.model.name} ... {arm}{ending}")


def main():
    is_quick = task.wants_quick_run("Measure how many factors must be looked at.")
    seeds, few = (QUICK_SEEDS, QUICK_SEEDS) if is_quick else (SEEDS, FEW_SEEDS)
    report = Report("entity_resolution")
    report.add(text=__doc__)
    beard, acl, generated = corpora.beard72k(), corpora.acl187k(), corpora.generated(200_000)
    study_populous(report, beard, few)
    tables = study_tables(report, beard, MANY, 40, seeds)
    rows = study_rows(report, beard, ROWS, 24, few, tables.target)
    add_bars(report, beard, rows.found, best(rows.found),
             {"factors": "resolution-factors/beard72k", "seconds": "resolution-seconds/beard72k"}, "+rows")
    add_bars(report, beard, tables.found, best(tables.found), {"seconds": "resolution-tables/beard72k"})
    add_bars(report, beard, tables.found, "planned=exact+sums", {"seconds": "resolution-sums/beard72k"})
    tables = study_tables(report, acl, FEW, 24, few)
    add_bars(report, acl, tables.found, "planned=exact+sums", {"seconds": "resolution-seconds/acl187k"})
    tables = study_tables(report, generated, FEW, 24, few)
    study_rows(report, generated, FEW_ROWS, 17, few, tables.target)
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
