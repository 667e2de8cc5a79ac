// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/bif/xmlbif.h"

#include <expat.h>
#include <fmt/format.h>

#include <array>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/text.h"
#include "fovea/graph/format/bif/bif.h"
#include "fovea/graph/format/tables/name_index.h"
#include "fovea/graph/format/tables/number_list.h"
#include "fovea/graph/format/tables/table_pool.h"
#include "fovea/io/token_reader.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 28;  // of one element
constexpr std::size_t kMostNameBytes = 4096;
constexpr std::string_view kXmlBlanks = " \t\r\n";

/// Takes the events of an XML parser; errors are thrown once the parser, which is written in C, has returned.
class XmlBifReader {
 public:
  explicit XmlBifReader(io::ByteSource source) : source_(std::move(source)), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          as_reader(self).guarded([&](XmlBifReader& reader) { reader.begin(name, attributes); });
        },
        [](void* self, const XML_Char* name) {
          as_reader(self).guarded([&](XmlBifReader& reader) { reader.end(name); });
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int size) {
      as_reader(self).guarded([&](XmlBifReader& reader) { reader.add({text, static_cast<std::size_t>(size)}); });
    });
  }

  ModelFile read() {
    std::array<char, 1 << 15> buffer;
    for (std::size_t size = 1; size > 0;) {
      size = source_.read(buffer);
      const XML_Status status = XML_Parse(parser_.get(), buffer.data(), static_cast<int>(size), size == 0);
      if (error_) std::rethrow_exception(error_);
      if (status != XML_STATUS_OK)
        refuse(fmt::format("not well-formed XML: {}", XML_ErrorString(XML_GetErrorCode(parser_.get()))),
               "Write '<', '&' and '>' within names as &lt;, &amp; and &gt;");
    }
    return build();
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };
  struct Variable {
    std::string name = {};
    std::vector<std::string> values = {};
  };
  struct Definition {
    std::uint64_t line = 0;
    std::vector<std::string> of = {}, given = {};
    std::vector<double> entries = {};
    bool has_table = false;
  };

  static XmlBifReader& as_reader(void* self) { return *static_cast<XmlBifReader*>(self); }

  template <class F>
  void guarded(const F& f) noexcept {
    if (error_) return;
    try {
      f(*this);
    } catch (...) {
      error_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy) const {
    throw InputError({.file = source_.name(), .line = XML_GetCurrentLineNumber(parser_.get())}, problem, remedy);
  }

  void begin(std::string_view name, const XML_Char** attributes) {
    text_.clear();
    if (name == "VARIABLE") begin_variable(attributes);
    else if (name == "DEFINITION" || name == "PROBABILITY") {
      definitions_.push_back({.line = XML_GetCurrentLineNumber(parser_.get())});
      place_ = Place::kDefinition;
    }
  }

  void begin_variable(const XML_Char** attributes) {
    for (; attributes[0] != nullptr; attributes += 2)
      if (std::string_view(attributes[0]) == "TYPE" && std::string_view(attributes[1]) != "nature")
        refuse(fmt::format("a variable of type '{}'", attributes[1]), "Only those of nature have distributions");
    read_variables_.emplace_back();
    place_ = Place::kVariable;
  }

  void add(std::string_view text) {
    if (text_.size() + text.size() > kMaxTextBytes)
      refuse(fmt::format("a text of more than {} bytes", kMaxTextBytes), "Split the table");
    text_ += text;
  }

  void end(std::string_view name) {
    if (name == "VARIABLE") end_variable();
    else if (name == "DEFINITION" || name == "PROBABILITY") place_ = Place::kNetwork;
    else if (name == "NAME" && place_ == Place::kVariable) read_variables_.back().name = text_as_name("a variable");
    else if (name == "NAME" && place_ == Place::kNetwork) names_.model = text_as_name("the network");
    else if ((name == "OUTCOME" || name == "VALUE") && place_ == Place::kVariable)
      read_variables_.back().values.push_back(text_as_name("an outcome"));
    else if (name == "FOR" && place_ == Place::kDefinition)
      definitions_.back().of.push_back(text_as_name("a variable"));
    else if (name == "GIVEN" && place_ == Place::kDefinition)
      definitions_.back().given.push_back(text_as_name("a variable"));
    else if (name == "TABLE" && place_ == Place::kDefinition) end_table();
    text_.clear();
  }

  std::string text_as_name(std::string_view what) const {
    const std::string_view name = trimmed(text_, kXmlBlanks);
    if (name.empty() || name.size() > kMostNameBytes)
      refuse(fmt::format("the name of {} has {} bytes", what, name.size()),
             fmt::format("Give it one of 1 to {}", kMostNameBytes));
    return std::string(name);
  }

  void end_variable() {
    place_ = Place::kNetwork;
    const Variable& variable = read_variables_.back();
    if (variable.name.empty()) refuse("a variable without a name", "Give it a NAME");
    if (variable.values.empty() || variable.values.size() > std::numeric_limits<Value>::max())
      refuse(fmt::format("the variable '{}' has {} outcomes", variable.name, variable.values.size()),
             "Give each variable 1 to 65535");
    if (!variables_.add(variable.name))
      refuse(fmt::format("two variables are called '{}'", variable.name), "Rename one");
    NameIndex values;
    for (const std::string& value : variable.values)
      if (!values.add(value))
        refuse(fmt::format("two outcomes of '{}' are called '{}'", variable.name, value), "Rename one");
    builder_.add_variable(variable.values.size());
    names_.variables.push_back(variable.name);
    names_.values.push_back(variable.values);
  }

  void end_table() {
    Definition& definition = definitions_.back();
    if (std::exchange(definition.has_table, true)) refuse("a second TABLE", "Keep one of the two");
    std::string_view rest = text_;
    for (std::size_t begin; (begin = rest.find_first_not_of(kXmlBlanks)) != rest.npos;) {
      rest.remove_prefix(begin);
      const std::string_view number = rest.substr(0, rest.find_first_of(kXmlBlanks));
      const double log_value = log_of_decimal(number);
      if (!(log_value < std::numeric_limits<double>::infinity()))
        refuse(fmt::format("{} is not a probability", io::quoted_for_message(number)), "Write numbers from 0 to 1");
      definition.entries.push_back(log_value);
      rest.remove_prefix(number.size());
    }
  }

  VariableId variable_called(const std::string& name, const Definition& definition) const {
    if (const auto found = variables_.find(name)) return *found;
    throw InputError({.file = source_.name(), .line = definition.line},
                     fmt::format("no variable is called '{}'.{}", name, suggestion(name, names_.variables)),
                     "Give each variable its VARIABLE");
  }

  void add_factor(const Definition& definition) {
    const auto refuse_definition = [&](std::string_view problem, std::string_view remedy) {
      throw InputError({.file = source_.name(), .line = definition.line}, problem, remedy);
    };
    if (definition.of.size() != 1)
      refuse_definition(fmt::format("a definition for {} variables", definition.of.size()), "Give it one FOR");
    std::vector<VariableId> scope;
    for (const std::string& name : definition.given) scope.push_back(variable_called(name, definition));
    scope.push_back(variable_called(definition.of[0], definition));
    double entries = 1;
    for (std::size_t i = 0; i < scope.size(); ++i) {
      entries *= static_cast<double>(builder_.cardinality(scope[i]));
      for (std::size_t j = 0; j < i; ++j)
        if (scope[j] == scope[i])
          refuse_definition(fmt::format("'{}' appears twice in a definition", names_.variables[scope[i]]),
                            "Name each variable once");
    }
    if (static_cast<double>(definition.entries.size()) != entries)
      refuse_definition(fmt::format("the table of '{}' has {} numbers where {} should be", definition.of[0],
                                    definition.entries.size(), entries),
                        "Give one for each joint value of the variable and those that are given");
    if (is_defined_[scope.back()])
      refuse_definition(fmt::format("a second definition of '{}'", definition.of[0]), "Keep one of the two");
    is_defined_[scope.back()] = true;
    builder_.add_factor(scope, tables_.add(definition.entries));
  }

  ModelFile build() {
    if (read_variables_.empty())
      throw InputError({.file = source_.name()}, "no network of variables", "XMLBIF has NETWORK, VARIABLE, DEFINITION");
    is_defined_.assign(read_variables_.size(), false);
    for (const Definition& definition : definitions_) add_factor(definition);
    for (std::size_t v = 0; v < is_defined_.size(); ++v)
      if (!is_defined_[v])
        throw InputError({.file = source_.name()}, fmt::format("'{}' has no definition", names_.variables[v]),
                         "Give each variable one");
    ModelFile model = {.graph = builder_.build(), .names = std::move(names_), .format = "xmlbif", .is_bayesian = true};
    if (const std::vector<VariableId> cycle = find_directed_cycle(model.graph); !cycle.empty())
      throw InputError({.file = source_.name()},
                       fmt::format("the network has a directed cycle through '{}'", model.names.variables[cycle[0]]),
                       "Remove one of its arrows; Bayesian networks have no cycles");
    return model;
  }

  enum class Place { kNetwork, kVariable, kDefinition };

  io::ByteSource source_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
  std::exception_ptr error_;
  Place place_ = Place::kNetwork;
  std::string text_;  // of the element so far
  std::vector<Variable> read_variables_;
  std::vector<Definition> definitions_;
  FactorGraph::Builder builder_;
  TablePool tables_{builder_};
  ModelNames names_;
  NameIndex variables_;
  std::vector<bool> is_defined_;
};

}  // namespace

ModelFile read_xmlbif(io::ByteSource source) { return XmlBifReader(std::move(source)).read(); }

}  // namespace fovea::graph
