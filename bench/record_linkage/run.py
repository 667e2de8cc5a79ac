# SPDX-License-Identifier: Apache-2.0
"""Finding the records of one entity without labels, against Splink on DuckDB: whole processes, from a table to its
clusters or links. Data without targets are run once.

For both tools, columns and rules are the best by the gold labels of some that were tried; those of
`people`, 300,000 made-up people in households, by another seed of theirs. For all else, the threshold
too, Fovea has its defaults, and Splink what is best by the gold labels (`splink_jobs.py`). Both read the same prepared
tables and use as many threads as there are. Pairs are those of records in one cluster, or links.
"""
import csv
import dataclasses
import pathlib
import sys

from harness import fovea, measure, records, task
from harness.data import CACHE
from harness.results import Report

HERE = pathlib.Path(__file__).resolve().parent
OUTPUTS = CACHE / "linkage"
TOOLS = {"fovea": "Fovea", "splink": "Splink 5.0.0"}


@dataclasses.dataclass(frozen=True)
class Matching:
    """The settings that Fovea is given."""
    compare: str
    block: str
    more: tuple = ()
    targets: bool = True  # whether bench/bars.json has them for it


MATCHINGS = {
    "RLdata10000": Matching(
        "fname_c1:jaro_winkler, lname_c1:jaro_winkler, fname_c2, by:edits, bm:edits, bd:edits",
        "fname_c1+lname_c1, by+bm+bd, fname_c1+by+bm, lname_c1+by+bm, fname_c1+bm+bd, lname_c1+bm+bd, fname_c1+by+bd, "
        "lname_c1+by+bd", ("--missing", "NA")),
    "febrl_3": Matching(
        "given_name+surname:words, address_1:jaro_winkler, address_2:jaro_winkler, "
        "suburb:jaro_winkler, postcode:edits, state, street_number:edits, soc_sec_id:edits, date_of_birth:date",
        "soc_sec_id, date_of_birth, given_name+surname, surname+postcode, given_name+postcode, address_1, "
        "suburb+surname, suburb+given_name, postcode+street_number, suburb+postcode, "
        "prefix(address_1, 4)+street_number"),
    "coraLarge": Matching(
        "title:jaro_winkler, author:words, published, source:words, pages:words, volume:words",
        "title, prefix(title, 12), pages, prefix(author, 6)+published"),
    "DBLP2_ACM": Matching(
        "title:words, prefix(title, 20):jaro_winkler, authors:words, year, venue", "prefix(title, 10), prefix(authors, 6)+year, year+venue",
        ("--one-to-one",)),
    "people": Matching(
        "given:given_name, surname:jaro_winkler, born:date, street:jaro_winkler, house, postcode, phone:edits, email",
        "surname+given, born, phone, email, postcode+given, house+postcode"),
    "beard72k": Matching(
        "surname:jaro_winkler, given:given_name, affiliation:words", "surname+initial(given)", targets=False),
    "acl187k_abbrev": Matching(
        "first:given_name, last, coauthors:elements, venue, year:number, title:words", "last+initial(first)",
        targets=False),
}


def fovea_command(name, data, output):
    matching = MATCHINGS[name]
    return fovea.command("link" if len(data.tables) > 1 else "dedupe", *data.tables, "--compare", matching.compare,
                         "--block", matching.block, *matching.more, "-o", output)


def splink_command(name, data, output):
    return [sys.executable, HERE / "splink_peer.py", name, *data.tables, output]


def cluster_scores(data, output):
    scores = fovea.run_json("eval", "clusters", output, "--gold", "entity", "--gold-file", data.gold,
                            "--json")
    return {"pair F1": scores["pairs"]["f1"], "precision": scores["pairs"]["precision"],
            "recall": scores["pairs"]["recall"], "B-cubed F1": scores["b_cubed"]["f1"]}


def _links(path, unscored):
    with open(path, encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines)
    return {(first, second) for first, second, *_ in rows if first not in unscored and second not in unscored}


def link_scores(data, output):
    gold, found = _links(data.gold, data.unscored), _links(output, data.unscored)
    correct = len(gold & found)
    return {"pair F1": 2 * correct / (len(gold) + len(found)), "precision": correct / max(1, len(found)),
            "recall": correct / len(gold), "B-cubed F1": ""}


def compare(name, rounds):
    print(f"  {name}", file=sys.stderr, flush=True)
    data = records.prepare(name)
    outputs = {tool: OUTPUTS / f"{name}.{tool}.csv" for tool in TOOLS}
    commands = {"fovea": fovea_command(name, data, outputs["fovea"]),
                "splink": splink_command(name, data, outputs["splink"])}
    runs = measure.interleaved({tool: lambda c=command: measure.run(c) for tool, command in commands.items()}, rounds)
    score = link_scores if len(data.tables) > 1 else cluster_scores
    return {"name": name, "runs": runs, "shown": fovea.shown(commands["fovea"]),
            "scores": {tool: score(data, output) for tool, output in outputs.items()},
            "speed": measure.ratios([r.seconds for r in runs["splink"]], [r.seconds for r in runs["fovea"]])}


def add_rows(report, result):
    for tool, label in TOOLS.items():
        scores = {what: round(value, 4) if value else "" for what, value in result["scores"][tool].items()}
        report.add(table="Duplicates and links, without labels", row={
            "data": result["name"] if tool == "fovea" else "", "tool": label, **scores,
            "seconds": measure.summary(r.seconds for r in result["runs"][tool]),
            "times faster": result["speed"] if tool == "fovea" else "",
            "peak MB": measure.summary(r.peak_mb for r in result["runs"][tool])})


def add_bars(report, result):
    ours, theirs = (result["scores"][tool]["pair F1"] for tool in TOOLS)
    report.bar(f"linkage-f1/{result['name']}", ours - theirs, result["shown"], note=f"{ours:.4f} and {theirs:.4f}")
    report.bar(f"linkage-speed/{result['name']}", result["speed"]["median"], result["shown"], spread=result["speed"])


def main(rounds=5):
    OUTPUTS.mkdir(parents=True, exist_ok=True)
    report = Report("record_linkage")
    report.add(text=__doc__)
    for name, matching in MATCHINGS.items():
        result = compare(name, rounds if matching.targets else 1)
        add_rows(report, result)
        if matching.targets:
            add_bars(report, result)
    report.write()


if __name__ == "__main__":
    task.run(main)
