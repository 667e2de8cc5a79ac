// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::ep {

/// Place in a model file, from 1 on.
struct SourcePlace {
  std::size_t line = 1, column = 1;
};

/// Term of a model: a number, a name, an operator or a function with its arguments.
struct Expression {
  enum class Kind {
    kNumber,
    kName,  ///< of a variable or a column; with indices, of one element of it
    kCall,  ///< of a function, by its name; operators are "+", "-", "*", "/", "^", and "neg" with one sign
  };
  Kind kind = Kind::kNumber;
  SourcePlace place = {};
  double number = 0;
  std::string name = "";
  std::vector<Expression> indices = {};    ///< of a name
  std::vector<Expression> arguments = {};  ///< of a call
};

/// One line of a model: `name[indices] ~ distribution(arguments)`, or `name[indices] = expression`.
struct Statement {
  SourcePlace place = {};
  Expression subject = {};  ///< a kName
  bool is_random = true;    ///< with ~
  Expression value = {};    ///< the distribution, a kCall; or any expression
};

/// Text of a model, as statements.
struct ModelSyntax {
  std::string file = "";  ///< for messages
  std::vector<Statement> statements = {};
};

/// Reads a model:
///
///   model      = { [statement] (newline | ";") }
///   statement  = name ["[" sum {"," sum} "]"] ("~" | "=") sum
///   sum        = product {("+" | "-") product}
///   product    = signed {("*" | "/") signed}
///   signed     = ["-" | "+"] power
///   power      = atom ["^" signed]
///   atom       = number | name ["[" sum {"," sum} "]"] | name "(" [sum {"," sum}] ")" | "(" sum ")"
///
/// "#" begins a comment. Within parentheses and brackets, and after an operator, a statement goes on in the next line.
/// Throws InputError with the line and the column, what stands there and what was expected.
ModelSyntax parse_model(std::string_view text, std::string file);

/// True if a name stands anywhere in an expression, or on the right of any statement.
bool mentions(const Expression& expression, std::string_view name);
bool mentions(const ModelSyntax& syntax, std::string_view name);

/// The expression as text, for messages.
std::string text_of(const Expression& expression);

}  // namespace fovea::ep
