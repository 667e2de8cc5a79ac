// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/search/dnf_search.h"

namespace fovea {

class DnfSearch::Impl {
 public:
  Dnf best;
  std::size_t best_errors = 0;
  std::uint64_t steps = 0, restarts = 0;
};

DnfSearch::DnfSearch(const AtomChoice&, const DnfSearchOptions& options) : impl_(std::make_unique<Impl>()) {
  validate(options);
}
DnfSearch::~DnfSearch() = default;
DnfSearch::DnfSearch(DnfSearch&&) noexcept = default;
DnfSearch& DnfSearch::operator=(DnfSearch&&) noexcept = default;

std::optional<Dnf> DnfSearch::find(const ExampleSet&, const Budget&, const Stop&) { return std::nullopt; }
const Dnf& DnfSearch::best() const { return impl_->best; }
std::size_t DnfSearch::best_errors() const { return impl_->best_errors; }
std::uint64_t DnfSearch::steps() const { return impl_->steps; }
std::uint64_t DnfSearch::restarts() const { return impl_->restarts; }

}  // namespace fovea
