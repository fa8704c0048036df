// Tasks, and target regions, for GCC.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "gomp.hpp"

namespace takt::openmp {
namespace {

using ull = unsigned long long;

constexpr unsigned k_final = 1 << 1, k_depend = 1 << 3, k_up = 1 << 8, k_grainsize = 1 << 9, k_if = 1 << 10,
                   k_nogroup = 1 << 11, k_reduction = 1 << 12, k_detach = 1 << 13, k_strict = 1 << 14;

struct gomp_task : task {
  void (*function)(void*);
  void* data;
  void* event;  ///< of a detachable one: its address stands for it
  bool has_copies;
};

void run_task(task& t, bool is_cancelled) {
  const auto& g = static_cast<gomp_task&>(t);
  // The code that destroys copies is part of the function, which asks for itself whether it is cancelled.
  if (!is_cancelled || g.has_copies) g.function(g.data);
}

gomp_task& make(member& m, void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long align) {
  const auto alignment = static_cast<std::size_t>(std::max(align, 1L));
  auto* const t = static_cast<gomp_task*>(
      make_task(m, sizeof(gomp_task) + static_cast<std::size_t>(std::max(bytes, 0L)) + alignment));
  const std::uintptr_t behind = reinterpret_cast<std::uintptr_t>(t) + sizeof(gomp_task);
  t->data = reinterpret_cast<void*>((behind + alignment - 1) / alignment * alignment);
  t->function = function;
  t->run = &run_task;
  t->has_copies = copy != nullptr;
  if (copy != nullptr) {
    copy(t->data, data);
  } else if (bytes > 0) {
    std::memcpy(t->data, data, static_cast<std::size_t>(bytes));
  }
  return *t;
}

template <class T>
void run_taskloop(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long align,
                  unsigned flags, unsigned long wanted, T start, std::uint64_t count, T step) {
  member& m = me();
  const bool has_group = (flags & k_nogroup) == 0;
  if (has_group) begin_group(m);
  if (has_group && (flags & k_reduction) != 0) {
    // Behind the loop's bounds.
    std::uintptr_t* reductions = nullptr;
    std::memcpy(&reductions, static_cast<const std::byte*>(data) + 2 * sizeof(T), sizeof reductions);
    register_reductions(m, reductions);
  }
  std::uint64_t tasks = wanted;
  if ((flags & k_grainsize) != 0) {
    tasks = wanted == 0 ? count : count / wanted;
    if ((flags & k_strict) != 0 && wanted != 0) tasks = (count + wanted - 1) / wanted;
  } else if (wanted == 0) {
    tasks = m.in->size;
  }
  tasks = std::min(std::max<std::uint64_t>(tasks, 1), count);
  for (std::uint64_t i = 0; i < tasks; ++i) {
    loop_range part = static_part(count, tasks, i);
    if ((flags & k_strict) != 0 && (flags & k_grainsize) != 0 && wanted != 0) {
      part = {i * wanted, std::min<std::uint64_t>((i + 1) * wanted, count)};
    }
    gomp_task& t = make(m, function, data, copy, bytes, align);
    const T from = static_cast<T>(static_cast<std::uint64_t>(start) + part.begin * static_cast<std::uint64_t>(step));
    const T to = static_cast<T>(static_cast<std::uint64_t>(start) + part.end * static_cast<std::uint64_t>(step));
    std::memcpy(t.data, &from, sizeof from);
    std::memcpy(static_cast<std::byte*>(t.data) + sizeof from, &to, sizeof to);
    if ((flags & k_final) != 0) t.is_final = true;
    add_task(m, t, (flags & k_if) != 0 && !t.is_final, {});
  }
  if (has_group) end_group(m);
}

// A dependence object's two words: an address, and how.
dependence of_object(void* const* object) noexcept {
  using how = dependence::how;
  const auto what = static_cast<int>(reinterpret_cast<std::uintptr_t>(object[1]));
  return {reinterpret_cast<std::uintptr_t>(object[0]), what == 1 ? how::in : what == 5 ? how::set : how::out};
}

}  // namespace

std::vector<dependence> read_gomp_dependences(void** given) {
  using how = dependence::how;
  std::vector<dependence> all;
  const auto number = [given](int i) { return reinterpret_cast<std::uintptr_t>(given[i]); };
  const auto add = [&](void* address, how what) {
    // GCC's omp_all_memory is null.
    all.push_back({reinterpret_cast<std::uintptr_t>(address), address == nullptr && what == how::out ? how::all : what});
  };
  if (number(0) != 0) {
    // How many, and how many of them write, which come first.
    const std::uintptr_t count = number(0), writes = number(1);
    for (std::uintptr_t i = 0; i < count; ++i) add(given[2 + i], i < writes ? how::out : how::in);
    return all;
  }
  // The same for out, mutexinoutset and in; what is left are addresses of objects.
  const std::uintptr_t count = number(1), writes = number(2), mutex = number(3), reads = number(4);
  for (std::uintptr_t i = 0; i < count; ++i) {
    void* const entry = given[5 + i];
    if (i < writes + mutex) {
      add(entry, how::out);
    } else if (i < writes + mutex + reads) {
      add(entry, how::in);
    } else {
      all.push_back(of_object(static_cast<void* const*>(entry)));
    }
  }
  return all;
}

firstprivate_copies::firstprivate_copies(std::size_t count, void** addresses, const std::size_t* sizes,
                                         const unsigned short* kinds)
    : addresses_(addresses, addresses + count) {
  constexpr unsigned k_kinds = 0xff, k_firstprivate = 12;
  for (std::size_t i = 0; kinds != nullptr && i < count; ++i) {
    // Null: an optional argument of Fortran that is absent.
    if ((kinds[i] & k_kinds) != k_firstprivate || sizes[i] == 0 || addresses[i] == nullptr) continue;
    const std::size_t alignment = std::max<std::size_t>(std::size_t{1} << (kinds[i] >> 8), sizeof(void*));
    void* const copy = std::aligned_alloc(alignment, (sizes[i] + alignment - 1) / alignment * alignment);
    if (copy == nullptr) fail("no memory for a target region");
    std::memcpy(copy, addresses[i], sizes[i]);
    addresses_[i] = copy;
    copies_.push_back(copy);
  }
}

firstprivate_copies::~firstprivate_copies() {
  for (void* const copy : copies_) std::free(copy);
}

}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long align,
                        bool is_true, unsigned flags, void** depend, int, void* detach) {
  member& m = me();
  gomp_task& t = make(m, function, data, copy, bytes, align);
  if ((flags & k_final) != 0) t.is_final = true;
  if ((flags & k_detach) != 0) {
    t.events.fetch_add(1, std::memory_order_relaxed);
    t.event = static_cast<task*>(&t);
    void* const event = &t.event;
    // The variable, and its copy in the task's data, which comes first there.
    std::memcpy(detach, &event, sizeof event);
    if (bytes >= static_cast<long>(sizeof event)) std::memcpy(t.data, &event, sizeof event);
  }
  std::vector<dependence> on;
  if ((flags & k_depend) != 0) on = read_gomp_dependences(depend);
  add_task(m, t, is_true && !t.is_final, on);
}

