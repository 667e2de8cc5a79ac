// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/opengm/opengm_hdf5.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "fovea/graph/format/hdf5/file.h"
#include "fovea/graph/format/opengm/opengm_functions.h"
#include "fovea/graph/format/tables/table_pool.h"

namespace fovea::graph {
namespace {

using Numbers = std::vector<std::uint64_t>;

std::string read_all(io::ByteSource& source) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::string bytes;
  for (std::size_t size = 0;;) {
    bytes.resize(size + kPiece);
    const std::size_t count = source.read(std::span(bytes).subspan(size));
    size += count;
    if (count == 0) {
      bytes.resize(size);
      return bytes;
    }
  }
}

/// All functions of one type.
struct FunctionType {
  OpengmFunctionType type = OpengmFunctionType::kExplicit;
  std::uint64_t count = 0;
  Numbers indices = {};             // what the functions refer to ...
  std::vector<double> values = {};  // ... likewise
  std::vector<OpengmFunction> functions = {};
  std::vector<std::optional<TableId>> tables = {};  // [function], once a factor has used it
};

class ModelReader {
 public:
  ModelReader(const hdf5::File& file, std::string group) : file_(file), group_(std::move(group)) {}

  FactorGraph read() {
    if (group_.empty()) group_ = find_group();
    read_header();
    for (const std::uint64_t cardinality : read_numbers("numbers-of-states", variable_count_))
      in("numbers-of-states", [&] { builder_.add_variable(cardinality); });
    for (FunctionType& type : types_) read_functions(type);
    read_factors();
    return builder_.build();
  }

 private:
  std::string path(std::string_view member) const { return fmt::format("{}/{}", group_, member); }

  [[noreturn]] void refuse(std::string_view member, std::string_view problem) const {
    throw InputError({.file = file_.name()}, fmt::format("'{}': {}", path(member), problem),
                     "Write the model again with OpenGM");
  }

  /// Runs `statement`; a broken rule of models is an error in that member.
  template <class Statement>
  void in(std::string_view member, Statement&& statement) const {
    try {
      statement();
    } catch (const std::invalid_argument& error) {
      refuse(member, error.what());
    }
  }

  std::string find_group() const {
    std::vector<std::string> groups;
    for (const std::string& name : file_.members(""))
      if (file_.contains(name + "/header")) groups.push_back(name);
    if (groups.size() != 1)
      throw InputError({.file = file_.name()},
                       fmt::format("{} groups hold a model: [{}]", groups.size(), fmt::join(groups, ", ")),
                       groups.empty() ? "Give a file that OpenGM wrote" : "Name the group that is meant");
    return groups[0];
  }

  Numbers read_numbers(std::string_view member, std::uint64_t count) const {
    Numbers numbers = file_.read_unsigned(path(member));
    if (numbers.size() != count)
      refuse(member, fmt::format("{} numbers, where the header says {}", numbers.size(), count));
    return numbers;
  }

  void read_header();
  void read_functions(FunctionType& type);
  void read_factors();
  void add_factor(std::uint64_t factor, FunctionType& type, std::uint64_t function,
                  std::span<const std::uint64_t> variables);

