// Reductions over tasks, for GCC: a block of memory with a part for each member, described by an array of words that the
// compiler makes on the program's stack. It initialises and combines the parts itself; what is asked for here is memory,
// and which part is whose.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "gomp.hpp"

namespace takt::openmp {

namespace {

/// The array, as GCC lays it out (gcc/omp-low.cc, lower_omp_task_reductions).
struct block {
  std::uintptr_t count;   ///< of variables
  std::uintptr_t stride;  ///< bytes of a part
  std::uintptr_t memory;  ///< before it is registered: its alignment
  std::uintptr_t allocator;
  block* next;  ///< of the same construct
  std::uintptr_t unused;
  std::uintptr_t end;  ///< of the memory
  struct variable {
    std::uintptr_t address;
    std::uintptr_t offset;  ///< in a part
    std::uintptr_t unused;
  };
  variable* variables() noexcept { return reinterpret_cast<variable*>(this + 1); }
};

block* block_of(std::uintptr_t* data) noexcept { return reinterpret_cast<block*>(data); }

void give_memory(block& b, std::uint32_t members) noexcept {
  const std::size_t alignment = std::max<std::size_t>(b.memory, sizeof(void*));
  const std::size_t bytes = (b.stride * members + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) fail("no memory for a reduction");
  std::memset(memory, 0, bytes);
  b.memory = reinterpret_cast<std::uintptr_t>(memory);
  b.end = b.memory + b.stride * members;
}

struct found {
  block* in = nullptr;
  std::uintptr_t original = 0;
  std::uintptr_t offset = 0;
};

// By the variable's address, or that of somebody's part of it.
found find(const group* g, std::uintptr_t address) noexcept {
  for (; g != nullptr; g = g->outer) {
    for (block* b = block_of(g->gomp_reductions); b != nullptr; b = b->next) {
      const bool is_part = address >= b->memory && address < b->end;
      const std::uintptr_t offset = is_part ? (address - b->memory) % b->stride : 0;
      for (std::uintptr_t i = 0; i < b->count; ++i) {
        const block::variable& v = b->variables()[i];
        if (is_part ? v.offset == offset : v.address == address) return {b, v.address, v.offset};
      }
      // Inside of a variable that is an array.
      if (is_part) return {b, 0, offset};
    }
  }
  return {};
}

struct reducing_call {
  void (*function)(void*);
  void* data;
  group* in;
  std::uint32_t size;
  static void run(member& m, void* self) {
    reducing_call& c = *static_cast<reducing_call*>(self);
    if (m.number == 0) c.size = m.in->size;
    m.implicit.groups = c.in;
    c.function(c.data);
  }
};

}  // namespace

void register_reductions(member& m, std::uintptr_t* data) noexcept {
  for (block* b = block_of(data); b != nullptr; b = b->next) give_memory(*b, m.in->size);
  m.current->groups->gomp_reductions = data;
}

void share_reductions(member& m, workshare& s, std::uintptr_t* data) noexcept {
  m.current->groups->gomp_reductions = data;
  m.current->groups->is_shared = true;
  s.lock.lock();
  // The first one's array stays where it is: all members meet behind the construct.
  if (s.reductions == nullptr) {
    register_reductions(m, data);
    s.reductions = data;
  } else {
    block* from = block_of(s.reductions);
    for (block* b = block_of(data); b != nullptr; b = b->next, from = from->next) {
      b->memory = from->memory;
      b->end = from->end;
    }
  }
  s.lock.unlock();
}

}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void GOMP_taskgroup_reduction_register(std::uintptr_t* data) { register_reductions(me(), data); }
TAKT_OMP void GOMP_taskgroup_reduction_unregister(std::uintptr_t* data) {
  for (block* b = block_of(data); b != nullptr; b = b->next) std::free(reinterpret_cast<void*>(b->memory));
}

/// `addresses`: of variables, or of parts of them; become those of the caller's parts. Behind them stand the addresses of
/// the first `originals` variables themselves.
TAKT_OMP void GOMP_task_reduction_remap(std::size_t count, std::size_t originals, void** addresses) {
  const member& m = me();
  for (std::size_t i = 0; i < count; ++i) {
    const found f = find(m.current->groups, reinterpret_cast<std::uintptr_t>(addresses[i]));
    if (f.in == nullptr || (i < originals && f.original == 0)) {
      fail("a task takes part in a reduction that is not there");
    }
    addresses[i] = reinterpret_cast<void*>(f.in->memory + m.number * f.in->stride + f.offset);
    if (i < originals) addresses[count + i] = reinterpret_cast<void*>(f.original);
  }
}

/// The end of a worksharing construct with such a reduction, whose parts have been combined.
TAKT_OMP void GOMP_workshare_task_reduction_unregister(bool is_cancelled) {
  member& m = me();
  std::uintptr_t* const data = m.current->groups->gomp_reductions;
  end_group(m);
  if (m.number == 0) GOMP_taskgroup_reduction_unregister(data);
  if (!is_cancelled) barrier(m);
}

TAKT_OMP unsigned GOMP_parallel_reductions(void (*function)(void*), void* data, unsigned threads, unsigned) {
  group all;
  auto* const reductions = *static_cast<std::uintptr_t**>(data);
  const std::uint32_t size = threads == 1 ? 1 : team_size(me(), threads);
  for (block* b = block_of(reductions); b != nullptr; b = b->next) give_memory(*b, size);
  all.gomp_reductions = reductions;
  all.is_shared = true;
  reducing_call c{function, data, &all, size};
  run_region(&reducing_call::run, &c, address_of(function), size, size == 1);
  return c.size;
}