TAKT_OMP void GOMP_taskloop(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long align,
                            unsigned flags, unsigned long wanted, int, long start, long end, long step) {
  std::uint64_t count = 0;
  const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(end);
  if (step > 0 && start < end) count = (to - from - 1) / static_cast<std::uint64_t>(step) + 1;
  if (step < 0 && start > end) count = (from - to - 1) / (0 - static_cast<std::uint64_t>(step)) + 1;
  run_taskloop(function, data, copy, bytes, align, flags, wanted, start, count, step);
}
TAKT_OMP void GOMP_taskloop_ull(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes,
                                long align, unsigned flags, unsigned long wanted, int, ull start, ull end, ull step) {
  std::uint64_t count = 0;
  if ((flags & k_up) != 0 && start < end) count = (end - start - 1) / step + 1;
  if ((flags & k_up) == 0 && start > end) count = (start - end - 1) / (0 - step) + 1;
  run_taskloop(function, data, copy, bytes, align, flags, wanted, start, count, step);
}
TAKT_OMP void GOMP_taskwait() { taskwait(me()); }
TAKT_OMP void GOMP_taskwait_depend(void** depend) { wait_for_dependences(me(), read_gomp_dependences(depend)); }
TAKT_OMP void GOMP_taskwait_depend_nowait(void** depend) { GOMP_taskwait_depend(depend); }
TAKT_OMP void GOMP_taskyield() { taskyield(me()); }
TAKT_OMP void GOMP_taskgroup_start() { begin_group(me()); }
TAKT_OMP void GOMP_taskgroup_end() { end_group(me()); }
