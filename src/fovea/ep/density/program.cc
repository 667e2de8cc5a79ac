// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/program.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::ep {
namespace {

using RowMajor = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using EigenVector = Eigen::Map<Eigen::VectorXd>;

RowMajor matrix_of(const std::vector<double>& matrix, std::size_t rows) {
  return {matrix.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(matrix.size() / rows)};
}

ConstVector vector_of(std::span<const double> x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }
EigenVector vector_of(std::span<double> x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

double sum_of(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum;
}

}  // namespace

Node Program::add(Step step) {
  const bool is_input = step.kind == Kind::kNumbers || step.kind == Kind::kParameters;
  if (!is_input)
    step.is_known = std::ranges::all_of(step.inputs, [&](std::uint32_t id) { return steps_[id].is_known; });
  if (step.is_known) {
    std::vector<double> results(step.size);
    if (!is_input) evaluate(step, {}, results);
    step.offset = known_.size();
    known_.insert(known_.end(), results.begin(), results.end());
  } else {
    step.offset = unknown_size_;
    unknown_size_ += step.size;
  }
  steps_.push_back(std::move(step));
  return {static_cast<std::uint32_t>(steps_.size() - 1)};
}

Node Program::numbers(std::vector<double> values) {
  const Node node = add({.kind = Kind::kNumbers, .size = values.size(), .offset = 0, .is_known = true});
  std::ranges::copy(values, known_.end() - static_cast<std::ptrdiff_t>(values.size()));
  return node;
}

Node Program::parameters(std::size_t size) {
  const std::size_t first = std::exchange(parameter_count_, parameter_count_ + size);
  return add({.kind = Kind::kParameters, .size = size, .offset = 0, .is_known = false, .group = first});
}

/// Remembers a sum or a product that is a linear sum, so that it can be computed at once where it is used.
void Program::note_linear(Node result, Binary function, Node a, Node b) {
  if (is_known(result) || size(result) == 1) return;
  const auto is_number = [&](Node x) { return size(x) == 1 && !is_known(x); };
  const auto is_column = [&](Node x) { return size(x) > 1 && is_known(x); };
  if (function == Binary::kMultiply && (is_number(a) || is_number(b)) && (is_column(a) || is_column(b))) {
    const Node number = is_number(a) ? a : b, column = is_number(a) ? b : a;
    sums_[result.id] = {.terms = {{number.id, column.id, 1}}};
    return;
  }
  if (function != Binary::kAdd && function != Binary::kSubtract) return;
  const std::optional<LinearSum> left = linear_sum_of(a), right = linear_sum_of(b);
  if (!left && !right) return;
  const auto part = [&](Node x) {
    return is_number(x) ? LinearSum{.terms = {{x.id, LinearSum::kOnes, 1}}} : LinearSum{.parts = {{x.id, 1}}};
  };
  LinearSum sum = left ? *left : part(a);
  LinearSum more = right ? *right : part(b);
  const double sign = function == Binary::kAdd ? 1 : -1;
  for (LinearSum::Term& term : more.terms) term.sign *= sign;
  for (LinearSum::Part& one : more.parts) one.sign *= sign;
  sum.terms.insert(sum.terms.end(), more.terms.begin(), more.terms.end());
  sum.parts.insert(sum.parts.end(), more.parts.begin(), more.parts.end());
  sum.product = 0;
  sums_[result.id] = std::move(sum);
}

std::optional<Program::LinearSum> Program::linear_sum_of(Node x) const {
  const auto found = sums_.find(x.id);
  return found == sums_.end() ? std::nullopt : std::optional(found->second);
}

/// The node that computes x at the least cost.
Node Program::computed(Node x) {
  constexpr std::size_t kFewestTerms = 2;
  const auto found = sums_.find(x.id);
  if (found == sums_.end() || found->second.terms.size() < kFewestTerms) return x;
  if (found->second.product != 0) return {found->second.product};
  const LinearSum sum = found->second;
  const std::size_t rows = size(x);
  std::vector<Node> numbers;
  std::vector<double> matrix(rows * sum.terms.size());
  for (std::size_t t = 0; t < sum.terms.size(); ++t) {
    const auto& [number, column, sign] = sum.terms[t];
    numbers.push_back({number});
    for (std::size_t i = 0; i < rows; ++i)
      matrix[i * sum.terms.size() + t] = sign * (column == LinearSum::kOnes ? 1 : known({column})[i]);
  }
  Node result = multiply(std::move(matrix), join(numbers));
  for (const auto& [part, sign] : sum.parts) {
    const Binary function = sign > 0 ? Binary::kAdd : Binary::kSubtract;
    result = add({.kind = Kind::kBinary,
                  .size = rows,
                  .offset = 0,
                  .is_known = false,
                  .inputs = {result.id, part},
                  .binary = function});
  }
  sums_[x.id].product = result.id;
  return result;
}

Node Program::apply(Unary function, Node x) {
  x = computed(x);
  return add(
      {.kind = Kind::kUnary, .size = size(x), .offset = 0, .is_known = false, .inputs = {x.id}, .unary = function});
}

Node Program::apply(Binary function, Node a, Node b) {
  FOVEA_CHECK(size(a) == size(b) || size(a) == 1 || size(b) == 1);
  const std::size_t both = size(a) == 1 ? size(b) : size(a);
  if (function != Binary::kAdd && function != Binary::kSubtract) {
    a = computed(a);
    b = computed(b);
  }
  const Node result = add({.kind = Kind::kBinary,
                           .size = both,
                           .offset = 0,
                           .is_known = false,
                           .inputs = {a.id, b.id},
                           .binary = function});
  note_linear(result, function, a, b);
  return result;
}

Node Program::gather(Node x, std::vector<std::uint32_t> places) {
  FOVEA_CHECK(std::ranges::all_of(places, [&](std::uint32_t place) { return place < size(x); }));
  x = computed(x);
  const std::size_t count = places.size();
  return add({.kind = Kind::kGather,
              .size = count,
              .offset = 0,
              .is_known = false,
              .inputs = {x.id},
              .places = std::move(places)});
}

Node Program::join(const std::vector<Node>& parts) {
  Step step = {.kind = Kind::kJoin, .size = 0, .offset = 0, .is_known = false};
  for (const Node part : parts) {
    step.inputs.push_back(computed(part).id);
    step.size += size(part);
  }
  return add(std::move(step));
}

Node Program::sum(Node x, std::size_t size) {
  const std::size_t group = size == 0 ? std::max<std::size_t>(1, this->size(x)) : size;
  FOVEA_CHECK(this->size(x) % group == 0);
  const std::size_t count = size == 0 ? 1 : this->size(x) / group;
  x = computed(x);
  return add({.kind = Kind::kSum, .size = count, .offset = 0, .is_known = false, .inputs = {x.id}, .group = group});
}

Node Program::log_sum(Node x, std::size_t size) {
  FOVEA_CHECK(size > 0 && this->size(x) % size == 0);
  x = computed(x);
  return add({.kind = Kind::kLogSum,
              .size = this->size(x) / size,
              .offset = 0,
              .is_known = false,
              .inputs = {x.id},
              .group = size});
}

Node Program::multiply(std::vector<double> matrix, Node x) {
  FOVEA_CHECK(size(x) > 0 && matrix.size() % size(x) == 0);
  const std::size_t rows = matrix.size() / size(x);
  x = computed(x);
  return add({.kind = Kind::kMultiply,
              .size = rows,
              .offset = 0,
              .is_known = false,
              .inputs = {x.id},
              .matrix = std::move(matrix)});
}

Node Program::apply(std::shared_ptr<const Operation> operation, const std::vector<Node>& inputs, std::size_t size) {
  Step step = {.kind = Kind::kOperation, .size = size, .offset = 0, .is_known = false};
  for (const Node input : inputs) step.inputs.push_back(computed(input).id);
  step.operation = std::move(operation);
  return add(std::move(step));
}

void Program::add_density(Node x) { density_.push_back(computed(x).id); }

std::vector<bool> Program::needed_for_density() const {
  std::vector<bool> is_needed(steps_.size());
  for (const std::uint32_t id : density_) is_needed[id] = true;
  for (std::size_t id = steps_.size(); id-- > 0;)
    if (is_needed[id])
      for (const std::uint32_t input : steps_[id].inputs) is_needed[input] = true;
  return is_needed;
}

void Program::evaluate(const Step& step, std::span<const double> values, std::span<double> results) const {
  const auto input = [&](std::size_t i) { return values_of(step.inputs[i], values); };
  switch (step.kind) {
    case Kind::kNumbers:
    case Kind::kParameters:
      break;
    case Kind::kUnary:
      ep::evaluate(step.unary, input(0), results);
      break;
    case Kind::kBinary:
      ep::evaluate(step.binary, input(0), input(1), results);
      break;
    case Kind::kGather: {
      const std::span<const double> x = input(0);
      for (std::size_t i = 0; i < results.size(); ++i) results[i] = x[step.places[i]];
      break;
    }
    case Kind::kJoin: {
      auto place = results.begin();
      for (std::size_t i = 0; i < step.inputs.size(); ++i) place = std::ranges::copy(input(i), place).out;
      break;
    }
    case Kind::kSum:
      for (std::size_t i = 0; i < results.size(); ++i)
        results[i] =
            sum_of(input(0).subspan(i * step.group, std::min(step.group, input(0).size())));  // it may be empty
      break;
    case Kind::kLogSum:
      for (std::size_t i = 0; i < results.size(); ++i)
        results[i] = fovea::log_sum(input(0).subspan(i * step.group, step.group));
      break;
    case Kind::kMultiply:
      vector_of(results).noalias() = matrix_of(step.matrix, step.size) * vector_of(input(0));
      break;
    case Kind::kOperation: {
      std::vector<std::span<const double>> inputs;
      for (std::size_t i = 0; i < step.inputs.size(); ++i) inputs.push_back(input(i));
      step.operation->evaluate(inputs, results);
      break;
    }
  }
}

void Program::add_slopes(const Step& step, std::span<const double> values, std::vector<double>& slopes) const {
  const std::span<const double> results = {values.data() + step.offset, step.size};
  const std::span<const double> of_results(slopes.data() + step.offset, step.size);
  const auto input = [&](std::size_t i) { return values_of(step.inputs[i], values); };
  const auto slopes_of_input = [&](std::size_t i) { return slopes_of(step.inputs[i], slopes); };
  switch (step.kind) {
    case Kind::kNumbers:
    case Kind::kParameters:
      break;
    case Kind::kUnary:
      ep::add_slopes(step.unary, input(0), results, of_results, slopes_of_input(0));
      break;
    case Kind::kBinary:
      ep::add_slopes(step.binary, input(0), input(1), results, of_results, slopes_of_input(0), slopes_of_input(1));
      break;
    case Kind::kGather: {
      const std::span<double> of_x = slopes_of_input(0);
      for (std::size_t i = 0; i < of_results.size(); ++i) of_x[step.places[i]] += of_results[i];
      break;
    }
    case Kind::kJoin: {
      std::size_t place = 0;
      for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const std::size_t size = input(i).size();
        const std::span<double> of_part = slopes_of_input(i);
        for (std::size_t k = 0; k < of_part.size(); ++k) of_part[k] += of_results[place + k];
        place += size;
      }
      break;
    }
    case Kind::kSum:
    case Kind::kLogSum: {
      const std::span<const double> x = input(0);
      const std::span<double> of_x = slopes_of_input(0);
      for (std::size_t k = 0; k < of_x.size(); ++k) {
        const std::size_t i = k / step.group;
        const bool is_sum = step.kind == Kind::kSum;
        if (is_sum || results[i] > -kInfinity) of_x[k] += of_results[i] * (is_sum ? 1 : std::exp(x[k] - results[i]));
      }
      break;
    }
    case Kind::kMultiply:
      vector_of(slopes_of_input(0)).noalias() += matrix_of(step.matrix, step.size).transpose() * vector_of(of_results);
      break;
    case Kind::kOperation: {
      std::vector<std::span<const double>> inputs;
      std::vector<std::span<double>> of_inputs;
      for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        inputs.push_back(input(i));
        of_inputs.push_back(slopes_of_input(i));
      }
      step.operation->add_slopes(inputs, results, of_results, of_inputs);
      break;
    }
  }
}

