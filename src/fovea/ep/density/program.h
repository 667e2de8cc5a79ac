// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fovea/ep/density/elementwise.h"

namespace fovea::ep {

/// An array of numbers that a Program computes.
struct Node {
  std::uint32_t id = 0;
  friend bool operator==(Node, Node) = default;
};

/// A step of a program whose derivatives are written by hand, such as the density of a multivariate normal.
class Operation {
 public:
  virtual ~Operation() = default;
  /// inputs: [input][number].
  virtual void evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const = 0;
  /// Adds to slopes_of[input] the derivatives by its numbers of a sum whose derivatives by the results are `slopes`. An
  /// empty one is not wanted.
  virtual void add_slopes(std::span<const std::span<const double>> inputs, std::span<const double> results,
                          std::span<const double> slopes, std::span<const std::span<double>> slopes_of) const = 0;
};

/// A log density of unconstrained real parameters, as a sequence of steps on arrays of numbers, with its gradient by
/// reverse accumulation (Griewank and Walther 2008). What depends on no parameter is computed once, when it is added.
/// Sums of known arrays, each times a single number, become one product of a matrix and a vector.
///
///   Program program;
///   const Node mean = program.parameters(1), gaps = program.apply(Binary::kSubtract, program.numbers(y), mean);
///   program.add_density(program.apply(Unary::kNegate, program.apply(Unary::kSquare, gaps)));
///   Program::Workspace workspace(program);
///   const double log_density = workspace.evaluate(x, gradient);
class Program {
 public:
  Node number(double value) { return numbers({value}); }
  Node numbers(std::vector<double> values);
  /// More parameters; the first ones come first.
  Node parameters(std::size_t size);

  /// Applies a function to each number.
  Node apply(Unary function, Node x);
  /// Applies one to the numbers at the same place; an array of one number stands for as many as needed.
  Node apply(Binary function, Node a, Node b);
  /// [i] = x[places[i]].
  Node gather(Node x, std::vector<std::uint32_t> places);
  Node join(const std::vector<Node>& parts);
  /// The sum of each `size` numbers that follow each other: size 0 is all.
  Node sum(Node x, std::size_t size = 0);
  /// log sum exp of each `size` numbers that follow each other.
  Node log_sum(Node x, std::size_t size);
  /// matrix x: [row] sum_j matrix[row][j] x[j], of known numbers, by rows.
  Node multiply(std::vector<double> matrix, Node x);
  Node apply(std::shared_ptr<const Operation> operation, const std::vector<Node>& inputs, std::size_t size);

  /// Adds the sum of these numbers to the log density.
  void add_density(Node x);

  std::size_t size(Node x) const { return steps_[x.id].size; }
  std::size_t parameter_count() const { return parameter_count_; }
  /// True if it depends on no parameter.
  bool is_known(Node x) const { return steps_[x.id].is_known; }
  /// The numbers of a node that is known.
  std::span<const double> known(Node x) const { return values_of(x.id, {}); }

  /// Memory for the values of one program, which must not change while it is used.
  class Workspace {
   public:
    enum class Steps {
      kAll,
      kDensity  ///< those on which the density hangs; other nodes have no values
    };
    explicit Workspace(const Program& program, Steps steps = Steps::kAll);
    /// The log density, -infinity where it is not a number; its gradient, [parameter], unless that is empty.
    double evaluate(std::span<const double> parameters, std::span<double> gradient = {});
    /// Values of a node at the parameters that were evaluated last.
    std::span<const double> values(Node x) const { return program_->values_of(x.id, values_); }

   private:
    const Program* program_;
    std::vector<std::uint32_t> steps_;  // to evaluate, in their order
    std::vector<double> values_, slopes_;
  };

 private:
  enum class Kind { kNumbers, kParameters, kUnary, kBinary, kGather, kJoin, kSum, kLogSum, kMultiply, kOperation };
  struct Step {
    Kind kind;
    std::size_t size, offset;  ///< of its values, among those that are known or those that are not
    bool is_known;
    std::vector<std::uint32_t> inputs = {};
    Unary unary = {};
    Binary binary = {};
    std::size_t group = 0;                   ///< of sums; of kParameters: the first one
    std::vector<std::uint32_t> places = {};  ///< of kGather
    std::vector<double> matrix = {};
    std::shared_ptr<const Operation> operation = {};
  };

  /// A sum: of known arrays times single numbers, of known arrays, and of others.
  struct LinearSum {
    static constexpr std::uint32_t kOnes = ~std::uint32_t{0};  // a column of ones
    struct Term {
      std::uint32_t number, column;
      double sign;
    };
    struct Part {
      std::uint32_t node;
      double sign;
    };
    std::vector<Term> terms = {};
    std::vector<Part> parts = {};
    std::uint32_t product = 0;  // the node that computes it; 0: none yet
  };

  Node add(Step step);
  std::vector<bool> needed_for_density() const;
  void note_linear(Node result, Binary function, Node a, Node b);
  std::optional<LinearSum> linear_sum_of(Node x) const;
  Node computed(Node x);
  /// `values`: of all steps that are not known.
  void evaluate(const Step& step, std::span<const double> values, std::span<double> results) const;
  void add_slopes(const Step& step, std::span<const double> values, std::vector<double>& slopes) const;
  std::span<const double> values_of(std::uint32_t id, std::span<const double> values) const {
    return {(steps_[id].is_known ? known_.data() : values.data()) + steps_[id].offset, steps_[id].size};
  }
  /// Empty if the node is known.
  std::span<double> slopes_of(std::uint32_t id, std::vector<double>& slopes) const {
    return {slopes.data() + steps_[id].offset, steps_[id].is_known ? 0 : steps_[id].size};
  }

  std::vector<Step> steps_;
  std::map<std::uint32_t, LinearSum> sums_;  // by the step that is such a sum
  std::vector<double> known_;                // values of all steps that are known
  std::size_t unknown_size_ = 0;             // number of values of the others
  std::vector<std::uint32_t> density_;
  std::size_t parameter_count_ = 0;
};

}  // namespace fovea::ep
