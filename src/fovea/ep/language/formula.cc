// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/ep/language/compile.h"
#include "fovea/ep/language/model_data.h"
#include "fovea/ep/language/syntax.h"

namespace fovea::ep {
namespace {

/// Mean and standard deviation of the numbers of an expression over all rows.
struct Scale {
  double mean = 0, sd = 1;
};

/// The terms of one side, or of a group.
struct Terms {
  bool has_intercept = true;
  std::vector<std::string> terms = {};
};

/// A column in the language of models: in quotes if it needs them.
std::string name(const std::string& text) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const bool begins_well = !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0;
  return begins_well && std::ranges::all_of(text, is_plain) ? text : "\"" + text + "\"";
}

class FormulaModel {
 public:
  FormulaModel(std::string_view formula, ResponseFamily family, const io::Table& table)
      : formula_(formula), family_(family), table_(table) {}

  std::string write() {
    const std::size_t tilde = find_in_expression(formula_, '~');
    response_ = std::string(trimmed(formula_.substr(0, tilde)));
    const std::optional<std::string> column = unquoted(response_);
    if (!column || !table_.find_column(*column)) refuse_column(response_);
    response_ = *column;
    const bool has_scale = family_ == ResponseFamily::kNormal || family_ == ResponseFamily::kStudent;
    if (has_scale) scale_ = scale_of(name(response_));
    read(formula_.substr(tilde + 1));
    write_response();
    return text_;
  }

 private:
  [[noreturn]] void refuse_column(std::string_view text) const {
    throw InputError({.file = table_.name()}, fmt::format("no column '{}'", text),
                     "Name columns of the table in the formula." + suggestion(text, table_.columns()));
  }

  /// The name of a variable; not that of a column.
  std::string fresh(std::string variable) const {
    while (table_.find_column(variable)) variable += "_";
    return name(variable);
  }

  void line(std::string text) { text_ += std::move(text) + "\n"; }

  void read(std::string_view right) {
    Terms terms;
    for (const auto& [sign, term] : pieces(right)) {
      if (term.starts_with('(') && term.ends_with(')') && term.find('|') != std::string::npos) {
        add_group(term.substr(1, term.size() - 2));
        continue;
      }
      add(sign, term, terms);
    }
    for (const std::string& term : terms.terms) add_weight(term);
    if (terms.has_intercept && family_ != ResponseFamily::kOrdered) {  // there, the cutpoints are intercepts
      const double middle = family_ == ResponseFamily::kNormal || family_ == ResponseFamily::kStudent ? scale_.mean : 0;
      const std::string centre = fresh("centre");
      line(fmt::format("{} ~ normal({:.6g}, {:.6g})", centre, middle, 2.5 * scale_.sd));
      predictor_.insert(predictor_.begin(), centre);
      std::string intercept = fmt::format("{} = {}", fresh("intercept"), centre);
      for (const std::string& shift : shifts_) intercept += " - " + shift;
      line(std::move(intercept));
    }
    if (predictor_.empty()) predictor_.emplace_back("0");
  }

  /// Terms with their signs, cut at + and - outside parentheses and quotes.
  static std::vector<std::pair<char, std::string>> pieces(std::string_view text) {
    std::vector<std::pair<char, std::string>> found;
    for (const std::string_view sum : split_expression(text, '+')) {
      char sign = '+';
      for (const std::string_view piece : split_expression(sum, '-')) {
        if (!piece.empty()) found.emplace_back(sign, std::string(piece));
        sign = '-';
      }
    }
    return found;
  }

  void add(char sign, const std::string& term, Terms& terms) const {
    if (term == "0" || term == "1") {
      terms.has_intercept = (term == "1") == (sign == '+');
      return;
    }
    if (sign == '-')
      throw UsageError(fmt::format("formula: '- {}': only the intercept can be left out, by '- 1'", term));
    const std::vector<std::string_view> factors = split_expression(term, '*');
    if (factors.size() > 2)
      throw UsageError(fmt::format("formula: '{}': write products of more than two columns with :", term));
    for (const std::string_view factor : factors) add_once(std::string(factor), terms);
    if (factors.size() == 2) add_once(fmt::format("{}:{}", factors[0], factors[1]), terms);
  }

  static void add_once(std::string term, Terms& terms) {
    if (std::ranges::find(terms.terms, term) == terms.terms.end()) terms.terms.push_back(std::move(term));
  }

