// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::ep {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Token {
  enum class Kind { kNumber, kName, kSign, kEndOfLine, kEnd };
  Kind kind = Kind::kEnd;
  std::string_view text = "";
  SourcePlace place = {};
  double number = 0;
};

/// Cuts the text of a model into tokens.
class Tokens {
 public:
  Tokens(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    begin_ = text_.data();
  }

  std::vector<Token> all() {
    std::vector<Token> tokens;
    do tokens.push_back(next());
    while (tokens.back().kind != Token::Kind::kEnd);
    return tokens;
  }

 private:
  Token next() {
    skip_blanks();
    if (text_.empty()) return make(Token::Kind::kEnd, 0);
    const char first = text_.front();
    if (first == '\n' || first == ';') {
      const Token token = make(Token::Kind::kEndOfLine, 1);
      if (first == '\n') {
        ++line_;
        begin_ = text_.data();
      }
      return token;
    }
    if (is_digit(first) || (first == '.' && text_.size() > 1 && is_digit(text_[1]))) return number();
    if (is_letter(first)) {
      std::size_t size = 1;
      while (size < text_.size() && (is_letter(text_[size]) || is_digit(text_[size]) || text_[size] == '.')) ++size;
      return make(Token::Kind::kName, size);
    }
    if (first == '"') return quoted();
    if (std::string_view("~=+-*/^()[],").find(first) != std::string_view::npos) return make(Token::Kind::kSign, 1);
    throw InputError(location(), fmt::format("unexpected character '{}'", std::string_view(text_.substr(0, 1))),
                     "A model has names, numbers and the signs ~ = + - * / ^ ( ) [ ] ,");
  }

  void skip_blanks() {
    while (!text_.empty()) {
      const char c = text_.front();
      if (c == '#') text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
      else if (c == ' ' || c == '\t' || c == '\r') text_.remove_prefix(1);
      else break;
    }
  }

  Token number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    const auto size = static_cast<std::size_t>(end - text_.data());
    if (error != std::errc())
      throw InputError(location(), fmt::format("'{}' is beyond what a number can be", text_.substr(0, size)),
                       "Write numbers from 1e-300 to 1e300");
    Token token = make(Token::Kind::kNumber, size);
    token.number = value;
    return token;
  }

  /// A name with other characters, such as that of a column.
  Token quoted() {
    const std::size_t end = text_.find_first_of("\"\n", 1);
    if (end == std::string_view::npos || text_[end] != '"' || end == 1)
      throw InputError(location(), "a name in quotes does not end", "Close it with \" in the same line");
    Token token = make(Token::Kind::kName, end + 1);
    token.text = token.text.substr(1, end - 1);
    return token;
  }

  Token make(Token::Kind kind, std::size_t size) {
    const Token token = {.kind = kind, .text = text_.substr(0, size), .place = place()};
    text_.remove_prefix(size);
    return token;
  }

  SourcePlace place() const { return {.line = line_, .column = static_cast<std::size_t>(text_.data() - begin_) + 1}; }
  InputLocation location() const { return {.file = file_, .line = line_, .column = place().column}; }

  std::string_view text_;
  const std::string& file_;
  const char* begin_;  // of the line
  std::size_t line_ = 1;
};

/// Recursive descent, a function for each rule of the grammar.
class Parser {
 public:
  Parser(std::string_view text, std::string file)
      : syntax_{.file = std::move(file)}, tokens_(Tokens(text, syntax_.file).all()) {}

  ModelSyntax model() {
    for (;;) {
      while (now().kind == Token::Kind::kEndOfLine) ++at_;
      if (now().kind == Token::Kind::kEnd) return std::move(syntax_);
      syntax_.statements.push_back(statement());
      if (now().kind != Token::Kind::kEndOfLine && now().kind != Token::Kind::kEnd) refuse("the end of the line, or ;");
    }
  }

 private:
  static constexpr int kDeepest = 200;

  const Token& now() const { return tokens_[at_]; }
  bool is_sign(char sign) const { return now().kind == Token::Kind::kSign && now().text.front() == sign; }

  bool take(char sign) {
    if (!is_sign(sign)) return false;
    ++at_;
    if (sign == '(' || sign == '[') ++open_;
    if (sign == ')' || sign == ']') --open_;
    skip_ends_of_lines(sign != ')' && sign != ']');
    return true;
  }

  /// Within brackets, and after a sign that something must follow, a line's end means nothing.
  void skip_ends_of_lines(bool goes_on) {
    while ((open_ > 0 || goes_on) && now().kind == Token::Kind::kEndOfLine && now().text == "\n") ++at_;
  }

  void expect(char sign, std::string_view what) {
    if (!take(sign)) refuse(what);
  }

  Statement statement() {
    Statement result = {.place = now().place};
    if (now().kind != Token::Kind::kName) refuse("a name, such as in 'mu ~ normal(0, 10)'");
    result.subject = name();
    if (is_sign('(')) refuse("~ or =, after the name of a variable");
    result.is_random = is_sign('~');
    if (!take('~') && !take('=')) refuse("~ or =");
    result.value = sum();
    if (result.is_random && result.value.kind != Expression::Kind::kCall)
      throw InputError(location(result.value.place), fmt::format("'{}' is not a distribution", text_of(result.value)),
                       "Write a distribution after ~, such as normal(0, 10), or = for a formula");
    return result;
  }

