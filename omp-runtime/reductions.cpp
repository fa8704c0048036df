// Reductions over tasks, for LLVM's compilers: each member that takes part has a copy of each variable.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "kmp.hpp"

namespace takt::openmp {

struct reduction {
  struct variable {
    kmp::reduced_variable what;
    std::size_t stride;  ///< of the copies: cache lines
    std::byte* copies;   ///< one for each member
    std::vector<void*> known_as;  ///< of a region's: by what address each member knows it
  };
  std::vector<variable> variables;
  std::vector<unsigned char> is_made;  ///< by member and variable
  std::uint32_t members = 1;
  std::atomic<std::uint32_t> left{0};  ///< of a region's or loop's: members that are through
};

namespace {

constexpr std::size_t k_line = 64;

reduction* make(const member& m, int count, const kmp::reduced_variable* given) {
  auto* const r = new (std::nothrow) reduction;
  if (r == nullptr) fail("no memory for a reduction");
  r->members = m.in->size;
  for (int i = 0; i < count; ++i) {
    const std::size_t stride = (given[i].bytes + k_line - 1) / k_line * k_line;
    void* const copies = std::aligned_alloc(k_line, stride * r->members);
    if (copies == nullptr) fail("no memory for a reduction");
    r->variables.push_back({given[i], stride, static_cast<std::byte*>(copies), {}});
  }
  r->is_made.assign(r->variables.size() * r->members, 0);
  return r;
}

void* copy_of(reduction& r, std::size_t number, const member& m) {
  reduction::variable& v = r.variables[number];
  std::byte* const mine = v.copies + m.number * v.stride;
  unsigned char& made = r.is_made[number * r.members + m.number];
  if (made == 0) {
    made = 1;
    if (v.what.initialise != nullptr) {
      v.what.initialise(mine, v.what.original != nullptr ? v.what.original : v.what.address);
    } else {
      std::memset(mine, 0, v.what.bytes);
    }
  }
  return mine;
}

// By the variable's address, or that of a copy.
void* find(reduction& r, const void* address, const member& m) {
  const auto* const at = static_cast<const std::byte*>(address);
  for (std::size_t i = 0; i < r.variables.size(); ++i) {
    const reduction::variable& v = r.variables[i];
    const bool is_copy = at >= v.copies && at < v.copies + v.stride * r.members;
    const bool is_known = std::find(v.known_as.begin(), v.known_as.end(), address) != v.known_as.end();
    if (at == v.what.address || is_copy || is_known) return copy_of(r, i, m);
  }
  return nullptr;
}

void free_all(reduction& r) noexcept {
  for (reduction::variable& v : r.variables) std::free(v.copies);
  delete &r;
}

}  // namespace

void combine(reduction& r) noexcept {
  for (std::size_t i = 0; i < r.variables.size(); ++i) {
    const reduction::variable& v = r.variables[i];
    for (std::uint32_t n = 0; n < r.members; ++n) {
      if (r.is_made[i * r.members + n] == 0) continue;
      std::byte* const copy = v.copies + n * v.stride;
      v.what.combine(v.what.address, copy);
      if (v.what.finalise != nullptr) v.what.finalise(copy);
    }
  }
  free_all(r);
}

}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void* __kmpc_taskred_init(int, int count, void* given) {
  member& m = me();
  group* const g = m.current->groups;
  if (g == nullptr) fail("a task reduction without a taskgroup");
  g->reductions = make(m, count, static_cast<const takt::kmp::reduced_variable*>(given));
  return g;
}
TAKT_OMP void* __kmpc_task_reduction_get_th_data(int, void* where, void* address) {
  member& m = me();
  const group* g = where != nullptr ? static_cast<const group*>(where) : m.current->groups;
  for (; g != nullptr; g = g->outer) {
    if (g->reductions == nullptr) continue;
    if (void* const found = find(*g->reductions, address, m); found != nullptr) return found;
  }
  fail("a task that takes part in a reduction that is not there");
}


// As older versions of Clang and Intel's compilers describe a variable: its initializer reads nothing else.
namespace {
struct older_variable {
  void* address;
  std::uint64_t bytes;
  void (*initialise)(void* copy, void* unused);
  void (*finalise)(void* copy);
  void (*combine)(void* into, void* from);
  std::uint32_t flags;
};
std::vector<takt::kmp::reduced_variable> newer(int count, const void* given) {
  std::vector<takt::kmp::reduced_variable> all;
  for (int i = 0; i < count; ++i) {
    const older_variable& v = static_cast<const older_variable*>(given)[i];
    all.push_back({v.address, v.address, v.bytes, v.initialise, v.finalise, v.combine, v.flags});
  }
  return all;
}
}  // namespace
TAKT_OMP void* __kmpc_task_reduction_init(int number, int count, void* given) {
  return __kmpc_taskred_init(number, count, newer(count, given).data());
}

// Of a region or a worksharing construct: a taskgroup in each member, with the same copies. Each member has a variable of
// its own, and afterwards those are reduced; so the copies may go into that of whoever is the last.
TAKT_OMP void* __kmpc_taskred_modifier_init(void*, int, int is_loop, int count, void* given) {
  member& m = me();
  team& t = *m.in;
  const auto* const variables = static_cast<const takt::kmp::reduced_variable*>(given);
  begin_group(m);
  acquire(t.reduction);
  reduction*& r = t.reductions[is_loop != 0];
  if (r == nullptr) {
    r = make(m, count, variables);
    for (auto& v : r->variables) v.known_as.assign(t.size, nullptr);
  }
  for (std::size_t i = 0; i < r->variables.size(); ++i) r->variables[i].known_as[m.number] = variables[i].address;
  m.current->groups->reductions = r;
  release(t.reduction);
  m.current->groups->is_shared = true;
  return m.current->groups;
}
TAKT_OMP void* __kmpc_task_reduction_modifier_init(void* place, int number, int is_loop, int count, void* given) {
  return __kmpc_taskred_modifier_init(place, number, is_loop, count, newer(count, given).data());
}
TAKT_OMP void __kmpc_task_reduction_modifier_fini(void*, int, int is_loop) {
  member& m = me();
  team& t = *m.in;
  reduction* const r = m.current->groups->reductions;
  end_group(m);
  acquire(t.reduction);
  const bool is_last = ++r->left == t.size;
  if (is_last) t.reductions[is_loop != 0] = nullptr;
  release(t.reduction);
  if (!is_last) return;
  for (auto& v : r->variables) v.what.address = v.known_as[m.number];
  combine(*r);
}
