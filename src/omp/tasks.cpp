// OpenMP tasks as latent frames: what code made by the compiler plugin calls. See README.md and plugin/tasks/README.md,
// "Tasks".
#include <takt/kmp.hpp>
#include <takt/omp.hpp>

#include "cost/site_cost.hpp"
#include "promotion/beat.hpp"
#include "omp/other_runtime.hpp"
#include "omp/slice.hpp"

#include <takt/detail/fork.hpp>
#include <takt/detail/loop.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace takt::core {

namespace {

using abi::loop_chunk;
using abi::omp_frame;
using abi::omp_loop;
using abi::slot;
constexpr std::size_t k_align = abi::k_task_record_align;

struct task_loop {
  kmp::task* pattern;
  std::uint64_t bytes;
  std::uint64_t count;
  std::int32_t (*entry)(std::int32_t, void*);
  void (*copy)(void*, void*, std::int32_t);
  bool has_destructors;
};

/// One task of so many iterations.
void run_chunk(const task_loop& loop, std::uint64_t begin, std::uint64_t end) {
  auto* const task = static_cast<kmp::task*>(__builtin_alloca_with_align(loop.bytes, k_align * 8));
  std::memcpy(task, loop.pattern, loop.bytes);
  const auto stride = static_cast<std::uint64_t>(loop.pattern->stride);
  const std::int32_t is_last = end == loop.count ? 1 : 0;
  task->lower = loop.pattern->lower + begin * stride;
  task->upper = loop.pattern->lower + (end - 1) * stride;
  task->last = is_last;
  if (loop.copy != nullptr) loop.copy(task, loop.pattern, is_last);
  loop.entry(0, task);
  if (loop.has_destructors) task->destructors(0, task);
}

void run_slice_of_taskloop(void* environment, omp_frame* frame) {
  const auto& loop = *static_cast<const task_loop*>(environment);
  takt_omp_begin(frame, nullptr);
  for (;;) {
    const loop_chunk chunk = takt_loop_next(&frame->cursor);
    if (chunk.begin == chunk.end) break;
    run_chunk(loop, chunk.begin, chunk.end);
  }
  (void)takt_omp_end(frame);
}

/// Iterations that make a task each, which runs there.
struct loop_of_tasks {
  abi::omp_iterations* run;
  void* environment;
  abi::omp_reductions* group;
  std::uint32_t number;
};

void run_all(const loop_of_tasks& loop, omp_frame& frame, abi::omp_reductions* group, std::uint32_t number) {
  abi::loop_cursor& c = frame.cursor;
  begin_slice(frame, nullptr, reinterpret_cast<std::uintptr_t>(&frame));
  for (;;) {
    if (c.at < c.look) {
      c.at = loop.run(loop.environment, c.at, c.look, group, number, &c.frame);
      // A claim that found nothing.
      if (c.frame.next > c.frame.end) c.frame.next = c.frame.end;
    }
    // A short one that nests has nothing to look at.
    if (c.phase == abi::loop_phase::exposed && c.at >= c.frame.end) break;
    const loop_chunk chunk = takt_loop_next(&c);
    if (chunk.begin == chunk.end) break;
    loop.run(loop.environment, chunk.begin, chunk.end, group, number, nullptr);
  }
  (void)takt_omp_end(&frame);
}

void run_slice_of_tasks(void* environment, omp_frame* frame) {
  const auto& loop = *static_cast<const loop_of_tasks*>(environment);
  if (frame->depth == 0) {
    run_all(loop, *frame, loop.group, loop.number);
  } else if (loop.group == nullptr) {
    run_all(loop, *frame, nullptr, 0);
  } else {
    // It runs beside the code that the number speaks of.
    group_of_own own(*loop.group);
    run_all(loop, *frame, &own.group(), 0);
  }
}

/// The tasks of a drain may be leaves, which do not look at the clock.
void charge_for_task(std::uintptr_t stack) noexcept {
  if (!detail::spend_constant<abi::k_fork_units>()) return;
  worker* const w = this_worker();
  if (w == nullptr) return;
  const runtime_scope scope;
  if (!w->beat.is_watched() || credit_of(*w) < 0) poll_between(*w, abi::k_fork_units, stack);
}

}  // namespace

}  // namespace takt::core

