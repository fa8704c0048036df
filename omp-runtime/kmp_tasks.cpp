// Tasks for LLVM's compilers.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kmp.hpp"

namespace takt::openmp {
namespace {

using kmp_task = kmp::task;
using routine = std::int32_t (*)(gtid, kmp_task*);

// In front of what the compiler knows as the task.
struct header : task {
  std::uint64_t bytes;  ///< of that
  std::int32_t flags;
  void* event[2];  ///< of a detachable one: its address stands for it
};
constexpr std::size_t k_header = (sizeof(header) + 63) / 64 * 64;

header& header_of(kmp_task* t) noexcept {
  return *reinterpret_cast<header*>(reinterpret_cast<std::byte*>(t) - k_header);
}
kmp_task* record_of(task& t) noexcept {
  return reinterpret_cast<kmp_task*>(reinterpret_cast<std::byte*>(&t) + k_header);
}

void call(kmp_task* record) {
  // Without code it is something to wait for.
  if (record->routine == nullptr) return;
  reinterpret_cast<routine>(record->routine)(static_cast<gtid>(me().number), record);
}

void destroy_copies(kmp_task* record) {
  if ((header_of(record).flags & kmp::k_task_has_destructors) != 0 && record->destructors != nullptr) {
    record->destructors(static_cast<gtid>(me().number), record);
  }
}

void run_record(task& t, bool is_cancelled) {
  kmp_task* const record = record_of(t);
  if (!is_cancelled) call(record);
  destroy_copies(record);
}

kmp_task* make(std::int32_t flags, std::size_t bytes, std::size_t shared, void* function) {
  member& m = me();
  const std::size_t aligned = (bytes + 7) / 8 * 8;
  auto* const h = static_cast<header*>(make_task(m, k_header + aligned + shared));
  h->bytes = aligned + shared;
  h->flags = flags;
  h->run = &run_record;
  // A proxy: somebody will say that it is done.
  if ((flags & static_cast<std::int32_t>(kmp::k_task_is_proxy)) != 0) h->events.fetch_add(1, std::memory_order_relaxed);
  if ((flags & static_cast<std::int32_t>(kmp::k_task_is_final)) != 0) h->is_final = true;
  kmp_task* const record = record_of(*h);
  std::memset(static_cast<void*>(record), 0, bytes);
  record->shareds = shared != 0 ? reinterpret_cast<std::byte*>(record) + aligned : nullptr;
  record->routine = function;
  return record;
}

bool may_wait(const task& t) noexcept { return !t.is_final; }

void read(std::vector<dependence>& to, std::int32_t count, const kmp::dependence* list) {
  for (std::int32_t i = 0; i < count; ++i) {
    using how = dependence::how;
    const std::uint8_t kind = list[i].kind;
    how what = how::out;
    if ((kind & kmp::k_all_memory) != 0 || list[i].address == ~std::uintptr_t{0}) {
      what = how::all;
    } else if (kind == kmp::k_only_read) {
      what = how::in;
    } else if (kind == 8) {
      what = how::set;
    }
    to.push_back({list[i].address, what});
  }
}

std::vector<dependence> read(std::int32_t count, const kmp::dependence* list, std::int32_t more,
                             const kmp::dependence* others) {
  std::vector<dependence> all;
  read(all, count, list);
  read(all, more, others);
  return all;
}

struct taskloop {
  kmp_task* first;
  std::size_t lower_at, upper_at;
  void (*duplicate)(kmp_task*, kmp_task*, std::int32_t);
};

kmp_task* copy_of(const taskloop& loop) {
  const header& from = header_of(loop.first);
  member& m = me();
  auto* const h = static_cast<header*>(make_task(m, k_header + from.bytes));
  h->bytes = from.bytes;
  h->flags = from.flags;
  h->run = &run_record;
  h->is_final = from.is_final;
  kmp_task* const record = record_of(*h);
  std::memcpy(static_cast<void*>(record), static_cast<const void*>(loop.first), from.bytes);
  if (loop.first->shareds != nullptr) {
    record->shareds = reinterpret_cast<std::byte*>(record) +
                      (static_cast<std::byte*>(loop.first->shareds) - reinterpret_cast<std::byte*>(loop.first));
  }
  return record;
}

void run_taskloop(kmp_task* first, bool is_deferred, std::uint64_t* lower, const std::uint64_t* upper,
                  std::int64_t step, bool has_group, std::int32_t how, std::uint64_t wanted, void* duplicate,
                  bool is_strict = false) {
  member& m = me();
  if (has_group) begin_group(m);
  auto* const base = reinterpret_cast<std::byte*>(first);
  const taskloop loop{first, static_cast<std::size_t>(reinterpret_cast<std::byte*>(lower) - base),
                      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(upper) - base),
                      reinterpret_cast<void (*)(kmp_task*, kmp_task*, std::int32_t)>(duplicate)};
  const std::uint64_t begin = *lower;
  const bool is_up = step > 0;
  const std::uint64_t each = is_up ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const auto as_signed = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
  const bool is_empty = is_up ? as_signed(*upper) < as_signed(begin) : as_signed(begin) < as_signed(*upper);
  const std::uint64_t count = is_empty ? 0 : (is_up ? *upper - begin : begin - *upper) / each + 1;
  std::uint64_t tasks = 0;
  if (how == 2) tasks = wanted;                                           // num_tasks
  if (how == 1) tasks = wanted == 0 ? count : std::max<std::uint64_t>(count / wanted, 1);  // grainsize
  is_strict = is_strict && how == 1 && wanted != 0;
  if (is_strict) tasks = (count + wanted - 1) / wanted;
  if (how == 0) tasks = std::uint64_t{m.in->size} * 10;
  tasks = std::min(std::max<std::uint64_t>(tasks, 1), count);
  for (std::uint64_t i = 0; i < tasks; ++i) {
    const loop_range part =
        is_strict ? loop_range{i * wanted, std::min((i + 1) * wanted, count)} : static_part(count, tasks, i);
    kmp_task* const t = copy_of(loop);
    auto* const record = reinterpret_cast<std::byte*>(t);
    const std::uint64_t from = begin + part.begin * static_cast<std::uint64_t>(step);
    const std::uint64_t to = begin + (part.end - 1) * static_cast<std::uint64_t>(step);
    std::memcpy(record + loop.lower_at, &from, sizeof from);
    std::memcpy(record + loop.upper_at, &to, sizeof to);
    if (loop.duplicate != nullptr) loop.duplicate(t, first, i + 1 == tasks);
    header& h = header_of(t);
    add_task(m, h, is_deferred && may_wait(h), {});
  }
  // The one that was copied never runs.
  destroy_copies(first);
  drop(header_of(first));
  if (has_group) end_group(m);
}

}  // namespace
}  // namespace takt::openmp

