// Tasks with depend clauses: what code made by the compiler plugin calls. See README.md, "Dependences".
#include <takt/kmp.hpp>
#include <takt/omp.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

namespace takt::core {

namespace {

using kmp::dependence;
using kmp::k_all_memory;
using kmp::k_only_read;

/// What tasks depend on that nothing has waited for: a hash table, probed in a row. Its length is a power of two, and
/// at least half of it is empty.
class dependences {
 public:
  bool is_in_conflict(const dependence& with) const;
  void add(const dependence& one);

 private:
  struct entry {
    std::uintptr_t address;
    bool is_used;
    bool is_written;
  };
  std::size_t place_of(std::uintptr_t address) const;
  void grow();

  std::vector<entry> table_ = std::vector<entry>(16);
  std::size_t used_ = 0;
  bool has_all_memory_ = false;
};

/// Where the address is, or could be put.
std::size_t dependences::place_of(std::uintptr_t address) const {
  const std::size_t mask = table_.size() - 1;
  // The upper half of the product depends on all bits of the address.
  std::size_t at = static_cast<std::size_t>(address * 0x9e3779b97f4a7c15u >> 32) & mask;
  while (table_[at].is_used && table_[at].address != address) at = (at + 1) & mask;
  return at;
}

bool dependences::is_in_conflict(const dependence& with) const {
  if (has_all_memory_) return true;
  if ((with.kind & k_all_memory) != 0) return used_ != 0;
  const entry& there = table_[place_of(with.address)];
  return there.is_used && (there.is_written || with.kind != k_only_read);
}

void dependences::add(const dependence& one) {
  if ((one.kind & k_all_memory) != 0) {
    has_all_memory_ = true;
    return;
  }
  if (2 * (used_ + 1) > table_.size()) grow();
  entry& there = table_[place_of(one.address)];
  if (!there.is_used) ++used_;
  there = {one.address, true, there.is_written || one.kind != k_only_read};
}

void dependences::grow() {
  std::vector<entry> old(2 * table_.size());
  old.swap(table_);
  for (const entry& one : old) {
    if (one.is_used) table_[place_of(one.address)] = one;
  }
}

}  // namespace

}  // namespace takt::core

using namespace takt::core;

extern "C" {

bool takt_omp_is_in_conflict(const void* known, std::int32_t count, const void* list) noexcept {
  const auto& all = *static_cast<const dependences*>(known);
  const auto* const items = static_cast<const dependence*>(list);
  return std::any_of(items, items + count, [&](const dependence& one) { return all.is_in_conflict(one); });
}

void takt_omp_depend(void** known, std::int32_t count, const void* list) noexcept {
  try {
    if (*known == nullptr) *known = new dependences;
    auto& all = *static_cast<dependences*>(*known);
    const auto* const items = static_cast<const dependence*>(list);
    std::for_each(items, items + count, [&](const dependence& one) { all.add(one); });
  } catch (const std::bad_alloc&) {
    std::fputs("takt: no memory for the dependences of tasks\n", stderr);
    std::abort();
  }
}

void takt_omp_forget(void** known) noexcept {
  delete static_cast<dependences*>(*known);
  *known = nullptr;
}
}
