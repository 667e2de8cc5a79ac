# SPDX-License-Identifier: Apache-2.0
"""Reads figures off curves."""
import statistics

MARGIN = 0.005  # half a point below the ceiling counts as reaching it


def cost_to_reach(points, target):
    """The least x at which the piecewise linear curve through (x, y) points, x ascending, reaches y = target; None if
    it does not."""
    before = None
    for x, y in points:
        if y >= target:
            if before is None:
                return x
            x0, y0 = before
            return x0 + (target - y0) / (y - y0) * (x - x0)
        before = x, y
    return None


def saving(baseline, learned, cost):
    """How many times less than `cost` the learned schedule needs to be as good as the baseline there; None if it never
    is. `cost` is the x of one of the baseline's points."""
    reached = cost_to_reach(learned, dict(baseline)[cost])
    return None if reached is None else cost / reached


def quality(setting):
    return statistics.mean(setting["quality"])


def tuning_quality(setting):
    return setting["tuning_quality"]


def picked(settings, target, cost):
    """The setting of least cost among those that reach the target on the tuning text, or the best one there."""
    reaching = [s for s in settings if tuning_quality(s) >= target]
    return min(reaching, key=cost) if reaching else max(settings, key=tuning_quality)


def frontier(settings, cost):
    """(cost, quality) points of the settings, each better than all that cost less."""
    points, best = [], 0
    for x, y in sorted((cost(s), quality(s)) for s in settings):
        if y > best:
            points.append((x, y))
            best = y
    return points


def median_seconds(setting):
    return statistics.median(setting["seconds"])