using namespace takt::core;

extern "C" {

void takt_omp_run_tasks(void (*run)(void*), void* environment) noexcept {
  // Without a stack there are no frames either, and all of it is calls.
  if (takt::detail::head() != nullptr) {
    run(environment);
    return;
  }
  note_converted_call();
  if (!takt_enter(run, environment)) run(environment);
}

void takt_omp_drain(slot* first) noexcept { takt_omp_drain_here(first, nullptr, nullptr); }

void takt_omp_drain_here(slot* first, takt::abi::run_function run, takt::abi::run_function run_here) noexcept {
  const auto stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  while (takt::detail::head() != first) {
    // While it is still there: a beat may be due.
    charge_for_task(stack);
    slot* const s = takt::detail::head() - 1;
    takt::detail::set_head(s);
    if (takt::detail::is_promoted(s)) {
      takt_omp_task_join(s);
    } else {
      (s->run == run ? run_here : s->run)(s);
    }
  }
}

void takt_omp_task_join(slot* popped) noexcept {
  if (takt_join(popped)) popped->run(popped);
}

void* takt_omp_task_room(std::uint64_t bytes) noexcept {
  void* const room = std::aligned_alloc(k_align, (bytes + k_align - 1) / k_align * k_align);
  if (room == nullptr) {
    std::fputs("takt: no memory for a task\n", stderr);
    std::abort();
  }
  return room;
}

void takt_omp_task_free(void* record) noexcept { std::free(record); }

void takt_omp_taskloop(takt::abi::site* where, void* record, std::uint64_t bytes,
                       std::int32_t (*entry)(std::int32_t, void*), void (*copy)(void*, void*, std::int32_t),
                       bool has_destructors, bool in_one_piece) noexcept {
  auto& pattern = *static_cast<takt::kmp::task*>(record);
  const std::int64_t stride = pattern.stride;
  const std::int64_t distance = static_cast<std::int64_t>(pattern.upper - pattern.lower);
  // Below 0 where the loop's condition does not hold at first.
  const std::uint64_t count = static_cast<std::uint64_t>(std::max<std::int64_t>(distance / stride + 1, 0));
  task_loop loop{&pattern, bytes, count, entry, copy, has_destructors};
  if (count != 0 && (in_one_piece || is_in_group_outside())) {
    run_chunk(loop, 0, count);
  } else if (count != 0) {
    const omp_loop what{&run_slice_of_taskloop, where, nullptr, 0, 0, 0};
    takt_omp_run(&what, &loop, count, takt_omp_ask(&what, count, 0));
  }
  // The pattern is a task, too, that ends without having run.
  if (has_destructors) pattern.destructors(0, record);
}

void takt_omp_loop_of_tasks(takt::abi::site* where, takt::abi::omp_iterations* run, void* environment,
                            std::uint64_t count, takt::abi::omp_reductions* group, std::uint32_t number) noexcept {
  if (takt::detail::head() == nullptr || count < 2) {
    run(environment, 0, count, group, number, nullptr);
    return;
  }
  loop_of_tasks loop{run, environment, group, number};
  // A task may take any time.
  const omp_loop what{&run_slice_of_tasks, where, nullptr, 0, 0, takt::abi::k_one_by_one};
  // One that nests is free in the band alone, for which its code has asked.
  auto way = takt::abi::omp_way::framed;
  if (std::int64_t units = 0; !takt::cost::nests(*where)) {
    const bool is_slow = takt::detail::is_slow(count, *where, units);
    way = is_slow ? takt_omp_ask(&what, count, units) : takt::abi::omp_way::in_place;
  }
  takt_omp_run(&what, &loop, count, way);
}
}
