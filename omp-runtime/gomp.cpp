// What GCC puts into programs, beside loops and tasks.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "gomp.hpp"

namespace takt::openmp {

namespace {

lock_word unnamed{0};
lock_word atomics{0};

struct call {
  void (*function)(void*);
  void* data;
  static void run(member&, void* self) {
    const call& c = *static_cast<const call*>(self);
    c.function(c.data);
  }
};

enum : int { k_parallel = 1, k_loop = 2, k_sections = 4, k_taskgroup = 8 };

}  // namespace
}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned) {
  call c{function, data};
  run_region(&call::run, &c, address_of(function), threads, threads == 1);
}

TAKT_OMP void GOMP_barrier() { barrier(me()); }
TAKT_OMP bool GOMP_barrier_cancel() { return barrier(me(), true); }

TAKT_OMP void GOMP_critical_start() { acquire(unnamed); }
TAKT_OMP void GOMP_critical_end() { release(unnamed); }
TAKT_OMP void GOMP_critical_name_start(void** name) { acquire(*reinterpret_cast<lock_word*>(name)); }
TAKT_OMP void GOMP_critical_name_end(void** name) { release(*reinterpret_cast<lock_word*>(name)); }
TAKT_OMP void GOMP_atomic_start() { acquire(atomics); }
TAKT_OMP void GOMP_atomic_end() { release(atomics); }

TAKT_OMP bool GOMP_single_start() {
  member& m = me();
  return m.in->size == 1 || pass_share(m);
}
TAKT_OMP void* GOMP_single_copy_start() {
  member& m = me();
  ++m.copies;
  if (GOMP_single_start()) return nullptr;
  barrier(m);
  return m.in->copied[m.copies % 2];
}
TAKT_OMP void GOMP_single_copy_end(void* data) {
  member& m = me();
  m.in->copied[m.copies % 2] = data;
  barrier(m);
}

TAKT_OMP void GOMP_ordered_start() { ordered_begin(me()); }
TAKT_OMP void GOMP_ordered_end() { ordered_end(me()); }

TAKT_OMP bool GOMP_cancellation_point(int what) {
  if (!the_environment().cancels) return false;
  const member& m = me();
  if (is_region_cancelled(m)) return true;
  if ((what & k_taskgroup) != 0) return is_group_cancelled(m);
  return (what & (k_loop | k_sections)) != 0 && is_loop_cancelled(m);
}
TAKT_OMP bool GOMP_cancel(int what, bool is_true) {
  if (!the_environment().cancels) return false;
  if (!is_true) return GOMP_cancellation_point(what);
  member& m = me();
  what == k_parallel ? cancel_region(m) : what == k_taskgroup ? cancel_group(m) : cancel_loop(m);
  return true;
}

TAKT_OMP void GOMP_teams_reg(void (*function)(void*), void* data, unsigned teams, unsigned limit, unsigned) {
  call c{function, data};
  const environment& all = the_environment();
  if (teams == 0) teams = all.teams > 0 ? static_cast<unsigned>(all.teams) : 1;
  if (limit == 0 && all.teams_thread_limit > 0) limit = static_cast<unsigned>(all.teams_thread_limit);
  run_league(&call::run, &c, teams, limit);
}
TAKT_OMP void GOMP_teams(unsigned, unsigned limit) {
  if (limit != 0) icvs(me()).thread_limit = static_cast<std::int32_t>(limit);
}
// Of a target region, which runs here: its teams, one after the other.
TAKT_OMP bool GOMP_teams4(unsigned, unsigned most, unsigned limit, bool is_first) {
  member& m = me();
  if (!is_first) {
    if (m.in->team_number + 1 >= m.in->teams) return false;
    ++m.in->team_number;
    return true;
  }
  if (limit != 0) icvs(m).thread_limit = static_cast<std::int32_t>(limit);
  m.in->teams = std::max(most, 1u);
  m.in->team_number = 0;
  return true;
}

// --- devices: there is the host alone
namespace {
// What is said of a target region beside its code: words, each with a number and where it stands.
std::uint32_t limit_of(void** given) noexcept {
  constexpr std::uintptr_t k_in_next = 1 << 7, k_what = 0xff00, k_thread_limit = 2 << 8;
  for (; given != nullptr && *given != nullptr; ++given) {
    const auto word = reinterpret_cast<std::uintptr_t>(*given);
    const bool is_in_next = (word & k_in_next) != 0;
    const std::uintptr_t value = is_in_next ? reinterpret_cast<std::uintptr_t>(*++given) : word >> 16;
    if ((word & k_what) == k_thread_limit && value <= INT_MAX) return static_cast<std::uint32_t>(value);
  }
  return 0;
}

struct host_call {
  void (*function)(void*);
  std::uint32_t thread_limit;
};

void on_host(const host_call& c, void* data) {
  begin_serial(me());
  member& self = me();
  begin_contention_group(self);
  icvs(self) = the_environment().first;
  if (c.thread_limit != 0) icvs(self).thread_limit = static_cast<std::int32_t>(c.thread_limit);
  self.in->teams = 1;
  self.in->team_number = 0;
  c.function(data);
  end_serial();
}
}  // namespace

TAKT_OMP void GOMP_target(int, void (*function)(void*), const void*, std::size_t, void** addresses, std::size_t*,
                          unsigned char*) {
  on_host({function, 0}, addresses);
}
TAKT_OMP void GOMP_target_ext(int, void (*function)(void*), std::size_t count, void** addresses, std::size_t* sizes,
                              unsigned short* kinds, unsigned, void** depend, void** given) {
  if (depend != nullptr) wait_for_dependences(me(), read_gomp_dependences(depend));
  const host_call c{function, limit_of(given)};
  firstprivate_copies copies(count, addresses, sizes, kinds);
  on_host(c, copies.addresses());
}
TAKT_OMP void GOMP_target_data(int, const void*, std::size_t, void**, std::size_t*, unsigned char*) {}
TAKT_OMP void GOMP_target_data_ext(int, std::size_t, void**, std::size_t*, unsigned short*) {}
TAKT_OMP void GOMP_target_end_data() {}
TAKT_OMP void GOMP_target_update(int, const void*, std::size_t, void**, std::size_t*, unsigned char*) {}
TAKT_OMP void GOMP_target_update_ext(int, std::size_t, void**, std::size_t*, unsigned short*, unsigned,
                                     void** depend) {
  if (depend != nullptr) wait_for_dependences(me(), read_gomp_dependences(depend));
}
TAKT_OMP void GOMP_target_enter_exit_data(int, std::size_t, void**, std::size_t*, unsigned short*, unsigned,
                                          void** depend) {
  if (depend != nullptr) wait_for_dependences(me(), read_gomp_dependences(depend));
}
TAKT_OMP void GOMP_offload_register(const void*, int, const void*) {}
TAKT_OMP void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
TAKT_OMP void GOMP_offload_unregister(const void*, int, const void*) {}
TAKT_OMP void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}

static void say(const char* what, const char* message, std::size_t length) noexcept {
  const auto n = length == ~std::size_t{0} && message != nullptr ? -1 : static_cast<int>(length);
  const char* const text = message != nullptr ? message : "";
  const char* const between = message != nullptr ? ": " : "";
  std::fprintf(stderr, "\nlibgomp: %serror directive encountered%s%.*s\n", what, between, n, text);
}
TAKT_OMP void GOMP_warning(const char* message, std::size_t length) { say("", message, length); }
TAKT_OMP void GOMP_error(const char* message, std::size_t length) {
  say("fatal error: ", message, length);
  std::exit(1);
}
