# SPDX-License-Identifier: Apache-2.0
"""The rivals, each as a function of training rows, their classes and the rows to predict. They choose their settings
by cross-validation on the training rows. Missing numbers become means, categories indicators."""
import warnings

import numpy as np
from imodels import GreedyRuleListClassifier
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

warnings.filterwarnings("ignore")


def inputs():
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    categories = make_pipeline(SimpleImputer(strategy="constant", fill_value="?"),
                               OneHotEncoder(handle_unknown="ignore", drop="if_binary"))
    return make_column_transformer((numbers, make_column_selector(dtype_include="number")),
                                   (categories, make_column_selector(dtype_exclude="number")), sparse_threshold=0)


def majority(X, y, more):
    return np.full(len(more), y.value_counts().index[0])


def logistic(X, y, more):
    return make_pipeline(inputs(), LogisticRegressionCV(Cs=10, cv=5, max_iter=5000)).fit(X, y).predict(more)


def tree(X, y, more):
    """Of depth 4, or less where cross-validation prefers that."""
    model = make_pipeline(inputs(), DecisionTreeClassifier(random_state=0))
    return GridSearchCV(model, {"decisiontreeclassifier__max_depth": [1, 2, 3, 4]}, cv=5).fit(X, y).predict(more)


def rule_list(X, y, more):
    """A greedy decision list."""
    rarer = y.value_counts().index[-1]
    model = make_pipeline(inputs(), GreedyRuleListClassifier())
    grid = {"greedyrulelistclassifier__max_depth": [1, 2, 3, 5, 8]}
    found = GridSearchCV(model, grid, cv=5).fit(X, (y == rarer).astype(int)).predict(more)
    return np.where(np.asarray(found).astype(int) == 1, rarer, y.value_counts().index[0])


def ripper(X, y, more):
    """Cohen's RIPPER for the rarer class."""
    import wittgenstein

    rarer, other = y.value_counts().index[-1], y.value_counts().index[0]
    X, more = X.copy(), more.copy()
    for column in X.columns:
        if X[column].dtype.kind in "if":
            X[column], more[column] = X[column].fillna(X[column].mean()), more[column].fillna(X[column].mean())
        else:
            X[column], more[column] = X[column].astype(object).fillna("?"), more[column].astype(object).fillna("?")
    model = wittgenstein.RIPPER(random_state=1)
    model.fit(X, (y == rarer).to_numpy(), pos_class=True)
    return np.where(model.predict(more), rarer, other)


ALL = {"majority": majority, "logistic": logistic, "tree": tree, "rule list": rule_list, "RIPPER": ripper}