  /// The expression of a term in the language of models: a:b is a product.
  std::string expression_of(const std::string& term) const {
    std::string product;
    for (const std::string_view factor : split_expression(term, ':')) {
      const std::optional<std::string> column = unquoted(factor);
      const bool is_column = column && table_.find_column(*column);
      if (column && !is_column && column->find('(') == std::string::npos) refuse_column(factor);
      std::string one = is_column ? name(*column) : std::string(factor);
      if (one.starts_with("I(")) one.erase(0, 1);
      product += (product.empty() ? "" : " * ") + one;
    }
    return product;
  }

  bool holds_texts(const std::string& column) const {
    const std::size_t place = *table_.find_column(column);
    for (std::size_t row = 0; row < table_.row_count(); ++row) {
      if (!table_.is_missing(row, place)) return !number_of(table_.cell(row, place));
    }
    return false;
  }

  void add_weight(const std::string& term) {
    if (const std::optional<std::string> column = unquoted(term);
        column && table_.find_column(*column) && holds_texts(*column))
      return add_categories(*column);
    const std::string expression = expression_of(term), weight = fresh("b_" + term);
    const Scale scale = scale_of(expression);
    line(fmt::format("{} ~ normal(0, {:.6g})", weight, 2.5 * scale_.sd / scale.sd));
    predictor_.push_back(fmt::format("{} * ({} - {})", weight, expression, number(scale.mean)));
    shifts_.push_back(fmt::format("{} * {}", weight, number(scale.mean)));
  }

  static std::string number(double value) {
    return value < 0 ? fmt::format("({:.6g})", value) : fmt::format("{:.6g}", value);
  }

  void add_categories(const std::string& column) {
    const std::string plate = plate_of(column), effect = fresh("b_" + column);
    line(fmt::format("{}[1] = 0", effect));
    line(fmt::format("{}[{}] ~ normal(0, {:.6g})", effect, plate, 2.5 * scale_.sd));
    predictor_.push_back(fmt::format("{}[{}]", effect, name(column)));
  }

  /// The plate of a column's values, which is declared once, and called by the column's name.
  std::string plate_of(const std::string& column) {
    if (plates_.insert(column).second) line(fmt::format("{} ~ plate({})", fresh("values_of_" + column), name(column)));
    return name(column);
  }

  /// "1 + x | g": effects that vary with g, each with a standard deviation of its own.
  void add_group(const std::string& group) {
    const std::size_t bar = group.rfind('|');
    const std::optional<std::string> column = unquoted(std::string_view(group).substr(bar + 1));
    if (!column || !table_.find_column(*column)) refuse_column(trimmed(std::string_view(group).substr(bar + 1)));
    Terms terms;
    for (const auto& [sign, term] : pieces(std::string_view(group).substr(0, group.find('|')))) add(sign, term, terms);
    if (terms.has_intercept) terms.terms.insert(terms.terms.begin(), "1");
    const std::string plate = plate_of(*column);
    for (const std::string& term : terms.terms) {
      const bool is_intercept = term == "1";
      const std::string suffix = is_intercept ? *column : term + "|" + *column;
      const std::string sd = fresh("sd_" + suffix), effect = fresh("u_" + suffix);
      const Scale scale = is_intercept ? Scale() : scale_of(expression_of(term));
      line(fmt::format("{} ~ exponential({:.6g})", sd, scale.sd / scale_.sd));
      line(fmt::format("{}[{}] ~ normal(0, {})", effect, plate, sd));
      predictor_.push_back(fmt::format("{}[{}]", effect, name(*column)) +
                           (is_intercept ? "" : fmt::format(" * ({})", expression_of(term))));
    }
  }

  /// Computes the expression over the table, by a model of its own.
  Scale scale_of(const std::string& expression) const {
    const ModelSyntax syntax = parse_model(fmt::format("term[row] = {}", expression), "the formula");
    const CompiledModel model = compile_model(syntax, {.table = &table_});
    const std::span<const double> values = model.program.known(model.variables.at(0).node);
    Scale scale = {.mean = 0, .sd = 0};
    for (const double value : values) scale.mean += value / static_cast<double>(values.size());
    for (const double value : values) scale.sd += (value - scale.mean) * (value - scale.mean);
    scale.sd = std::sqrt(scale.sd / std::max<double>(1, static_cast<double>(values.size()) - 1));
    if (!std::isfinite(scale.mean) || !std::isfinite(scale.sd))
      throw InputError({.file = table_.name()}, fmt::format("'{}' is not a number in all rows", expression),
                       "Logarithms and roots need positive numbers");
    if (scale.sd == 0) scale.sd = 1;  // a constant column
    return scale;
  }