using namespace takt::openmp;
namespace kmp = takt::kmp;

TAKT_OMP void* __kmpc_omp_task_alloc(ident*, gtid, std::int32_t flags, std::size_t bytes, std::size_t shared,
                                     void* function) {
  return make(flags, bytes, shared, function);
}
TAKT_OMP void* __kmpc_omp_target_task_alloc(ident*, gtid, std::int32_t flags, std::size_t bytes, std::size_t shared,
                                            void* function, std::int64_t) {
  return make(flags, bytes, shared, function);
}
TAKT_OMP std::int32_t __kmpc_omp_task(ident*, gtid, kmp::task* t) {
  header& h = header_of(t);
  member& m = me();
  if (m.current == &h) {
    // An untied task gives itself back where it might wait: its next part.
    call(t);
  } else {
    add_task(m, h, may_wait(h), {});
  }
  return 0;
}
TAKT_OMP std::int32_t __kmpc_omp_task_parts(ident*, gtid number, kmp::task* t) {
  return __kmpc_omp_task(nullptr, number, t);
}
TAKT_OMP std::int32_t __kmpc_omp_task_with_deps(ident*, gtid, kmp::task* t, std::int32_t count,
                                                const kmp::dependence* list, std::int32_t more,
                                                const kmp::dependence* others) {
  header& h = header_of(t);
  add_task(me(), h, may_wait(h), read(count, list, more, others));
  return 0;
}
TAKT_OMP void __kmpc_omp_wait_deps(ident*, gtid, std::int32_t count, const kmp::dependence* list, std::int32_t more,
                                   const kmp::dependence* others) {
  wait_for_dependences(me(), read(count, list, more, others));
}
TAKT_OMP void __kmpc_omp_taskwait_deps_51(ident*, gtid, std::int32_t count, const kmp::dependence* list,
                                          std::int32_t more, const kmp::dependence* others, std::int32_t) {
  wait_for_dependences(me(), read(count, list, more, others));
}
TAKT_OMP void __kmpc_omp_task_begin_if0(ident*, gtid, kmp::task* t) { begin_included(me(), header_of(t)); }
TAKT_OMP void __kmpc_omp_task_complete_if0(ident*, gtid, kmp::task* t) {
  destroy_copies(t);
  end_included(me(), header_of(t));
}
TAKT_OMP std::int32_t __kmpc_omp_taskwait(ident*, gtid) {
  taskwait(me());
  return 0;
}
TAKT_OMP std::int32_t __kmpc_omp_taskyield(ident*, gtid, int) {
  taskyield(me());
  return 0;
}
TAKT_OMP void __kmpc_taskgroup(ident*, gtid) { begin_group(me()); }
TAKT_OMP void __kmpc_end_taskgroup(ident*, gtid) { end_group(me()); }
TAKT_OMP std::int32_t __kmpc_omp_reg_task_with_affinity(ident*, gtid, kmp::task*, std::int32_t, void*) { return 0; }

TAKT_OMP void* __kmpc_task_allow_completion_event(ident*, gtid, kmp::task* t) {
  header& h = header_of(t);
  h.events.fetch_add(1, std::memory_order_relaxed);
  h.event[0] = static_cast<task*>(&h);
  return h.event;
}

TAKT_OMP void __kmpc_proxy_task_completed(gtid, kmp::task* t) { task_event(header_of(t)); }
TAKT_OMP void __kmpc_proxy_task_completed_ooo(kmp::task* t) { task_event(header_of(t)); }

TAKT_OMP void __kmpc_taskloop(ident*, gtid, kmp::task* t, std::int32_t is_true, std::uint64_t* lower,
                              std::uint64_t* upper, std::int64_t step, std::int32_t nogroup, std::int32_t how,
                              std::uint64_t wanted, void* duplicate) {
  run_taskloop(t, is_true != 0, lower, upper, step, nogroup == 0, how, wanted, duplicate);
}
TAKT_OMP void __kmpc_taskloop_5(ident*, gtid, kmp::task* t, std::int32_t is_true, std::uint64_t* lower,
                                std::uint64_t* upper, std::int64_t step, std::int32_t nogroup, std::int32_t how,
                                std::uint64_t wanted, std::int32_t modifier, void* duplicate) {
  run_taskloop(t, is_true != 0, lower, upper, step, nogroup == 0, how, wanted, duplicate, modifier != 0);
}
