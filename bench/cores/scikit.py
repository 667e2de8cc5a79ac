# SPDX-License-Identifier: Apache-2.0
"""Fits scikit-learn's logistic regression to a table with the target y, as its users would for few columns."""
import sys

import pandas
from sklearn.linear_model import LogisticRegression

table = pandas.read_csv(sys.argv[1])
model = LogisticRegression(solver="newton-cholesky", C=10, max_iter=100)
model.fit(table.drop(columns="y").to_numpy(), table["y"].to_numpy())
print(model.coef_.tolist())
