// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/rule_learner.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "fovea/base/parallel.h"
#include "fovea/synthesis/rule/linear_scores.h"
#include "fovea/synthesis/rule/rule_search.h"

namespace fovea::synthesis {
namespace {

/// Penalties of a summand, as shares of the rows' weight; the empty rule has the first.
constexpr std::array kPenalties = {std::numeric_limits<double>::infinity(), .04, .02, .01, .005, .0025, .00125, .0006};
/// The length without cross-validation.
constexpr std::size_t kMiddlingPenalty = 3;
/// Words of bits that one search at one penalty may look at, and its least and largest number of steps.
constexpr double kWordsPerSearch = 3e7, kWordsPerStep = 150;
constexpr double kLeastSteps = 4000, kMostSteps = 120000;
/// Small tables are divided into folds several times, until these numbers of rows or divisions are reached.
constexpr std::size_t kRowsToValidate = 1500, kMostDivisions = 4;
/// A rule for one of two classes must be better than none by this number of standard errors: where it is not, chance
/// gives as much in one case of twenty.
constexpr double kEvidence = 1.645;
/// Share of the time left that cross-validation may take.
constexpr double kValidationShare = .6;
/// Bits of all comparisons may take this number of bytes; of larger tables, fewer bounds are tried, but this number.
constexpr double kMostPoolBytes = 5e8;
constexpr std::size_t kLeastBounds = 4;
/// The final search has more steps.
constexpr double kFinalEffort = 4;

std::vector<bool> is_of_class(const RuleExamples& examples, std::uint32_t wanted) {
  std::vector<bool> result;
  for (const std::uint32_t one : examples.class_of) result.push_back(one == wanted);
  return result;
}

std::size_t bounds_within_memory(const RuleTable& table, int wanted) {
  const double bytes_of_bound =
      static_cast<double>(table.row_count) / 8 * 2 * static_cast<double>(table.columns.size());
  const auto most = static_cast<std::size_t>(kMostPoolBytes / std::max(bytes_of_bound, 1.0));
  return std::min(static_cast<std::size_t>(wanted), std::max(most, kLeastBounds));
}

/// The lengths of rules: by penalty, from the empty one to longer ones, and then those of one comparison.
constexpr std::size_t kLengths = kPenalties.size() + LinearScores::kLassos;

/// Rules of one class, of all lengths, learned on some rows.
class RulePath {
 public:
  RulePath(const RuleExamples& examples, std::uint32_t of_class, const RuleLearningOptions& options, double effort,
           Random random)
      : examples_(examples),
        positive_(is_of_class(examples, of_class)),
        most_summands_(options.variables == 0 ? std::numeric_limits<std::size_t>::max()
                                              : static_cast<std::size_t>(options.variables)),
        scores_(linear_scores(examples, positive_, random.child("scores"))),
        pool_(examples, positive_, sums(), bounds_within_memory(examples.table, options.bounds)),
        search_(pool_, examples, positive_,
                {.terms = static_cast<std::size_t>(options.terms), .atoms = static_cast<std::size_t>(options.atoms)},
                random.child("search")) {
    const double words = static_cast<double>((examples.table.row_count + 63) / 64) * 8 + kWordsPerStep;
    steps_ = static_cast<std::uint64_t>(effort * std::clamp(kWordsPerSearch / words, kLeastSteps, kMostSteps));
  }

  /// Lengths must be asked for in ascending order.
  RuleFormula rule(std::size_t length, const Stop& stop) {
    if (length < kPenalties.size()) {
      if (std::isfinite(kPenalties[length]))
        best_ = search_.search(kPenalties[length] * search_.total_weight(), steps_, best_, stop);
      return search_.formula(best_);
    }
    const LinearScore& score = scores_.lassos[length - kPenalties.size()];
    if (score.sum.empty() || score.sum.size() > most_summands_) return {};
    return {.disjuncts = {{likelier_than_not(score)}}};
  }

  /// Share of the rows' weight that the rule gets wrong.
  double error(const RuleFormula& rule) const {
    double wrong = 0, all = 0;
    for (std::size_t row = 0; row < examples_.table.row_count; ++row) {
      all += examples_.weight(row);
      if (rule.holds(examples_.table, row) != positive_[row]) wrong += examples_.weight(row);
    }
    return all > 0 ? wrong / all : 0;
  }

 private:
  /// Scores that are sums of several columns, each once.
  std::vector<LinearScore> sums() const {
    std::vector<LinearScore> result;
    for (const std::vector<LinearScore>* of : {&scores_.lassos, &scores_.pairs})
      for (const LinearScore& score : *of)
        if (score.sum.size() >= 2 && score.sum.size() <= most_summands_ &&
            std::find(result.begin(), result.end(), score) == result.end())
          result.push_back(score);
    return result;
  }

