// SPDX-License-Identifier: Apache-2.0
// From the bytes of a column file to bundles of attributes, step by step, on the CoNLL-2003 data (FOVEA_DATA).
// The rate is in items (tokens) per second, on one thread.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>

#include "fovea/tagging/feature/encoder.h"
#include "fovea/tagging/format/conll.h"
#include "tests/support/data.h"

namespace fovea::tagging {
namespace {

constexpr const char* kDev = "ner_conll2003/dev.txt.gz";
constexpr const char* kTrain = "ner_conll2003/train.txt.gz";

std::string unpack(const std::string& path) {
  io::ByteSource source(path);
  std::string text, chunk(1 << 20, ' ');
  while (const std::size_t count = source.read(chunk)) text.append(chunk, 0, count);
  return text;
}

std::vector<ItemSequence> parse(std::string_view text) {
  ConllReader reader(io::ByteSource::from_memory(text, "data"));
  std::vector<ItemSequence> sequences;
  for (ItemSequence sequence; reader.next(sequence);) sequences.push_back(sequence);
  return sequences;
}

std::size_t count_items(const std::vector<ItemSequence>& sequences) {
  std::size_t count = 0;
  for (const ItemSequence& sequence : sequences) count += sequence.size();
  return count;
}

/// Words, part of speech and chunk; the fourth column is the label.
FeatureTemplate default_template() { return FeatureTemplate::default_for(3); }

void set_rate(benchmark::State& state, std::size_t items) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * items));
  state.counters["ns/item"] = benchmark::Counter(static_cast<double>(state.iterations() * items) * 1e-9,
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// Runs body(text, sequences) on a data file, or reports that there is none.
template <class Body>
void with_data(benchmark::State& state, const char* name, Body&& body) {
  const std::string path = testing::find_data(name);
  if (path.empty()) return state.SkipWithError("set FOVEA_DATA");
  const std::string text = unpack(path);
  const std::vector<ItemSequence> sequences = parse(text);
  body(text, sequences);
  set_rate(state, count_items(sequences));
}

void read_columns(benchmark::State& state) {
  with_data(state, kDev, [&](const std::string& text, const auto&) {
    ItemSequence sequence;
    for (auto _ : state) {
      ConllReader reader(io::ByteSource::from_memory(text, "data"));
      while (reader.next(sequence)) benchmark::DoNotOptimize(sequence);
    }
  });
}
BENCHMARK(read_columns);

/// Every word seen before: what a long stream tends to.
void index_known(benchmark::State& state) {
  with_data(state, kDev, [&](const std::string&, const auto& sequences) {
    BundleIndexer indexer(default_template());
    std::vector<std::uint32_t> bundles;
    const auto index_all = [&] {
      for (const ItemSequence& sequence : sequences) {
        indexer.index(sequence, bundles);
        benchmark::DoNotOptimize(bundles.data());
      }
    };
    index_all();
    for (auto _ : state) index_all();
  });
}
BENCHMARK(index_known);

/// Nothing seen before; attributes are looked up in the dictionary of the training set.
void index_new(benchmark::State& state) {
  const std::string train = testing::find_data(kTrain);
  if (train.empty()) return state.SkipWithError("set FOVEA_DATA");
  Encoder encoder(default_template());
  for (const ItemSequence& sequence : parse(unpack(train))) encoder.append(sequence);
  const FrozenDictionary dictionary = encoder.attributes().freeze();
  with_data(state, kDev, [&](const std::string&, const auto& sequences) {
    std::vector<std::uint32_t> bundles, ids;
    for (auto _ : state) {
      BundleIndexer indexer(default_template());
      std::size_t bundle_count = 0, attribute_count = 0;
      for (const ItemSequence& sequence : sequences) {
        const NewBundles& fresh = indexer.index(sequence, bundles);
        bundle_count += fresh.bundle_count();
        attribute_count += fresh.attributes().size();
        ids.resize(fresh.attributes().size());
        dictionary.find_all(fresh.attributes(), ids.data());
      }
      state.counters["bundles"] = bundle_count;
      state.counters["attributes"] = attribute_count;
    }
  });
}
BENCHMARK(index_new);

void encode_train(benchmark::State& state) {
  with_data(state, kTrain, [&](const std::string&, const auto& sequences) {
    for (auto _ : state) {
      Encoder encoder(default_template());
      for (const ItemSequence& sequence : sequences) encoder.append(sequence);
      state.counters["attributes"] = encoder.attributes().size();
      state.counters["bundles"] = encoder.items().bundles.row_count();
      state.counters["bundle attributes"] = encoder.items().bundles.columns.size();
    }
  });
}
BENCHMARK(encode_train)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fovea::tagging
