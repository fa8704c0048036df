// Regions, and what orders their members, for LLVM's compilers.
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "kmp.hpp"

namespace takt::openmp {
namespace {

using microtask = void (*)(gtid*, gtid*, ...);

template <std::size_t>
using pointer = void*;

// Functions ignore arguments that they do not know of, wherever those are passed.
template <std::size_t... I>
void call_with(microtask f, gtid* number, gtid* bound, void** a, std::index_sequence<I...>) {
  reinterpret_cast<void (*)(gtid*, gtid*, pointer<I>...)>(f)(number, bound, a[I]...);
}

constexpr std::size_t k_few = 6, k_some = 24, k_many = 256;

struct call {
  microtask function;
  std::size_t count = 0;
  std::array<void*, k_many> arguments;

  void operator()(member& m) {
    gtid number = static_cast<gtid>(m.number), bound = number;
    if (count <= k_few) return call_with(function, &number, &bound, arguments.data(), std::make_index_sequence<k_few>());
    if (count <= k_some) {
      return call_with(function, &number, &bound, arguments.data(), std::make_index_sequence<k_some>());
    }
    call_with(function, &number, &bound, arguments.data(), std::make_index_sequence<k_many>());
  }
  static void run(member& m, void* self) { (*static_cast<call*>(self))(m); }
};

call called(microtask function, gtid count, std::va_list& list) {
  if (count < 0 || static_cast<std::size_t>(count) > k_many) fail("a region with more than 256 shared variables");
  call c;
  c.function = function;
  c.count = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < c.count; ++i) c.arguments[i] = va_arg(list, void*);
  for (std::size_t i = c.count; i < (c.count <= k_few ? k_few : c.count <= k_some ? k_some : k_many); ++i) {
    c.arguments[i] = nullptr;
  }
  return c;
}

std::uint32_t asked(std::int32_t& what) noexcept {
  // Written only if need be: members look at what lies beside it.
  const std::int32_t n = what == 0 ? 0 : std::exchange(what, 0);
  return n > 0 ? static_cast<std::uint32_t>(n) : 0;
}

}  // namespace
}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void __kmpc_begin(ident*, std::int32_t) {}
TAKT_OMP void __kmpc_end(ident*) {}
TAKT_OMP gtid __kmpc_global_thread_num(ident*) { return static_cast<gtid>(me().number); }
TAKT_OMP gtid __kmpc_bound_thread_num(ident*) { return static_cast<gtid>(me().number); }
TAKT_OMP gtid __kmpc_global_num_threads(ident*) { return static_cast<gtid>(me().in->size); }
TAKT_OMP gtid __kmpc_bound_num_threads(ident*) { return static_cast<gtid>(me().in->size); }
TAKT_OMP std::int32_t __kmpc_in_parallel(ident*) { return me().in->active_level > 0; }
TAKT_OMP std::int32_t __kmpc_ok_to_fork(ident*) { return 1; }

TAKT_OMP void __kmpc_push_num_threads(ident*, gtid, std::int32_t count) { me().asked_threads = count; }
TAKT_OMP void __kmpc_push_num_threads_strict(ident*, gtid, std::int32_t count, int, const char*) {
  me().asked_threads = count;
}
TAKT_OMP void __kmpc_push_proc_bind(ident*, gtid, int) {}
TAKT_OMP void __kmpc_push_num_teams(ident*, gtid, std::int32_t teams, std::int32_t threads) {
  member& m = me();
  m.asked_teams = teams;
  m.asked_limit = threads;
}
TAKT_OMP void __kmpc_push_num_teams_51(ident*, gtid, std::int32_t, std::int32_t most, std::int32_t threads) {
  member& m = me();
  m.asked_teams = most;
  m.asked_limit = threads;
}
TAKT_OMP void __kmpc_set_thread_limit(ident*, gtid, std::int32_t limit) {
  if (limit > 0) icvs(me()).thread_limit = limit;
}

TAKT_OMP void __kmpc_fork_call(ident*, std::int32_t count, takt::openmp::microtask function, ...) {
  std::va_list list;
  va_start(list, function);
  call c = called(function, count, list);
  va_end(list);
  run_region(&call::run, &c, address_of(function), asked(me().asked_threads));
}
TAKT_OMP void __kmpc_fork_call_if(ident*, std::int32_t count, takt::openmp::microtask function, std::int32_t is_true,
                                  void* argument) {
  call c;
  c.function = function;
  c.count = argument != nullptr ? static_cast<std::size_t>(count) : 0;
  c.arguments.fill(nullptr);
  c.arguments[0] = argument;
  run_region(&call::run, &c, address_of(function), asked(me().asked_threads), is_true == 0);
}
TAKT_OMP void __kmpc_fork_teams(ident*, std::int32_t count, takt::openmp::microtask function, ...) {
  std::va_list list;
  va_start(list, function);
  call c = called(function, count, list);
  va_end(list);
  member& m = me();
  const environment& all = the_environment();
  std::uint32_t teams = asked(m.asked_teams);
  if (teams == 0) teams = all.teams > 0 ? static_cast<std::uint32_t>(all.teams) : 1;
  std::uint32_t limit = asked(m.asked_limit);
  if (limit == 0 && all.teams_thread_limit > 0) limit = static_cast<std::uint32_t>(all.teams_thread_limit);
  run_league(&call::run, &c, teams, limit);
}
TAKT_OMP void __kmpc_serialized_parallel(ident*, gtid) {
  member& m = me();
  m.asked_threads = 0;
  begin_serial(m);
}
TAKT_OMP void __kmpc_end_serialized_parallel(ident*, gtid) { end_serial(); }

