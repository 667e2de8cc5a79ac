// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/uai.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/graph/format/tables/number_list.h"
#include "fovea/graph/format/tables/table_pool.h"
#include "fovea/io/token_reader.h"

namespace fovea::graph {
namespace {

class UaiReader {
 public:
  explicit UaiReader(io::ByteSource source) : tokens_(std::move(source), {.line_comment = "#"}), tables_(builder_) {}

  ModelFile read() {
    const bool is_bayesian = read_kind();
    read_variables();
    read_scopes();
    for (std::size_t f = 0; f + 1 < scope_begin_.size(); ++f) read_table(f);
    tokens_.expect_end("the table of the last factor");
    return {.graph = builder_.build(), .format = "uai", .is_bayesian = is_bayesian};
  }

 private:
  bool read_kind() {
    const std::string_view kind = tokens_.expect("MARKOV or BAYES");
    const auto is = [&](std::string_view word) {
      return kind.size() == word.size() && ::strncasecmp(kind.data(), word.data(), word.size()) == 0;
    };
    if (!is("MARKOV") && !is("BAYES"))
      tokens_.refuse(fmt::format("the first word is {}, not MARKOV or BAYES", io::quoted_for_message(kind)),
                     "Give a UAI model, or name the format of the file");
    return is("BAYES");
  }

  void read_variables() {
    const std::uint64_t count = tokens_.integer("the number of variables", 0, UaiLimits::kVariables);
    for (std::uint64_t v = 0; v < count; ++v)
      builder_.add_variable(tokens_.integer("the cardinality of a variable", 1, std::numeric_limits<Value>::max()));
  }

  void read_scopes() {
    const std::uint64_t count = tokens_.integer("the number of factors", 0, UaiLimits::kFactors);
    for (std::uint64_t f = 0; f < count; ++f) {
      const std::uint64_t size = tokens_.integer("the number of variables of a factor", 0, UaiLimits::kScope);
      for (std::uint64_t i = 0; i < size; ++i) read_scope_variable(f);
      scope_begin_.push_back(scopes_.size());
    }
  }

  void read_scope_variable(std::uint64_t f) {
    const std::size_t variables = builder_.variable_count();
    if (variables == 0) tokens_.refuse("a factor with variables, but the model has none");
    const auto v = static_cast<VariableId>(tokens_.integer("a variable of a factor", 0, variables - 1));
    if (std::find(scopes_.begin() + static_cast<std::ptrdiff_t>(scope_begin_.back()), scopes_.end(), v) !=
        scopes_.end())
      tokens_.refuse(fmt::format("factor {} names variable {} twice", f, v), "Name each variable of a factor once");
    scopes_.push_back(v);
  }

  std::span<const VariableId> scope(std::size_t f) const {
    return {scopes_.data() + scope_begin_[f], scope_begin_[f + 1] - scope_begin_[f]};
  }

  /// The number of joint values of factor f's scope; 2^32 if it is that or more.
  std::uint64_t joint_values(std::size_t f) const {
    constexpr std::uint64_t kTooMany = std::uint64_t{1} << 32;
    std::uint64_t count = 1;
    for (const VariableId v : scope(f)) count = std::min(kTooMany, count * builder_.cardinality(v));
    return count;
  }

  void read_table(std::size_t f) {
    const std::uint64_t announced =
        tokens_.integer([f] { return fmt::format("the number of table entries of factor {}", f); }, 0, UINT64_MAX);
    const std::uint64_t count = joint_values(f);
    if (count > std::numeric_limits<std::uint32_t>::max())
      tokens_.refuse(fmt::format("factor {} has 2^32 or more joint values", f), "Split it into smaller factors");
    if (announced != count)
      tokens_.refuse(fmt::format("factor {} announces {} table entries, but its variables have {} joint values", f,
                                 announced, count),
                     "Correct the count, the scope or the cardinalities; the table before may be too long or short");
    entries_.clear();
    while (entries_.size() < count) entries_.push_back(read_entry(f));
    builder_.add_factor(scope(f), tables_.add(entries_));
  }

