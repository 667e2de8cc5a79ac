// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/sample/sequence_kernel.h"

#include <cmath>

#include "fovea/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/sample/sequence_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/sequence/sample/sequence_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::HWY_NAMESPACE {

#define FOVEA_VISIT(name, kind, detail)                                                                               \
  std::size_t name(const LabelSequences& sequences, Value* labels, std::span<const VariableId> batch, Random& random, \
                   const mcmc::VisitRecord& record, mcmc::SiteInfo* infos) {                                          \
    return visit<Visit::kind, Detail::detail>(sequences, labels, batch, random, record, infos);                       \
  }
FOVEA_VISIT(sample_plain, kSample, kNone)
FOVEA_VISIT(sample_gains, kSample, kGains)
FOVEA_VISIT(sample_doubt, kSample, kDoubt)
FOVEA_VISIT(sample_all, kSample, kAll)
FOVEA_VISIT(best_plain, kBest, kNone)
FOVEA_VISIT(best_gains, kBest, kGains)
FOVEA_VISIT(best_doubt, kBest, kDoubt)
FOVEA_VISIT(best_all, kBest, kAll)
#undef FOVEA_VISIT

void unary_start_all(const LabelSequences& sequences, Value* labels, float* doubt, float scale, const float* bias,
                     OpenLabels* open, float log_share) {
  start_from_unary(sequences, labels, doubt, scale, bias, open, log_share);
}
void add_all_conditionals(const LabelSequences& sequences, const Value* labels, std::span<const VariableId> batch,
                          float* sums) {
  add_site_conditionals(sequences, labels, batch, sums);
}

}  // namespace fovea::sequence::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::sequence {
namespace {

HWY_EXPORT(sample_plain);
HWY_EXPORT(sample_gains);
HWY_EXPORT(sample_doubt);
HWY_EXPORT(sample_all);
HWY_EXPORT(best_plain);
HWY_EXPORT(best_gains);
HWY_EXPORT(best_doubt);
HWY_EXPORT(best_all);
HWY_EXPORT(unary_start_all);
HWY_EXPORT(add_all_conditionals);

mcmc::StepInfo report(const LabelSequences& sequences, std::span<const VariableId> batch, std::size_t changes,
                      const mcmc::VisitRecord& record = {}) {
  const auto factors_per_visit = static_cast<std::uint64_t>(sequences.ngrams().factor_size()) + 1;
  return {.work = {.transitions = batch.size(), .factors = batch.size() * factors_per_visit},
          .changes = changes,
          .gains = {record.gains, record.gains ? batch.size() : 0}};
}

/// A step of `visit`, which also fills in the batch's `sites`.
template <class Visit>
mcmc::StepInfo step_with_sites(const Visit& visit, const LabelSequences& sequences, Assignment& labeling,
                               std::span<const VariableId> batch, Random& random, std::span<mcmc::SiteInfo> sites) {
  FOVEA_CHECK(sites.size() >= batch.size());
  mcmc::StepInfo info =
      report(sequences, batch, visit(sequences, labeling.data(), batch, random, mcmc::VisitRecord{}, sites.data()));
  info.sites = sites.first(batch.size());
  return info;
}

}  // namespace

mcmc::StepInfo SequenceGibbs::step(Assignment& labeling, std::span<const VariableId> batch, Random& random,
                                   const mcmc::VisitRecord& record) const {
  const auto visit = record.doubt   ? HWY_DYNAMIC_DISPATCH(sample_doubt)
                     : record.gains ? HWY_DYNAMIC_DISPATCH(sample_gains)
                                    : HWY_DYNAMIC_DISPATCH(sample_plain);
  return report(*sequences_, batch, visit(*sequences_, labeling.data(), batch, random, record, nullptr), record);
}

mcmc::StepInfo SequenceGibbs::step(Assignment& labeling, std::span<const VariableId> batch, Random& random,
                                   std::span<mcmc::SiteInfo> sites) const {
  if (sites.empty()) return step(labeling, batch, random, mcmc::VisitRecord{});
  return step_with_sites(HWY_DYNAMIC_DISPATCH(sample_all), *sequences_, labeling, batch, random, sites);
}

mcmc::StepInfo SequenceIcm::step(Assignment& labeling, std::span<const VariableId> batch, Random& random,
                                 const mcmc::VisitRecord& record) const {
  const auto visit = record.doubt   ? HWY_DYNAMIC_DISPATCH(best_doubt)
                     : record.gains ? HWY_DYNAMIC_DISPATCH(best_gains)
                                    : HWY_DYNAMIC_DISPATCH(best_plain);
  return report(*sequences_, batch, visit(*sequences_, labeling.data(), batch, random, record, nullptr), record);
}

mcmc::StepInfo SequenceIcm::step(Assignment& labeling, std::span<const VariableId> batch, Random& random,
                                 std::span<mcmc::SiteInfo> sites) const {
  if (sites.empty()) return step(labeling, batch, random, mcmc::VisitRecord{});
  return step_with_sites(HWY_DYNAMIC_DISPATCH(best_all), *sequences_, labeling, batch, random, sites);
}

void unary_start(const LabelSequences& sequences, Assignment& labeling, float* doubt, const UnaryLaw& law,
                 OpenLabels* open, double open_share) {
  FOVEA_CHECK(law.scale > 0 && (law.bias.empty() || law.bias.size() == sequences.ngrams().stride()));
  const AlignedVector<float> none(law.bias.empty() ? sequences.ngrams().stride() : 0);
  if (open) open->reset(sequences.position_count());
  HWY_DYNAMIC_DISPATCH(unary_start_all)
  (sequences, labeling.data(), doubt, law.scale, law.bias.empty() ? none.data() : law.bias.data(), open,
   static_cast<float>(std::log(open_share)));
}

void add_conditionals(const LabelSequences& sequences, const Assignment& labeling, std::span<const VariableId> batch,
                      float* sums) {
  HWY_DYNAMIC_DISPATCH(add_all_conditionals)(sequences, labeling.data(), batch, sums);
}

}  // namespace fovea::sequence
#endif