  const RuleExamples& examples_;
  std::vector<bool> positive_;
  std::size_t most_summands_;
  LinearScores scores_;
  AtomPool pool_;
  RuleSearch search_;
  std::uint64_t steps_;
  RuleSearch::Formula best_;
};

/// [row]: its fold, so that each has the same share of every class.
std::vector<std::uint32_t> stratified_folds(const RuleExamples& examples, std::size_t folds, Random random) {
  std::vector<std::uint32_t> order(examples.table.row_count), fold(order.size());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.uniform_index(static_cast<std::uint32_t>(i))]);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return examples.class_of[a] < examples.class_of[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = static_cast<std::uint32_t>(i % folds);
  return fold;
}

class RuleLearner {
 public:
  RuleLearner(const RuleExamples& examples, const RuleLearningOptions& options, std::optional<std::uint32_t> only,
              int threads, Random random, const Stop& stop, const ProgressFunction& progress)
      : examples_(examples), options_(options), threads_(threads), random_(random), stop_(stop), progress_(progress) {
    const auto classes = static_cast<std::uint32_t>(examples.classes.size());
    for (std::uint32_t c = 0; c < classes; ++c)
      if (classes > 2 || !only || *only == c) candidates_.push_back(c);
    std::vector<double> weight(classes);
    for (std::size_t row = 0; row < examples.table.row_count; ++row)
      weight[examples.class_of[row]] += examples.weight(row);
    total_ = std::accumulate(weight.begin(), weight.end(), 0.0);
    largest_ = static_cast<std::uint32_t>(std::max_element(weight.begin(), weight.end()) - weight.begin());
    share_of_largest_ = weight[largest_] / total_;
  }

  TableRules learn() {
    TableRules result = {.columns = examples_.table.rows({}), .classes = examples_.classes};
    validate();
    result.is_validated = is_validated_;
    std::vector<ClassRule> rules;
    for (std::size_t c = 0; c < candidates_.size(); ++c) rules.push_back(chosen_length(c));
    if (examples_.classes.size() == 2) {
      if (rules.size() == 2) rules.erase(rules.begin() + worse_of(rules));
      const bool may_be_empty = candidates_.size() == 2 || candidates_[0] != largest_;  // not if asked for by name
      if (is_validated_ && may_be_empty && !beats_largest_class(rules[0])) rules[0] = empty_rule();
    }
    parallel_in_order(rules.size(), threads_, [&](std::size_t i) { fit(rules[i]); });
    result.rules = std::move(rules);
    result.otherwise = class_without_rule(result);
    result.training_error = error_of(result, examples_);
    if (is_validated_) measure(result);
    return result;
  }

 private:
  /// Rules of one class, learned on the rows of all folds but one: [length].
  struct Left {
    std::vector<RuleFormula> rules;
    std::vector<double> training_errors;
  };

  void validate() {
    const std::size_t rows = examples_.table.row_count;
    const std::size_t divisions =
        std::clamp<std::size_t>(kRowsToValidate / std::max<std::size_t>(rows, 1), 1, kMostDivisions);
    for (std::size_t d = 0; d < divisions; ++d)
      folds_.push_back(stratified_folds(examples_, fold_count_, random_.child("folds", d)));
    const std::size_t tasks = divisions * fold_count_ * candidates_.size();
    left_.resize(tasks);
    const Stop stop = stop_.has_deadline() ? stop_.within(kValidationShare * stop_.seconds_left()) : stop_;
    std::atomic<std::size_t> done = 0;
    std::mutex mutex;
    parallel_in_order(tasks, threads_, [&](std::size_t task) {
      if (stop.requested()) return;
      left_[task] = learn_without(task, stop);
      if (stop.requested()) return;
      const std::size_t now = ++done;
      const std::lock_guard lock(mutex);
      if (progress_)
        progress_({.phase = "cross-validation", .done = static_cast<double>(now), .total = static_cast<double>(tasks)});
    });
    is_validated_ = done == tasks;
  }

  /// Tasks are numbered by division, fold and class.
  std::size_t task_of(std::size_t division, std::size_t fold, std::size_t candidate) const {
    return (division * fold_count_ + fold) * candidates_.size() + candidate;
  }

