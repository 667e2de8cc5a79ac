// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/cost/wcsp.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/graph/format/cost/cost_network.h"
#include "fovea/graph/format/cost/global_cost_reader.h"
#include "fovea/graph/format/tables/table_pool.h"
#include "fovea/io/codec.h"
#include "fovea/io/token_reader.h"

namespace fovea::graph {
namespace {

constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 31;
constexpr std::uint64_t kMaxScope = 4096;
constexpr std::int64_t kMaxCost = std::numeric_limits<std::int64_t>::max();

class WcspReader : private GlobalFieldSource {
 public:
  explicit WcspReader(io::ByteSource source) : tokens_(std::move(source)), pool_(builder_) {}

  ModelFile read() {
    ModelFile model = {.format = "wcsp"};
    model.names.model = tokens_.expect("the name of the problem");
    const std::uint64_t variables = tokens_.integer("the number of variables", 0, kMaxCount);
    tokens_.integer("the size of the largest domain", 0, kMaxCount);
    const std::uint64_t functions = tokens_.integer("the number of cost functions", 0, kMaxCount);
    bound_ = static_cast<double>(tokens_.integer("the upper bound", 0, static_cast<std::uint64_t>(kMaxCost)));
    for (std::uint64_t v = 0; v < variables; ++v) read_domain();
    for (std::uint64_t f = 0; f < functions; ++f) read_function();
    tokens_.expect_end("the last cost function");
    model.graph = builder_.build();
    model.cost_bound = bound_if_reached(model.graph, bound_);
    return model;
  }

 private:
  struct SharedTable {
    std::vector<std::uint32_t> cardinalities;
    TableId table;
  };

  std::int64_t signed_integer(std::string_view what, std::int64_t min, std::int64_t max) {
    const std::string_view token = tokens_.expect(what);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size() || value < min || value > max)
      tokens_.refuse(fmt::format("{} is {}; it must be a whole number from {} to {}", what,
                                 io::quoted_for_message(token), min, max),
                     "A count before may be wrong; .cfn holds costs that are not whole numbers");
    return value;
  }

  void read_domain() {
    constexpr std::int64_t kMaxDomain = std::numeric_limits<Value>::max();
    const std::int64_t size = signed_integer("the size of a domain", -kMaxDomain, kMaxDomain);
    if (size == 0) tokens_.refuse("a domain without values", "Give each variable 1 to 65535 values");
    builder_.add_variable(static_cast<std::size_t>(std::abs(size)));
  }

  void read_function() {
    constexpr auto kLargestWeight = static_cast<std::int64_t>(kMaxScope);
    const std::int64_t arity =
        signed_integer("the number of variables of a cost function", -kLargestWeight, kLargestWeight);
    scope_.clear();
    cardinalities_.clear();
    for (std::int64_t i = 0; i < std::abs(arity); ++i) read_scope_variable();
    const std::int64_t default_cost = signed_integer("a default cost", -1, kMaxCost);
    if (default_cost == -1) return read_keyword();
    const std::int64_t tuples = signed_integer("a number of tuples", -kMaxCost, kMaxCost);
    if (tuples < 0) return add_shared(static_cast<std::uint64_t>(-tuples));
    const TableId table = read_table(static_cast<double>(default_cost), tuples);
    if (arity < 0) shared_.push_back(SharedTable{cardinalities_, table});
    builder_.add_factor(scope_, table);
  }

  void read_scope_variable() {
    const std::size_t variables = builder_.variable_count();
    if (variables == 0) tokens_.refuse("a cost function with variables, but the model has none");
    const auto v = static_cast<VariableId>(tokens_.integer("a variable of a cost function", 0, variables - 1));
    if (std::find(scope_.begin(), scope_.end(), v) != scope_.end())
      tokens_.refuse(fmt::format("a cost function names variable {} twice", v), "Name each variable once");
    scope_.push_back(v);
    cardinalities_.push_back(static_cast<std::uint32_t>(builder_.cardinality(v)));
  }

  TableId read_table(double default_cost, std::int64_t tuples) {
    const InputLocation location = tokens_.location();
    SparseTable table(default_cost);
    std::vector<std::uint32_t> values(scope_.size());
    if (scope_.empty() && tuples > 0) tokens_.refuse("a constant has a default cost and no tuples", "Write 0 tuples");
    for (std::int64_t t = 0; t < tuples; ++t) {
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::uint32_t>(tokens_.integer("a value of a tuple", 0, cardinalities_[i] - 1));
      const auto cost = tokens_.integer("the cost of a tuple", 0, static_cast<std::uint64_t>(kMaxCost));
      table.add(joint_index(values, cardinalities_), static_cast<double>(cost));
    }
    return add_table(table.expand(cardinalities_, limit_, location));
  }