TAKT_OMP void __kmpc_barrier(ident*, gtid) { barrier(me()); }
TAKT_OMP std::int32_t __kmpc_cancel_barrier(ident*, gtid) { return barrier(me(), true); }
TAKT_OMP void __kmpc_flush(ident*) { std::atomic_thread_fence(std::memory_order_seq_cst); }

TAKT_OMP std::int32_t __kmpc_master(ident*, gtid) { return me().number == 0; }
TAKT_OMP void __kmpc_end_master(ident*, gtid) {}
TAKT_OMP std::int32_t __kmpc_masked(ident*, gtid, std::int32_t filter) {
  return static_cast<std::int32_t>(me().number) == filter;
}
TAKT_OMP void __kmpc_end_masked(ident*, gtid) {}
TAKT_OMP void __kmpc_scope(ident*, gtid, void*) {}
TAKT_OMP void __kmpc_end_scope(ident*, gtid, void*) {}

TAKT_OMP std::int32_t __kmpc_single(ident*, gtid) {
  member& m = me();
  return m.in->size == 1 || pass_share(m);
}
TAKT_OMP void __kmpc_end_single(ident*, gtid) {}

TAKT_OMP void __kmpc_copyprivate(ident*, gtid, std::size_t, void* data, void (*copy)(void*, void*),
                                 std::int32_t is_mine) {
  member& m = me();
  team& t = *m.in;
  if (is_mine != 0) t.copied[0] = data;
  barrier(m);
  if (is_mine == 0) copy(data, t.copied[0]);
  barrier(m);
}
TAKT_OMP void* __kmpc_copyprivate_light(ident*, gtid, void* data) {
  member& m = me();
  ++m.copies;
  if (data != nullptr) m.in->copied[m.copies % 2] = data;
  barrier(m);
  return m.in->copied[m.copies % 2];
}

TAKT_OMP void __kmpc_critical(ident*, gtid, lock_word* name) { acquire(*name); }
TAKT_OMP void __kmpc_critical_with_hint(ident*, gtid, lock_word* name, std::uint32_t) { acquire(*name); }
TAKT_OMP void __kmpc_end_critical(ident*, gtid, lock_word* name) { release(*name); }

// Each member combines its part: by atomic operations, of which the compiler tells (2), or one after the other (1).
static bool has_atomics(const ident* place) { return (place->flags & k_has_atomics) != 0; }
TAKT_OMP std::int32_t __kmpc_reduce_nowait(ident* place, gtid, std::int32_t, std::size_t, void*,
                                           void (*)(void*, void*), lock_word* lock) {
  if (me().in->size == 1) return 1;
  if (has_atomics(place)) return 2;
  acquire(*lock);
  return 1;
}
TAKT_OMP void __kmpc_end_reduce_nowait(ident* place, gtid, lock_word* lock) {
  if (me().in->size > 1 && !has_atomics(place)) release(*lock);
}
TAKT_OMP std::int32_t __kmpc_reduce(ident* place, gtid, std::int32_t, std::size_t, void*, void (*)(void*, void*),
                                    lock_word* lock) {
  return __kmpc_reduce_nowait(place, 0, 0, 0, nullptr, nullptr, lock);
}
TAKT_OMP void __kmpc_end_reduce(ident* place, gtid, lock_word* lock) {
  __kmpc_end_reduce_nowait(place, 0, lock);
  barrier(me());
}

TAKT_OMP void __kmpc_ordered(ident*, gtid) { ordered_begin(me()); }
TAKT_OMP void __kmpc_end_ordered(ident*, gtid) { ordered_end(me()); }

using takt::kmp::cancelled;

TAKT_OMP std::int32_t __kmpc_cancellationpoint(ident*, gtid, cancelled what) {
  if (!the_environment().cancels) return 0;
  const member& m = me();
  if (is_region_cancelled(m)) return 1;
  if (what == cancelled::taskgroup) return is_group_cancelled(m);
  return what != cancelled::region && is_loop_cancelled(m);
}
TAKT_OMP std::int32_t __kmpc_cancel(ident*, gtid, cancelled what) {
  if (!the_environment().cancels) return 0;
  member& m = me();
  what == cancelled::region ? cancel_region(m) : what == cancelled::taskgroup ? cancel_group(m) : cancel_loop(m);
  return 1;
}

TAKT_OMP void __kmpc_error(ident*, int severity, const char* message) {
  std::fprintf(stderr, "OpenMP: %s: %s\n", severity == 2 ? "error" : "warning", message != nullptr ? message : "");
  if (severity == 2) std::exit(1);
}
TAKT_OMP int __kmpc_get_target_offload() { return 0; }