  double read_entry(std::size_t f) {
    if (!tokens_.next())
      tokens_.refuse(fmt::format("the file ends after {} entries of the table of factor {}", entries_.size(), f),
                     "The file is cut short, or a table is too short");
    const double log_score = log_of_decimal(tokens_.token());
    if (!(log_score < kInfinity))
      tokens_.refuse(fmt::format("entry {} of the table of factor {} is {}; it must be a finite number, 0 or above",
                                 entries_.size(), f, io::quoted_for_message(tokens_.token())),
                     "UAI tables hold probabilities or potentials, not logarithms or costs");
    return log_score;
  }

  io::TokenReader tokens_;
  FactorGraph::Builder builder_;
  TablePool tables_;
  std::vector<std::size_t> scope_begin_{0};  // [factor + 1]
  std::vector<VariableId> scopes_;
  std::vector<double> entries_;  // of the current table
};

/// Logarithm of the number by which a table must be divided so that its largest entry is a double; 0 if it is one
/// already.
double excess_of(std::span<const double> table) {
  constexpr double kMaxLog = 600;
  const double largest = table.empty() ? 0 : *std::ranges::max_element(table);
  return largest > kMaxLog || (largest < -kMaxLog && largest > -kInfinity) ? largest : 0;
}

class UaiWriter {
 public:
  UaiWriter(const ModelFile& model, io::OutputFile& output)
      : graph_(model.graph), is_bayesian_(model.is_bayesian), output_(output) {}

  void write() {
    split_excess();
    write_preamble();
    for (FactorId f = 0; f < graph_.factor_count(); ++f) write_table(graph_.table(f));
    for (const double constant : constants_) write_table({&constant, 1});
  }

 private:
  /// Splits the number divided out of all tables into constants that are doubles.
  void split_excess() {
    double excess = 0;
    for (FactorId f = 0; f < graph_.factor_count(); ++f) excess += excess_of(graph_.table(f));
    if (std::abs(excess) > kMaxExcess)
      throw InputError({},
                       fmt::format("the scores lie around e^{:.6g}, which UAI's linear numbers cannot hold", excess),
                       "Write a format of costs, such as .cfn, or subtract a constant from the costs");
    if (excess == 0) return;
    const auto parts = static_cast<std::size_t>(std::ceil(std::abs(excess) / kMaxConstant));
    constants_.assign(parts, excess / static_cast<double>(parts));
  }

  void write_preamble() {
    text_ = is_bayesian_ && constants_.empty() ? "BAYES\n" : "MARKOV\n";
    fmt::format_to(std::back_inserter(text_), "{}\n{}\n{}\n", graph_.variable_count(),
                   fmt::join(graph_.cardinalities(), " "), graph_.factor_count() + constants_.size());
    for (FactorId f = 0; f < graph_.factor_count(); ++f) {
      fmt::format_to(std::back_inserter(text_), "{}", graph_.scope(f).size());
      for (const VariableId v : graph_.scope(f)) fmt::format_to(std::back_inserter(text_), " {}", v);
      text_ += '\n';
      flush_text();
    }
    for (std::size_t i = 0; i < constants_.size(); ++i) text_ += "0\n";
    output_.write_and_clear(text_);
  }

  void write_table(std::span<const double> table) {
    constexpr std::size_t kEntriesPerLine = 16;
    const double excess = excess_of(table);
    fmt::format_to(std::back_inserter(text_), "\n{}\n", table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      append_exponential(text_, table[i] - excess);
      text_ += (i + 1) % kEntriesPerLine == 0 || i + 1 == table.size() ? '\n' : ' ';
      flush_text();
    }
    output_.write_and_clear(text_);
  }

  void flush_text() {
    constexpr std::size_t kMaxBytes = std::size_t{1} << 15;
    if (text_.size() > kMaxBytes) output_.write_and_clear(text_);
  }

  static constexpr double kMaxConstant = 500, kMaxExcess = 1e6;

  const FactorGraph& graph_;
  bool is_bayesian_;
  io::OutputFile& output_;
  std::vector<double> constants_;
  std::string text_;
};

}  // namespace

ModelFile read_uai(io::ByteSource source) { return UaiReader(std::move(source)).read(); }

void write_uai(const ModelFile& model, io::OutputFile& output) { UaiWriter(model, output).write(); }

}  // namespace fovea::graph