  void add_shared(std::uint64_t number) {
    if (number > shared_.size())
      tokens_.refuse(
          fmt::format("shared cost function {} is not defined before its use; there are {}", number, shared_.size()),
          "Begin the shared function with a negative number of variables");
    const SharedTable& shared = shared_[number - 1];
    if (shared.cardinalities != cardinalities_)
      tokens_.refuse(fmt::format("shared cost function {} has variables with other numbers of values", number),
                     "Share functions between variables of equal domains");
    builder_.add_factor(scope_, shared.table);
  }

  void read_keyword() {
    const std::string keyword(tokens_.expect("the keyword of a cost function"));
    if (global_fields(keyword) != nullptr) return read_global(keyword);
    const std::size_t count = ArithmeticCost::parameter_count(keyword);
    if (count == 0 || scope_.size() != 2)
      tokens_.refuse(fmt::format("the cost function {} of {} variables is not supported",
                                 io::quoted_for_message(keyword), scope_.size()),
                     "Write it as tuples");
    std::vector<double> parameters;
    while (parameters.size() < count)
      parameters.push_back(static_cast<double>(signed_integer("a parameter of a cost function", -kMaxCost, kMaxCost)));
    limit_.add(cardinalities_, 0, tokens_.location());
    const ArithmeticCost cost(keyword, parameters);
    builder_.add_factor(scope_, add_table(cost.table(cardinalities_[0], cardinalities_[1])));
  }

  void read_global(const std::string& keyword) {
    const InputLocation location = tokens_.location();
    const GlobalParameters parameters = read_global_parameters(keyword, scope_.size(), *this);
    expansion_.expand(keyword, parameters, scope_, cardinalities_, bound_, location,
                      [&](const std::vector<VariableId>& scope, std::vector<double> costs) {
                        builder_.add_factor(scope, add_table(std::move(costs)));
                      });
  }

  bool begin(std::string_view field) override {
    if (field != "vars1") return true;
    first_list_ = count("the number of variables of a list");
    second_list_ = count("the number of variables of a list");
    return true;
  }
  std::string word(std::string_view what) override { return std::string(tokens_.expect(what)); }
  double integer(std::string_view what) override {
    return static_cast<double>(signed_integer(what, -kMaxCost, kMaxCost));
  }
  double cost(std::string_view what) override {
    const std::int64_t cost = signed_integer(what, -1, kMaxCost);
    return cost == -1 ? kInfinity : static_cast<double>(cost);
  }
  double value(std::size_t, std::string_view what) override {
    return static_cast<double>(tokens_.integer(what, 0, std::numeric_limits<Value>::max()));
  }
  double place(std::string_view what) override {
    const auto v = static_cast<VariableId>(tokens_.integer(what, 0, builder_.variable_count() - 1));
    const auto found = std::find(scope_.begin(), scope_.end(), v);
    if (found == scope_.end())
      tokens_.refuse(fmt::format("{} names variable {}, which is not in the scope", what, v), "Name one that is");
    return static_cast<double>(found - scope_.begin());
  }
  std::optional<std::size_t> begin_rows(bool is_counted) override {
    if (!is_counted) return 0;
    if (const auto first = std::exchange(first_list_, std::nullopt)) return first;
    if (const auto second = std::exchange(second_list_, std::nullopt)) return second;
    return count("the number of rows of a cost function");
  }
  bool at_end() override { return true; }
  void begin_row(std::size_t) override {}
  void end_row(std::size_t) override {}
  void read_rules(GlobalParameters& parameters) override {
    const std::size_t rules = count("the number of rules of a grammar");
    for (std::size_t r = 0; r < rules; ++r) {
      const auto kind = tokens_.integer("the kind of a rule", 0, 3);
      std::vector<double> row;
      for (std::size_t column = 0; column < (kind % 2 == 0 ? 2 : 3); ++column)
        row.push_back(integer("a symbol of a rule"));
      if (kind >= 2) row.push_back(cost("the cost of a rule"));
      parameters.rows[kind % 2 == 0 ? "terminals" : "non_terminals"].push_back(std::move(row));
    }
  }
  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy) override {
    tokens_.refuse(problem, remedy);
  }
  std::size_t count(std::string_view what) {
    constexpr std::uint64_t kMostTableRows = 1 << 20;
    return static_cast<std::size_t>(tokens_.integer(what, 0, kMostTableRows));
  }

  TableId add_table(std::vector<double> costs) {
    for (double& entry : costs) entry = log_score_of_cost(entry, bound_);
    return pool_.add(costs);
  }

  io::TokenReader tokens_;
  FactorGraph::Builder builder_;
  TablePool pool_;
  TableLimit limit_;
  GlobalExpansion expansion_;
  std::optional<std::size_t> first_list_, second_list_;  // sizes of the lists of ssame, which come before both
  double bound_ = 0;
  std::vector<SharedTable> shared_;
  std::vector<VariableId> scope_;             // of the current function
  std::vector<std::uint32_t> cardinalities_;  // parallel to scope_
};