Program::Workspace::Workspace(const Program& program, Steps steps)
    : program_(&program), values_(program.unknown_size_), slopes_(program.unknown_size_) {
  const std::vector<bool> is_needed = program.needed_for_density();
  for (std::uint32_t id = 0; id < program.steps_.size(); ++id)
    if (!program.steps_[id].is_known && (is_needed[id] || steps == Steps::kAll)) steps_.push_back(id);
}

double Program::Workspace::evaluate(std::span<const double> parameters, std::span<double> gradient) {
  FOVEA_CHECK(parameters.size() == program_->parameter_count_);
  for (const std::uint32_t id : steps_) {
    const Step& step = program_->steps_[id];
    const std::span<double> results = std::span(values_).subspan(step.offset, step.size);
    if (step.kind == Kind::kParameters) std::ranges::copy(parameters.subspan(step.group, step.size), results.begin());
    else program_->evaluate(step, values_, results);
  }
  double sum = 0;
  for (const std::uint32_t id : program_->density_) sum += sum_of(program_->values_of(id, values_));
  if (gradient.empty()) return std::isnan(sum) ? -kInfinity : sum;
  for (const std::uint32_t id : steps_) std::ranges::fill(program_->slopes_of(id, slopes_), 0.);
  for (const std::uint32_t id : program_->density_)
    for (double& slope : program_->slopes_of(id, slopes_)) slope += 1;
  std::ranges::fill(gradient, 0.);
  for (auto id = steps_.rbegin(); id != steps_.rend(); ++id) {
    const Step& step = program_->steps_[*id];
    if (step.kind == Kind::kParameters)
      std::copy_n(slopes_.begin() + static_cast<std::ptrdiff_t>(step.offset), step.size,
                  gradient.begin() + static_cast<std::ptrdiff_t>(step.group));
    else program_->add_slopes(step, values_, slopes_);
  }
  return std::isnan(sum) ? -kInfinity : sum;
}

}  // namespace fovea::ep
