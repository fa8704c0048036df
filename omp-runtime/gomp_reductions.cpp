// Reductions over tasks, for GCC: its code initialises the copies, which are zero at first, and combines them.
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "gomp.hpp"

namespace takt::openmp {

/// As GCC lays it out, in the code's memory. The variables follow, in the order of their places in a copy.
struct gomp_reductions {
  struct variable {
    std::uintptr_t original;
    std::uintptr_t offset;  ///< in a member's copies
    std::uintptr_t unused;
  };

  std::uintptr_t count;
  std::uintptr_t stride;  ///< bytes for each member
  std::uintptr_t copies;  ///< before it is registered: their alignment
  std::uintptr_t allocator;
  gomp_reductions* next;   ///< of the same construct; behind its last one, what was registered before
  std::uintptr_t is_last;  ///< of its construct
  std::uintptr_t end;      ///< of the copies

  const variable* begin() const noexcept { return reinterpret_cast<const variable*>(this + 1); }
  const variable* past() const noexcept { return begin() + count; }
  bool has(std::uintptr_t address) const noexcept { return address >= copies && address < end; }
  std::uintptr_t copy_of(const member& m, std::uintptr_t offset) const noexcept {
    return copies + m.number * stride + offset;
  }
};

namespace {

gomp_reductions* innermost(const member& m) noexcept {
  for (const group* g = m.current->groups; g != nullptr; g = g->outer) {
    if (g->registered != nullptr) return g->registered;
  }
  return nullptr;
}

// `before`: what is registered around it. `like`: as another member has registered the same construct.
void set_up(gomp_reductions& first, gomp_reductions* before, const gomp_reductions* like, std::size_t members) noexcept {
  for (gomp_reductions* r = &first;; r = r->next) {
    if (like != nullptr) {
      r->copies = like->copies;
      r->end = like->end;
      like = like->next;
    } else {
      const std::size_t align = r->copies, bytes = (r->stride * members + align - 1) / align * align;
      void* const copies = std::aligned_alloc(align, bytes);
      if (copies == nullptr) fail("no memory for a reduction");
      std::memset(copies, 0, bytes);
      r->copies = reinterpret_cast<std::uintptr_t>(copies);
      r->end = r->copies + bytes;
    }
    r->is_last = r->next == nullptr;
    if (r->is_last == 0) continue;
    r->next = before;
    return;
  }
}

void free_copies(gomp_reductions* r) noexcept {
  for (;; r = r->next) {
    std::free(reinterpret_cast<void*>(r->copies));
    if (r->is_last != 0) return;
  }
}

struct place {
  const gomp_reductions* in;
  const gomp_reductions::variable* what;
};

// By the variable's address, or that of a copy.
place find(const gomp_reductions* r, std::uintptr_t address) noexcept {
  for (; r != nullptr; r = r->next) {
    for (const auto* v = r->begin(); v != r->past(); ++v) {
      if (v->original == address || (r->has(address) && (address - r->copies) % r->stride == v->offset)) return {r, v};
    }
  }
  fail("a task that takes part in a reduction that is not there");
}

struct reducing_call {
  void (*function)(void*);
  void* data;
  group* shared;
  static void run(member& m, void* self) {
    const reducing_call& c = *static_cast<const reducing_call*>(self);
    m.implicit.groups = c.shared;
    c.function(c.data);
  }
};

void init_nothing(workshare&, const void*) {}

}  // namespace

void register_reductions(member& m, gomp_reductions* what) noexcept {
  set_up(*what, innermost(m), nullptr, m.in->size);
  m.current->groups->registered = what;
}

void share_reductions(member& m, workshare& construct, gomp_reductions* what) noexcept {
  if (what == nullptr) return;
  gomp_reductions* const before = innermost(m);
  begin_group(m);
  construct.lock.lock();
  set_up(*what, before, construct.reductions, m.in->size);
  if (construct.reductions == nullptr) construct.reductions = what;
  construct.lock.unlock();
  m.current->groups->registered = what;
}

}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void GOMP_taskgroup_reduction_register(gomp_reductions* what) { register_reductions(me(), what); }
TAKT_OMP void GOMP_taskgroup_reduction_unregister(gomp_reductions* what) { free_copies(what); }

// Each of `pointers` becomes that of the calling member's copy; behind them go the addresses of the first `originals`.
TAKT_OMP void GOMP_task_reduction_remap(std::size_t count, std::size_t originals, void** pointers) {
  const member& m = me();
  const gomp_reductions* const known = innermost(m);
  for (std::size_t i = 0; i < count; ++i) {
    const place p = find(known, reinterpret_cast<std::uintptr_t>(pointers[i]));
    pointers[i] = reinterpret_cast<void*>(p.in->copy_of(m, p.what->offset));
    if (i < originals) pointers[count + i] = reinterpret_cast<void*>(p.what->original);
  }
}

TAKT_OMP unsigned GOMP_parallel_reductions(void (*function)(void*), void* data, unsigned threads, unsigned) {
  member& m = me();
  const bool is_serial = threads == 1;
  const std::uint32_t size = is_serial ? 1 : team_size(m, threads);
  group shared;
  std::memcpy(&shared.registered, data, sizeof shared.registered);
  set_up(*shared.registered, nullptr, nullptr, size);
  reducing_call c{function, data, &shared};
  run_region(&reducing_call::run, &c, size, is_serial);
  return size;
}

TAKT_OMP void GOMP_workshare_task_reduction_unregister(bool is_cancelled) {
  member& m = me();
  gomp_reductions* const mine = m.current->groups->registered;
  end_group(m);
  if (!is_cancelled) barrier(m);
  if (m.number == 0) free_copies(mine);
}

TAKT_OMP void GOMP_scope_start(gomp_reductions* what) {
  member& m = me();
  workshare& construct = enter_share(m, &init_nothing, nullptr);
  share_reductions(m, construct, what);
  leave_share(m, construct);
}
