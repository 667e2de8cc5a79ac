# SPDX-License-Identifier: Apache-2.0
"""Pages for people (`fovea dedupe --report-html`) in a headless Chromium: how large and how fast is one of 100,000 pairs,
and what are 100 labels worth that somebody gives there by keys? Made-up registers, five seeds each; answers are the truth.
"""
import csv
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

from harness import fovea, measure, task
from harness.results import ROOT, Report

sys.path.insert(0, str(ROOT / "tests" / "browser"))
os.environ.setdefault("FOVEA_PROGRAM", str(pathlib.Path(fovea.folder()) / "fovea"))

COMMAND = "bench/run.sh report_pages"
COMPARE = "given:jaro_winkler, surname:jaro_winkler, born:date, street:words, postcode, city:edits"
# Few columns, so that labels have something to add.
FEW = "given:jaro_winkler, surname:jaro_winkler, city:edits"
BLOCK = "surname, born, phone"
FILTER = """
const done = arguments[1], box = document.querySelector("section:has(.detail) input[type=search]"), begin = performance.now();
box.value = arguments[0];
box.dispatchEvent(new Event("input"));
requestAnimationFrame(() => done((performance.now() - begin) / 1000));
"""
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


def register(folder, seed, records, duplicates, errors):
    path = folder / f"people{seed}.csv"
    measure.run(fovea.command("generate", "people", "-q", "--records", records, "--duplicates", duplicates, "--errors",
                              errors, "--seed", seed, "-o", path))
    return path


def tab_memory():
    """Megabytes of the largest process that draws a page."""
    most = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                status = (process / "status").read_text()
                most = max(most, int(status.split("VmRSS:")[1].split()[0]) / 1024)
        except (OSError, IndexError):
            continue  # it has ended
    return most


def open_page(path):
    from browser import open_browser

    browser = open_browser()
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(path.parent)})
    browser.get(path.as_uri())
    return browser


def pairs_of(browser):
    data = json.loads(browser.find_element("css selector", "#data").get_attribute("textContent"))
    return next(block for block in data["blocks"] if block["type"] == "pairs")


def measure_page(folder, seed, records):
    """Size, first paint, filter and memory of the page of a register."""
    table, page = register(folder, seed, records, 1, 1), folder / "page.html"
    fovea.run_json("dedupe", table, "--compare", COMPARE, "--block", BLOCK, "--json", "-o", folder / "out.csv",
                   "--report-html", page)
    browser = open_page(page)
    row = {"seed": seed, "pairs": len(pairs_of(browser)["pairs"]), "paint": browser.execute_script(PAINT)}
    row["filter"] = max(browser.execute_async_script(FILTER, word) for word in ("mar", "zzz", "b", "1970"))
    browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    row["memory"] = tab_memory()
    browser.quit()
    row["bytes"] = page.stat().st_size / row["pairs"]
    return row


def label(page, entity, count):
    """Says by keys what is true of the first pairs, and saves the labels."""
    from selenium.webdriver.common.keys import Keys

    browser = open_page(page)
    block = pairs_of(browser)
    node = browser.find_element("css selector", "[aria-label='Pairs, the most doubtful first']")
    node.send_keys(Keys.HOME)
    for first, second, *_ in block["pairs"][:count]:
        node.send_keys("y" if entity[block["ids"][first]] == entity[block["ids"][second]] else "n")
    next(button for button in browser.find_elements("css selector", "button") if button.text.startswith("Save")).click()
    saved = page.parent / "labels.csv"
    for _ in range(100):
        if saved.exists():
            break
        time.sleep(.1)
    browser.quit()
    return saved


def measure_labels(folder, seed, records, compare):
    """Pair F1 before and after 100 labels."""
    table, page = register(folder, seed, records, .5, 2), folder / "page.html"
    with open(table, encoding="utf-8") as file:
        entity = {row["id"]: row["entity"] for row in csv.DictReader(file)}
    words = ("dedupe", table, "--compare", compare, "--block", BLOCK, "--gold", "entity", "--json", "-o", folder / "out.csv")
    before = fovea.run_json(*words, "--report-html", page)["metrics"]["pairs"]["f1"]
    saved = label(page, entity, 100)
    after = fovea.run_json(*words, "--labelled-pairs", saved)["metrics"]["pairs"]["f1"]
    saved.unlink()
    return {"seed": seed, "before": before, "after": after, "gain": after - before}


def main():
    quick = task.wants_quick_run(__doc__)
    seeds = range(1, 3 if quick else 6)
    report = Report("report_pages")
    report.add(text=__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pages = [measure_page(folder, seed, 3_000 if quick else 150_000) for seed in seeds]
        for row in pages:
            report.add(table="One page", row={
                "seed": row["seed"], "pairs": row["pairs"], "bytes a pair": round(row["bytes"]), "first paint, s": round(row["paint"], 2),
                "slowest of four filters, s": round(row["filter"], 3), "memory of the tab, MB": round(row["memory"])})
        gains = []
        for title, compare in (("all columns", COMPARE), ("three columns", FEW)):
            for seed in seeds:
                row = measure_labels(folder, seed, 1_000 if quick else 10_000, compare)
                gains.append((title, row["gain"]))
                report.add(table="100 labels by keys", row={
                    "comparisons": title, "seed": seed, "pair F1 before": round(100 * row["before"], 2),
                    "after": round(100 * row["after"], 2), "gain": round(100 * row["gain"], 2)})
    report.bar("pages/size", max(row["bytes"] for row in pages) / 1000, COMMAND)
    report.bar("pages/paint", max(row["paint"] for row in pages), COMMAND)
    report.bar("pages/filter", max(row["filter"] for row in pages), COMMAND)
    report.bar("pages/memory", max(row["memory"] for row in pages), COMMAND)
    report.bar("pages/labels-worst", 100 * min(gain for _, gain in gains), COMMAND)
    few = [100 * gain for title, gain in gains if title == "three columns"]
    report.bar("pages/labels-few", statistics.mean(few), COMMAND, spread={"min": min(few), "max": max(few)})
    report.finish(quick)


if __name__ == "__main__":
    task.run(main)