  Left learn_without(std::size_t task, const Stop& stop) {
    const std::size_t candidate = task % candidates_.size(), fold = task / candidates_.size() % fold_count_,
                      division = task / candidates_.size() / fold_count_;
    std::vector<std::uint32_t> kept;
    for (std::uint32_t row = 0; row < examples_.table.row_count; ++row)
      if (folds_[division][row] != fold) kept.push_back(row);
    const RuleExamples part = examples_.rows(kept);
    RulePath path(part, candidates_[candidate], options_, options_.effort, random_.child("fold", task));
    Left left;
    for (std::size_t length = 0; length < kLengths; ++length) {
      left.rules.push_back(path.rule(length, stop));
      left.training_errors.push_back(path.error(left.rules.back()));
    }
    return left;
  }

  /// The lengths that were tried for a class, and the one that is chosen.
  ClassRule chosen_length(std::size_t candidate) const {
    ClassRule rule = {.of_class = candidates_[candidate], .chosen = kMiddlingPenalty};
    if (!is_validated_) return rule;
    for (std::size_t length = 0; length < kLengths; ++length) rule.lengths.push_back(length_at(candidate, length));
    const auto best = std::min_element(rule.lengths.begin(), rule.lengths.end(),
                                       [](const RuleLength& a, const RuleLength& b) { return a.error < b.error; });
    const double most = best->error + options_.caution * best->standard_error;
    rule.chosen = static_cast<std::size_t>(best - rule.lengths.begin());
    for (std::size_t length = 0; length < kLengths; ++length)
      if (rule.lengths[length].error <= most && rule.lengths[length].size < rule.lengths[rule.chosen].size)
        rule.chosen = length;
    return rule;
  }

  RuleLength length_at(std::size_t candidate, std::size_t p) const {
    RuleLength length = {.penalty = p < kPenalties.size() ? kPenalties[p] : 0};
    double rules = 0;
    for (std::size_t division = 0; division < folds_.size(); ++division)
      for (std::size_t fold = 0; fold < fold_count_; ++fold) {
        const Left& left = left_[task_of(division, fold, candidate)];
        length.size += static_cast<double>(left.rules[p].size());
        length.training_error += left.training_errors[p];
        ++rules;
        for (std::size_t row = 0; row < examples_.table.row_count; ++row)
          if (folds_[division][row] == fold &&
              left.rules[p].holds(examples_.table, row) != (examples_.class_of[row] == candidates_[candidate]))
            length.error += examples_.weight(row);
      }
    length.size /= rules;
    length.training_error /= rules;
    length.error /= total_ * static_cast<double>(folds_.size());
    length.standard_error = standard_error(length.error);
    return length;
  }

  double standard_error(double error) const {
    return std::sqrt(error * (1 - error) / static_cast<double>(std::max<std::size_t>(examples_.table.row_count, 1)));
  }

  /// True if fewer rows that were left out are wrong by a rule than by the largest class alone, by kEvidence standard
  /// errors of the difference, row by row.
  bool beats_largest_class(const ClassRule& rule) const {
    const auto candidate = static_cast<std::size_t>(std::find(candidates_.begin(), candidates_.end(), rule.of_class) -
                                                    candidates_.begin());
    double gain = 0, squares = 0, weight = 0;
    for (std::size_t row = 0; row < examples_.table.row_count; ++row) {
      double difference = 0;
      for (const std::vector<std::uint32_t>& division : folds_) {
        const auto d = static_cast<std::size_t>(&division - folds_.data());
        const RuleFormula& formula = left_[task_of(d, division[row], candidate)].rules[rule.chosen];
        const std::uint32_t found = formula.holds(examples_.table, row) ? rule.of_class : 1 - rule.of_class;
        difference += (examples_.class_of[row] != largest_) - (examples_.class_of[row] != found);
      }
      difference /= static_cast<double>(folds_.size());
      gain += examples_.weight(row) * difference;
      squares += examples_.weight(row) * difference * difference;
      weight += examples_.weight(row);
    }
    const double mean = gain / weight, variance = squares / weight - mean * mean;
    return mean > kEvidence * std::sqrt(variance / static_cast<double>(examples_.table.row_count));
  }

  /// The rule that never holds, of the smaller of two classes.
  ClassRule empty_rule() const {
    const auto candidate = std::find(candidates_.begin(), candidates_.end(), 1 - largest_);
    ClassRule rule = chosen_length(static_cast<std::size_t>(candidate - candidates_.begin()));
    rule.chosen = 0;
    return rule;
  }

  /// The number of the worse of two rules, for two classes.
  static std::ptrdiff_t worse_of(const std::vector<ClassRule>& rules) {
    if (rules[0].lengths.empty()) return 0;
    const RuleLength &first = rules[0].lengths[rules[0].chosen], &second = rules[1].lengths[rules[1].chosen];
    if (first.error != second.error) return first.error > second.error ? 0 : 1;
    return first.size > second.size ? 0 : 1;
  }