  Expression sum() {
    if (++depth_ > kDeepest)
      throw InputError(location(now().place), "brackets are nested too deeply", "Give parts names of their own");
    Expression left = product();
    while (is_sign('+') || is_sign('-')) left = binary(std::move(left), &Parser::product);
    --depth_;
    return left;
  }

  Expression product() {
    Expression left = signed_power();
    while (is_sign('*') || is_sign('/')) left = binary(std::move(left), &Parser::signed_power);
    return left;
  }

  Expression signed_power() {
    if (!is_sign('-') && !is_sign('+')) return power();
    const Token sign = now();
    take(sign.text.front());
    Expression of = signed_power_inside();
    if (sign.text == "+") return of;
    if (of.kind == Expression::Kind::kNumber) {
      of.number = -of.number;
      return of;
    }
    return {.kind = Expression::Kind::kCall, .place = sign.place, .name = "neg", .arguments = {std::move(of)}};
  }

  Expression signed_power_inside() {
    if (++depth_ > kDeepest)
      throw InputError(location(now().place), "signs are nested too deeply", "Leave out signs that cancel");
    Expression result = signed_power();
    --depth_;
    return result;
  }

  Expression power() {
    Expression base = atom();
    return is_sign('^') ? binary(std::move(base), &Parser::signed_power_inside) : base;
  }

  Expression binary(Expression left, Expression (Parser::*right)()) {
    Expression result = {
        .kind = Expression::Kind::kCall, .place = now().place, .name = std::string(now().text), .arguments = {}};
    take(now().text.front());
    result.arguments.push_back(std::move(left));
    result.arguments.push_back((this->*right)());
    return result;
  }

  Expression atom() {
    if (now().kind == Token::Kind::kNumber) {
      const Token number = tokens_[at_++];
      skip_ends_of_lines(false);
      return {.kind = Expression::Kind::kNumber, .place = number.place, .number = number.number};
    }
    if (take('(')) {
      Expression inner = sum();
      expect(')', ")");
      return inner;
    }
    if (now().kind != Token::Kind::kName) refuse("a number, a name or (");
    return name();
  }

  /// A name with its indices, or a call.
  Expression name() {
    const Token token = tokens_[at_++];
    Expression result = {.kind = Expression::Kind::kName, .place = token.place, .name = std::string(token.text)};
    if (take('[')) {
      do result.indices.push_back(sum());
      while (take(','));
      expect(']', ", or ]");
    } else if (take('(')) {
      result.kind = Expression::Kind::kCall;
      if (!is_sign(')')) do
          result.arguments.push_back(sum());
        while (take(','));
      expect(')', ", or )");
    }
    skip_ends_of_lines(false);
    return result;
  }

  InputLocation location(SourcePlace place) const {
    return {.file = syntax_.file, .line = place.line, .column = place.column};
  }

  [[noreturn]] void refuse(std::string_view expected) const {
    const Token& token = now();
    const std::string found = token.kind == Token::Kind::kEnd ? "the end of the model"
                              : token.kind == Token::Kind::kEndOfLine && token.text != ";"
                                  ? "the end of the line"
                                  : fmt::format("'{}'", token.text);
    throw InputError(location(token.place), fmt::format("{} stands where {} was expected", found, expected),
                     "See `fovea fit --help` for the language of models");
  }

  ModelSyntax syntax_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int open_ = 0, depth_ = 0;
};

std::string joined(const std::vector<Expression>& expressions) {
  std::string text;
  for (const Expression& expression : expressions) text += (text.empty() ? "" : ", ") + text_of(expression);
  return text;
}

}  // namespace

ModelSyntax parse_model(std::string_view text, std::string file) { return Parser(text, std::move(file)).model(); }

bool mentions(const Expression& expression, std::string_view name) {
  const auto has = [&](const Expression& part) { return mentions(part, name); };
  return (expression.kind == Expression::Kind::kName && expression.name == name) ||
         std::ranges::any_of(expression.indices, has) || std::ranges::any_of(expression.arguments, has);
}

bool mentions(const ModelSyntax& syntax, std::string_view name) {
  return std::ranges::any_of(syntax.statements, [&](const Statement& one) { return mentions(one.value, name); });
}

std::string text_of(const Expression& expression) {
  if (expression.kind == Expression::Kind::kNumber) return fmt::format("{}", expression.number);
  if (expression.kind == Expression::Kind::kName)
    return expression.indices.empty() ? expression.name
                                      : fmt::format("{}[{}]", expression.name, joined(expression.indices));
  const std::vector<Expression>& arguments = expression.arguments;
  if (expression.name == "neg") return fmt::format("-({})", text_of(arguments[0]));
  if (std::string_view("+-*/^").find(expression.name) != std::string_view::npos)
    return fmt::format("({} {} {})", text_of(arguments[0]), expression.name, text_of(arguments[1]));
  return fmt::format("{}({})", expression.name, joined(arguments));
}

}  // namespace fovea::ep