class WcspWriter {
 public:
  WcspWriter(const ModelFile& model, io::OutputFile& output)
      : model_(model), graph_(model.graph), output_(output), first_(first_alike(graph_)), tables_(first_.size()) {}

  void write() {
    for (TableId t = 0; t < graph_.table_count(); ++t) check(graph_.shared_table(t));
    for (FactorId f = 0; f < graph_.factor_count(); ++f) ++tables_[first_[f]].uses;
    write_preamble();
    for (FactorId f = 0; f < graph_.factor_count(); ++f) write_function(f);
    output_.write(text_);
  }

 private:
  struct TableState {
    std::size_t uses = 0;
    std::size_t shared_number = 0;  // 1, 2, ... once it is written as a shared one
    double default_cost = 0;
  };

  static void check(std::span<const double> table) {
    constexpr double kMaxExact = 9007199254740992.0;  // 2^53: beyond it doubles skip whole numbers
    for (const double score : table)
      if (score > -kInfinity && (score > 0 || score != std::floor(score) || score < -kMaxExact))
        throw InputError(
            {},
            fmt::format("a .wcsp file holds whole costs from 0 to 2^53; the score {} would need another cost", score),
            "Write .cfn instead");
  }

  void write_preamble() {
    std::string name = model_.names.model.empty() ? "model" : model_.names.model.substr(0, kMaxNameBytes);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c <= ' '; }, '_');
    // The file begins with the name, and must not look compressed or like another encoding.
    const auto begins_with = [&](std::string_view mark) { return name.starts_with(mark); };
    if (io::compression_of_data(name) != io::Compression::kNone || begins_with("\xEF\xBB\xBF") ||
        begins_with("\xFE\xFF") || begins_with("\xFF\xFE"))
      name.insert(0, 1, '_');
    bound_ = std::min(upper_bound_of_costs(graph_), std::ceil(model_.cost_bound));
    if (bound_ > kMaxBound)
      throw InputError({}, fmt::format("the costs of an assignment add up to {:.3g}, beyond 64 bits", bound_),
                       "Write .cfn instead, or divide the scores by a constant");
    text_ = fmt::format("{} {} {} {} {:.0f}\n{}\n", name, graph_.variable_count(), graph_.max_cardinality(),
                        graph_.factor_count(), bound_, fmt::join(graph_.cardinalities(), " "));
  }

  void write_function(FactorId f) {
    const std::span<const VariableId> scope = graph_.scope(f);
    TableState& table = tables_[first_[f]];
    const bool is_known = table.shared_number > 0;
    const bool is_shared = !is_known && table.uses > 1 && scope.size() > 1 && scope.size() <= kMaxSharedScope;
    if (is_shared) table.shared_number = ++shared_count_;
    if (!is_known) table.default_cost = cost(scope.empty() ? graph_.table(f)[0] : most_frequent(graph_.table(f)));
    fmt::format_to(out(), "{}{}", is_shared ? "-" : "", scope.size());
    for (const VariableId v : scope) fmt::format_to(out(), " {}", v);
    fmt::format_to(out(), " {:.0f} ", table.default_cost);
    if (is_known) fmt::format_to(out(), "-{}\n", table.shared_number);
    else write_tuples(f, table.default_cost);
  }

  void write_tuples(FactorId f, double default_cost) {
    const std::span<const double> table = graph_.table(f);
    const auto is_tuple = [&](double score) { return cost(score) != default_cost; };
    fmt::format_to(out(), "{}\n", std::count_if(table.begin(), table.end(), is_tuple));
    for (std::size_t entry = 0; entry < table.size(); ++entry) {
      if (!is_tuple(table[entry])) continue;
      std::size_t rest = entry;
      for (const std::uint32_t stride : graph_.strides(f)) {
        fmt::format_to(out(), "{} ", rest / stride);
        rest %= stride;
      }
      fmt::format_to(out(), "{:.0f}\n", cost(table[entry]));
      if (text_.size() > kFlushBytes) output_.write_and_clear(text_);
    }
  }

  double cost(double score) const { return score > -kInfinity ? 0.0 - score : bound_; }
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  static constexpr double kMaxBound = 4.6e18;        // below 2^62, as solvers keep sums in 64 bits
  static constexpr std::size_t kMaxSharedScope = 3;  // toulbar2 shares no larger tables
  static constexpr std::size_t kMaxNameBytes = 1024, kFlushBytes = std::size_t{1} << 15;

  const ModelFile& model_;
  const FactorGraph& graph_;
  io::OutputFile& output_;
  std::vector<FactorId> first_;     // first_alike
  std::vector<TableState> tables_;  // [first factor with a table]
  std::size_t shared_count_ = 0;
  double bound_ = 1;
  std::string text_;
};

}  // namespace

ModelFile read_wcsp(io::ByteSource source) { return WcspReader(std::move(source)).read(); }

void write_wcsp(const ModelFile& model, io::OutputFile& output) { WcspWriter(model, output).write(); }

}  // namespace fovea::graph