  void fit(ClassRule& rule) const {
    RulePath path(examples_, rule.of_class, options_, kFinalEffort * options_.effort,
                  random_.child("all", rule.of_class));
    const std::size_t first = rule.chosen < kPenalties.size() ? 0 : rule.chosen;
    for (std::size_t length = first; length <= rule.chosen; ++length) rule.formula = path.rule(length, stop_);
    double right = 0, all = 0;
    for (std::size_t row = 0; row < examples_.table.row_count; ++row) {
      if (!rule.formula.holds(examples_.table, row)) continue;
      all += examples_.weight(row);
      if (examples_.class_of[row] == rule.of_class) right += examples_.weight(row);
    }
    rule.precision = (right + 1) / (all + 2);
  }

  /// The class where no rule holds: of two, the other; of more, the heaviest there.
  std::uint32_t class_without_rule(const TableRules& rules) const {
    if (rules.classes.size() == 2) return 1 - rules.rules[0].of_class;
    std::vector<double> weight(rules.classes.size()), uncovered(rules.classes.size());
    for (std::size_t row = 0; row < examples_.table.row_count; ++row) {
      weight[examples_.class_of[row]] += examples_.weight(row);
      if (std::none_of(rules.rules.begin(), rules.rules.end(),
                       [&](const ClassRule& rule) { return rule.formula.holds(examples_.table, row); }))
        uncovered[examples_.class_of[row]] += examples_.weight(row);
    }
    const std::vector<double>& by = *std::max_element(uncovered.begin(), uncovered.end()) > 0 ? uncovered : weight;
    return static_cast<std::uint32_t>(std::max_element(by.begin(), by.end()) - by.begin());
  }

  static double error_of(const TableRules& rules, const RuleExamples& examples) {
    double wrong = 0, all = 0;
    for (std::size_t row = 0; row < examples.table.row_count; ++row) {
      all += examples.weight(row);
      if (rules.class_of(examples.table, row) != examples.class_of[row]) wrong += examples.weight(row);
    }
    return all > 0 ? wrong / all : 0;
  }

  /// The error of all rules together at rows that were left out, at the lengths that were chosen.
  void measure(TableRules& result) const {
    double wrong = 0;
    for (std::size_t division = 0; division < folds_.size(); ++division)
      for (std::size_t fold = 0; fold < fold_count_; ++fold) {
        TableRules part = result;
        for (ClassRule& rule : part.rules) {
          const auto candidate = static_cast<std::size_t>(
              std::find(candidates_.begin(), candidates_.end(), rule.of_class) - candidates_.begin());
          rule.formula = left_[task_of(division, fold, candidate)].rules[rule.chosen];
        }
        for (std::size_t row = 0; row < examples_.table.row_count; ++row)
          if (folds_[division][row] == fold && part.class_of(examples_.table, row) != examples_.class_of[row])
            wrong += examples_.weight(row);
      }
    result.error = wrong / (total_ * static_cast<double>(folds_.size()));
    result.standard_error = standard_error(result.error);
    result.error_of_largest_class = 1 - share_of_largest_;
  }

  const RuleExamples& examples_;
  const RuleLearningOptions& options_;
  int threads_;
  Random random_;
  const Stop& stop_;
  const ProgressFunction& progress_;
  std::vector<std::uint32_t> candidates_;  // classes that may get a rule
  std::size_t fold_count_ = std::min(static_cast<std::size_t>(options_.folds), examples_.table.row_count);
  double total_ = 0, share_of_largest_ = 0;        // weight of all rows; share of the largest class
  std::uint32_t largest_ = 0;                      // class
  std::vector<std::vector<std::uint32_t>> folds_;  // [division][row]
  std::vector<Left> left_;                         // [task]
  bool is_validated_ = false;
};

}  // namespace

std::uint32_t TableRules::class_of(const RuleTable& table, std::size_t row) const {
  const ClassRule* best = nullptr;
  for (const ClassRule& rule : rules)
    if (rule.formula.holds(table, row) && (!best || rule.precision > best->precision)) best = &rule;
  return best ? best->of_class : otherwise;
}

TableRules learn_table_rules(const RuleExamples& examples, const RuleLearningOptions& options,
                             std::optional<std::uint32_t> only, int threads, Random random, const Stop& stop,
                             const ProgressFunction& progress) {
  return RuleLearner(examples, options, only, threads, random, stop, progress).learn();
}

}  // namespace fovea::synthesis
