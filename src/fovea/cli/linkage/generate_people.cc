// fovea generate people: writes a made-up register whose people are to be told apart.
#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/base/run_control.h"
#include "fovea/cli/run/command.h"
#include "fovea/cli/run/commands.h"
#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/generate/generated_people.h"

namespace fovea::cli {
namespace {

class GeneratePeople : public Command {
 public:
  void bind(Binder& binder) override {
    binder.options(people_);
    binder.options(options_);
    binder.options(table_options_);
  }

  void run(const Context& context) override {
    io::check_table_can_be_written(options_.output, linkage::GeneratedPeople::columns(), table_options_);
    const linkage::GeneratedPeople people(people_, Random(context.common.seed).child("register"));
    const auto table = io::make_table_writer(options_.output, linkage::GeneratedPeople::columns(), table_options_);
    const ProgressFunction progress = context.console.progress();
    const auto started = std::chrono::steady_clock::now();
    std::vector<linkage::GeneratedPeople::Cells> batch(std::min(kBatch, people.record_count()));
    for (std::size_t first = 0; first < people.record_count(); first += kBatch) {
      if (context.cancel.cancelled()) throw CancelledError("interrupted before the last record");
      const std::size_t size = std::min(kBatch, people.record_count() - first);
      parallel_for(size, kGrain, context.common.threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) people.write(first + i, batch[i]);
      });
      for (std::size_t i = 0; i < size; ++i) add_row(batch[i], *table);
      if (progress)
        progress({.phase = "writing records",
                  .done = static_cast<double>(first + size),
                  .total = static_cast<double>(people.record_count()),
                  .seconds = seconds_since(started)});
    }
    table->finish();
  }

 private:
  static constexpr std::size_t kBatch = 4096, kGrain = 256;  // records

  static void add_row(const linkage::GeneratedPeople::Cells& cells, io::TableWriter& table) {
    std::array<std::string_view, linkage::GeneratedPeople::kColumnCount> row;
    std::ranges::copy(cells, row.begin());
    table.add_row(row);
  }

  linkage::PeopleOptions people_;
  GenerateOptions options_;
  io::TableWriteOptions table_options_;
};

}  // namespace

CommandEntry generate_people_command() {
  return command_of<GeneratePeople>(
      "generate people", "Write a made-up register of people for record linkage.",
      "Writes a table with the columns id, given, surname, sex, born, street, house, postcode, city, phone, email, "
      "updated (the day of the record), household and entity (the true household that day, and the true person). "
      "People "
      "live in households, move and marry; records are written with mistakes, short forms and missing cells. Records "
      "come in random order. The name of the output decides its format: .csv, .tsv, .jsonl (also packed) or .db, an "
      "SQLite database. Each "
      "--seed gives another register.",
      "  fovea generate people -o register.csv\n"
      "  fovea generate people --records 1000000 --duplicates 2 --errors 2 --seed 1 -o register.csv.gz\n");
}

}  // namespace fovea::cli