  void write_response() {
    std::string sum;
    for (const std::string& part : predictor_) sum += (sum.empty() ? "" : " + ") + part;
    const std::string y = name(response_);
    const std::string sigma = fresh("sigma"), freedom = fresh("freedom"), dispersion = fresh("dispersion");
    if (family_ == ResponseFamily::kNormal || family_ == ResponseFamily::kStudent)
      line(fmt::format("{} ~ exponential({:.6g})", sigma, 1 / scale_.sd));
    switch (family_) {
      case ResponseFamily::kNormal:
        return line(fmt::format("{} ~ normal({}, {})", y, sum, sigma));
      case ResponseFamily::kStudent:
        line(fmt::format("{} ~ gamma(2, 0.1)", freedom));
        return line(fmt::format("{} ~ student({}, {}, {})", y, freedom, sum, sigma));
      case ResponseFamily::kBernoulli:
        return line(fmt::format("{} ~ bernoulli_logit({})", y, sum));
      case ResponseFamily::kPoisson:
        return line(fmt::format("{} ~ poisson_log({})", y, sum));
      case ResponseFamily::kNegativeBinomial:
        line(fmt::format("{} ~ inverse_gamma(0.4, 0.3)", dispersion));
        return line(fmt::format("{} ~ negative_binomial_log({}, {})", y, sum, dispersion));
      case ResponseFamily::kOrdered:
        return write_ranks(y, sum);
    }
  }

  /// Ranks from 1 on, with a cutpoint between two that follow each other.
  void write_ranks(const std::string& y, const std::string& sum) {
    const std::string cuts = fresh("cuts"), cut = fresh("cut");
    const std::size_t place = *table_.find_column(response_);
    double highest = 1;
    for (std::size_t row = 0; row < table_.row_count(); ++row) {
      const std::optional<double> rank = number_of(table_.cell(row, place));
      if (!rank || *rank < 1 || *rank != std::floor(*rank) || *rank > kMostRanks)
        throw InputError(table_.location(row), fmt::format("'{}' is not a rank", table_.cell(row, place)),
                         "Number the ranks from 1 on");
      highest = std::max(highest, *rank);
    }
    if (highest < 2)
      throw InputError({.file = table_.name()}, fmt::format("all ranks of '{}' are 1", response_),
                       "Ranks need at least two values");
    line(fmt::format("{} ~ plate({})", cuts, highest - 1));
    line(fmt::format("{}[{}] ~ ordered(normal(0, 5))", cut, cuts));
    line(fmt::format("{} ~ ordered_logistic({}, {}, {}[{}])", y, cuts, sum, cut, cuts));
  }

  static constexpr double kMostRanks = 1000;

  std::string_view formula_;
  ResponseFamily family_;
  const io::Table& table_;
  std::string response_, text_;
  Scale scale_;                                  // of the response
  std::vector<std::string> predictor_, shifts_;  // terms of the sum; what the intercept loses by centring
  std::set<std::string> plates_;
};

}  // namespace

bool is_formula(std::string_view text) {
  return find_in_expression(text, '~') != std::string_view::npos && text.find_first_of("\n;") == std::string_view::npos;
}

namespace {

/// True if the column's name stands in the formula, not as a part of a longer name.
bool names(std::string_view formula, const std::string& column) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  for (std::size_t at = formula.find(column); at != std::string_view::npos; at = formula.find(column, at + 1)) {
    const std::size_t end = at + column.size();
    if ((at == 0 || !is_word(formula[at - 1])) && (end == formula.size() || !is_word(formula[end]))) return true;
  }
  return false;
}

}  // namespace

io::Table whole_rows(std::string_view formula, const io::Table& table) {
  std::vector<std::size_t> used;
  for (std::size_t column = 0; column < table.column_count(); ++column)
    if (names(formula, table.columns()[column])) used.push_back(column);
  io::Table whole(table.name(), table.columns());
  std::vector<std::string_view> cells(table.column_count());
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (std::ranges::any_of(used, [&](std::size_t column) { return table.is_missing(row, column); })) continue;
    for (std::size_t column = 0; column < cells.size(); ++column) cells[column] = table.cell(row, column);
    whole.add_row(cells, static_cast<std::int64_t>(table.location(row).line));
  }
  return whole;
}

std::string model_of_formula(std::string_view formula, ResponseFamily family, const io::Table& table) {
  if (!is_formula(formula)) throw UsageError(fmt::format("'{}' is not a formula such as 'y ~ x'", formula));
  return FormulaModel(formula, family, table).write();
}

}  // namespace fovea::ep
