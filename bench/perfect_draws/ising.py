# SPDX-License-Identifier: Apache-2.0
"""Square Ising models without a field, and the exact law of their energy's mean and variance."""
import cmath
import math

import numpy as np
import scipy.sparse
import scipy.sparse.linalg


def edges(side):
    across = [(i * side + j, i * side + j + 1) for i in range(side) for j in range(side - 1)]
    down = [(i * side + j, (i + 1) * side + j) for i in range(side - 1) for j in range(side)]
    return across + down


def write_uai(path, side, beta):
    pairs, same, other = edges(side), math.exp(beta), math.exp(-beta)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"MARKOV\n{side * side}\n{' '.join(['2'] * side * side)}\n{len(pairs)}\n")
        file.writelines(f"2 {a} {b}\n" for a, b in pairs)
        file.writelines(f"\n4\n{same} {other} {other} {same}\n" for _ in pairs)


def log_partition(side, beta):
    """By Kac and Ward's determinant (1952), which is exact on planar graphs: Z^2 = (2^V prod cosh beta)^2 det(1 - W),
    where W leads from one directed edge to the next, tanh(beta) times e^(i angle / 2), without turning back."""
    pairs = edges(side)
    directed = pairs + [(b, a) for a, b in pairs]
    leaving = {}
    for number, (a, _) in enumerate(directed):
        leaving.setdefault(a, []).append(number)

    def direction(edge):
        (y0, x0), (y1, x1) = (divmod(point, side) for point in edge)
        return math.atan2(y1 - y0, x1 - x0)

    rows, columns, values = [], [], []
    for number, edge in enumerate(directed):
        for following in leaving[edge[1]]:
            if directed[following][1] == edge[0]:
                continue
            turn = direction(directed[following]) - direction(edge)
            turn = (turn + math.pi) % (2 * math.pi) - math.pi
            rows.append(number)
            columns.append(following)
            values.append(-math.tanh(beta) * cmath.exp(.5j * turn))
    size = len(directed)
    matrix = scipy.sparse.csc_matrix((values, (rows, columns)), shape=(size, size)) + scipy.sparse.identity(size)
    factors = scipy.sparse.linalg.splu(scipy.sparse.csc_matrix(matrix))
    log_determinant = np.log(np.abs(factors.U.diagonal())).sum() + np.log(np.abs(factors.L.diagonal())).sum()
    return side * side * math.log(2) + len(pairs) * math.log(math.cosh(beta)) + log_determinant / 2


def energy_moments(side, beta, step=2e-3):
    """Mean and variance of the sum of s_a s_b over all edges: derivatives of log Z."""
    low, middle, high = (log_partition(side, beta + shift) for shift in (-step, 0, step))
    return (high - low) / (2 * step), (high - 2 * middle + low) / step**2


def energies(draws, side):
    """draws: [draw][point], 0 or 1."""
    spins = 2 * draws.reshape(-1, side, side) - 1
    return (spins[:, :, 1:] * spins[:, :, :-1]).sum((1, 2)) + (spins[:, 1:] * spins[:, :-1]).sum((1, 2))