  const hdf5::File& file_;
  std::string group_;
  std::uint64_t variable_count_ = 0, factor_count_ = 0;
  std::vector<FunctionType> types_;
  TableLimit limit_;
  FactorGraph::Builder builder_;
};

void ModelReader::read_header() {
  constexpr std::size_t kFixed = 5;
  constexpr std::string_view kHeader = "header";
  const Numbers header = file_.read_unsigned(path(kHeader));
  if (header.size() < kFixed) refuse(kHeader, fmt::format("{} numbers; there are at least {}", header.size(), kFixed));
  if (header[0] != 2 || header[1] != 0) refuse(kHeader, fmt::format("version {}.{}, not 2.0", header[0], header[1]));
  variable_count_ = header[2];
  factor_count_ = header[3];
  const std::size_t listed = (header.size() - kFixed) / 2;  // without the type of values, if it is there
  if (header[4] != listed) refuse(kHeader, fmt::format("{} types of functions, but room for {}", header[4], listed));
  for (std::size_t t = 0; t < listed; ++t) {
    const auto number = header[kFixed + 2 * t], count = header[kFixed + 2 * t + 1];
    const auto type = static_cast<OpengmFunctionType>(number);
    for (const FunctionType& other : types_)
      if (other.type == type) refuse(kHeader, fmt::format("function type {} is listed twice", number));
    if (count > 0 && !is_supported(type))
      throw InputError({.file = file_.name()},
                       fmt::format("'{}': functions of type {} ({}) are not supported", path(kHeader), number,
                                   name_of(type).empty() ? "unknown" : name_of(type)),
                       "Write these functions as explicit ones (type 16000)");
    types_.push_back(FunctionType{.type = type, .count = count});
  }
}

void ModelReader::read_functions(FunctionType& type) {
  if (type.count == 0) return;
  const std::string member = fmt::format("function-id-{}", static_cast<std::uint64_t>(type.type));
  type.indices = file_.read_unsigned(path(member + "/indices"));
  type.values = file_.read_real(path(member + "/values"));
  in(member, [&] {
    OpengmFunctionReader reader(type.type, type.indices, type.values);
    while (type.functions.size() < type.count) type.functions.push_back(reader.next());
    if (!reader.at_end())
      throw std::invalid_argument(fmt::format("holds more than the {} functions of the header", type.count));
  });
  type.tables.resize(type.functions.size());
}

void ModelReader::read_factors() {
  constexpr std::string_view kFactors = "factors";
  if (factor_count_ == 0) return;
  const Numbers numbers = file_.read_unsigned(path(kFactors));
  std::span<const std::uint64_t> rest = numbers;
  for (std::uint64_t f = 0; f < factor_count_; ++f) {
    if (rest.size() < 3 || rest[2] > rest.size() - 3) refuse(kFactors, fmt::format("ends within factor {}", f));
    const std::uint64_t function = rest[0], type = rest[1];
    if (type >= types_.size() || function >= types_[type].functions.size())
      refuse(kFactors, fmt::format("factor {} has function {} of type {}, which does not exist", f, function, type));
    in(kFactors, [&] { add_factor(f, types_[type], function, rest.subspan(3, rest[2])); });
    rest = rest.subspan(3 + rest[2]);
  }
  if (!rest.empty()) refuse(kFactors, fmt::format("{} numbers follow the last factor", rest.size()));
}

void ModelReader::add_factor(std::uint64_t factor, FunctionType& type, std::uint64_t function,
                             std::span<const std::uint64_t> variables) {
  const OpengmFunction& definition = type.functions[function];
  std::vector<VariableId> scope;
  std::vector<std::uint32_t> shape;
  for (const std::uint64_t variable : variables) {
    if (variable >= variable_count_)
      throw std::invalid_argument(fmt::format("factor {} names variable {} of {}", factor, variable, variable_count_));
    scope.push_back(static_cast<VariableId>(variable));
    shape.push_back(static_cast<std::uint32_t>(builder_.cardinality(scope.back())));
  }
  if (shape != definition.shape)
    throw std::invalid_argument(fmt::format("factor {} joins variables with ({}) labels to a function of ({})", factor,
                                            fmt::join(shape, ", "), fmt::join(definition.shape, ", ")));
  std::optional<TableId>& table = type.tables[function];
  if (!table) {
    if (type.type != OpengmFunctionType::kExplicit) limit_.add(shape, 0, {.file = file_.name()});
    table = builder_.add_table(definition.log_scores());
  }
  builder_.add_factor(scope, *table);
}

}  // namespace

FactorGraph read_opengm_hdf5(io::ByteSource source, const std::string& group) {
  std::string bytes = read_all(source);
  const hdf5::File file(std::move(bytes), source.name());
  return ModelReader(file, group).read();
}

}  // namespace fovea::graph
