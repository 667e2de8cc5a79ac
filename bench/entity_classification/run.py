# SPDX-License-Identifier: Apache-2.0
"""An entity's type is decided by 100 factors (section 4.1 of Singh, Wick and McCallum 2012, "Monte Carlo MCMC"). How
close does the marginal of a Gibbs sampler come to the true one, by the number of factors that it has examined? Figures
are means of 100 models, with their standard error.

Scores are N(.5, 1) under the true label and N(-.5, 1) under the other. As printed, the model adds 100 of them up, so
that the true marginal is 1 within 1e-20 and any estimate will do; with their mean instead, marginals are near .73.
"variance" stops drawing when the variance of the mean falls below i, which agrees with the counts in the paper's
figure; "width" is the width of the confidence interval, as the paper prints it.
"""
from entity_classification import command_line
from harness import fovea, task
from harness.results import Report

SHOWN = (100, 1000, 10_000, 100_000, 1_000_000)  # factors examined
DRAWN = ("p = 1.0", "p = 0.5", "p = 0.2", "p = 0.1", "variance < 0.1", "variance < 0.05", "variance < 0.01",
         "variance < 0.001")
TITLES = {"mean": "mean of the factors", "sum": "sum of the factors, as printed"}


def nearest(record, count):
    """The index of the point that was taken after this number of factors."""
    return min(range(len(record["factors"])), key=lambda i: abs(record["factors"][i] - count))


def shown(record, count):
    i = nearest(record, count)
    return f"{record['error'][i]:.4f} ({record['standard_error'][i]:.4f})"


def main():
    report = Report("entity_classification")
    report.add(text=__doc__)
    records = fovea.study("entity_classification_study")
    for scoring, title in TITLES.items():
        chosen = [record for record in records if record["scoring"] == scoring]
        for record in chosen:
            report.add(table=f"Error of the marginal by number of factors: {title}",
                       row={"estimate": record["estimator"], **{f"{n:,}": shown(record, n) for n in SHOWN}})
    curves = [{"label": record["estimator"], "points": list(map(list, zip(record["factors"], record["error"])))}
              for record in records if record["scoring"] == "mean" and record["estimator"] in DRAWN]
    report.add(figure="entity-classification.svg", title="Marginal of an entity's type", x="factors examined",
               y="error of the marginal", log_x=True, curves=curves)
    command_line.add_to(report)
    report.write()


if __name__ == "__main__":
    task.run(main)
