// omp_*: what programs call by name, in C and in Fortran.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "state.hpp"

#define TAKT_OMP extern "C" __attribute__((visibility("default")))

namespace takt::openmp {
namespace {

struct nested_lock {
  lock_word word{0};
  std::atomic<const task*> owner{nullptr};
  int count = 0;
};

nested_lock*& nested(void* at) noexcept { return *static_cast<nested_lock**>(at); }
lock_word& simple(void* at) noexcept { return *static_cast<lock_word*>(at); }

const team* at_level(int level) noexcept {
  const team* t = me().in;
  if (level < 0 || level > static_cast<int>(t->level)) return nullptr;
  while (static_cast<int>(t->level) > level) t = t->parent->in;
  return t;
}

int ancestor_number(int level) noexcept {
  const member* m = &me();
  if (level < 0 || level > static_cast<int>(m->in->level)) return -1;
  while (static_cast<int>(m->in->level) > level) m = m->in->parent;
  return static_cast<int>(m->number);
}

std::int32_t positive(std::int64_t n) noexcept {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(n, 1, 0x7fffffff));
}

}  // namespace
}  // namespace takt::openmp

using namespace takt::openmp;

// --- teams and members
TAKT_OMP int omp_get_thread_num() { return static_cast<int>(me().number); }
TAKT_OMP int omp_get_num_threads() { return static_cast<int>(me().in->size); }
TAKT_OMP int omp_get_max_threads() {
  const member& m = me();
  const settings& s = m.current->icvs;
  return std::min(s.threads, s.thread_limit);
}
TAKT_OMP int omp_get_num_procs() { return the_environment().processors; }
TAKT_OMP int omp_in_parallel() { return me().in->active_level > 0; }
TAKT_OMP void omp_set_num_threads(int n) { icvs(me()).threads = positive(n); }
TAKT_OMP void omp_set_dynamic(int is) { icvs(me()).is_dynamic = is != 0; }
TAKT_OMP int omp_get_dynamic() { return icvs(me()).is_dynamic; }
TAKT_OMP void omp_set_nested(int is) { icvs(me()).most_active_levels = is != 0 ? 0x7fffffff : 1; }
TAKT_OMP int omp_get_nested() { return icvs(me()).most_active_levels > 1; }
TAKT_OMP void omp_set_max_active_levels(int n) {
  if (n >= 0) icvs(me()).most_active_levels = n;
}
TAKT_OMP int omp_get_max_active_levels() { return icvs(me()).most_active_levels; }
TAKT_OMP int omp_get_supported_active_levels() { return 0x7fffffff; }
TAKT_OMP int omp_get_thread_limit() { return icvs(me()).thread_limit; }
TAKT_OMP int omp_get_level() { return static_cast<int>(me().in->level); }
TAKT_OMP int omp_get_active_level() { return static_cast<int>(me().in->active_level); }
TAKT_OMP int omp_get_ancestor_thread_num(int level) { return ancestor_number(level); }
TAKT_OMP int omp_get_team_size(int level) {
  const team* const t = at_level(level);
  return t != nullptr ? static_cast<int>(t->size) : -1;
}
TAKT_OMP void omp_set_schedule(int what, int chunk) {
  const int plain = what & 0x7fffffff;
  if (plain < 1 || plain > 4) return;
  icvs(me()).runtime = {static_cast<kind>(plain), chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0, what < 0};
}
TAKT_OMP void omp_get_schedule(int* what, int* chunk) {
  const schedule& s = icvs(me()).runtime;
  *what = static_cast<int>(static_cast<unsigned>(s.what) | (s.monotonic ? 0x80000000u : 0u));
  *chunk = static_cast<int>(s.chunk == 0 && s.what != kind::fixed && s.what != kind::automatic ? 1 : s.chunk);
}
TAKT_OMP int omp_get_cancellation() { return the_environment().cancels; }
TAKT_OMP int omp_in_final() { return me().current->is_final; }
TAKT_OMP int omp_in_explicit_task() { return !me().current->is_implicit; }
TAKT_OMP int omp_get_max_task_priority() { return the_environment().most_priority; }
TAKT_OMP int omp_get_num_teams() { return static_cast<int>(me().in->teams); }
TAKT_OMP int omp_get_team_num() { return static_cast<int>(me().in->team_number); }
TAKT_OMP void omp_set_num_teams(int n) { the_environment().teams = std::max(n, 0); }
TAKT_OMP int omp_get_max_teams() { return the_environment().teams; }
TAKT_OMP void omp_set_teams_thread_limit(int n) { the_environment().teams_thread_limit = std::max(n, 0); }
TAKT_OMP int omp_get_teams_thread_limit() { return the_environment().teams_thread_limit; }
TAKT_OMP void omp_display_env(int) { display_environment(the_environment()); }

// --- places: threads are not bound
TAKT_OMP int omp_get_proc_bind() { return 0; }
TAKT_OMP int omp_get_num_places() { return 0; }
TAKT_OMP int omp_get_place_num_procs(int) { return 0; }
TAKT_OMP void omp_get_place_proc_ids(int, int*) {}
TAKT_OMP int omp_get_place_num() { return -1; }
TAKT_OMP int omp_get_partition_num_places() { return 0; }
TAKT_OMP void omp_get_partition_place_nums(int*) {}

// --- devices: there is the host alone
TAKT_OMP void omp_set_default_device(int n) { icvs(me()).default_device = n; }
TAKT_OMP int omp_get_default_device() { return icvs(me()).default_device; }
TAKT_OMP int omp_get_num_devices() { return 0; }
TAKT_OMP int omp_get_device_num() { return 0; }
TAKT_OMP int omp_get_initial_device() { return 0; }
TAKT_OMP int omp_is_initial_device() { return 1; }
TAKT_OMP int omp_pause_resource(int, int) {
  if (me().in->level > 0) return -1;
  release_threads();
  return 0;
}
TAKT_OMP int omp_pause_resource_all(int kind) { return omp_pause_resource(kind, 0); }
TAKT_OMP void* omp_target_alloc(std::size_t bytes, int) { return bytes != 0 ? std::malloc(bytes) : nullptr; }
TAKT_OMP void omp_target_free(void* block, int) { std::free(block); }
TAKT_OMP int omp_target_is_present(const void*, int) { return 1; }
TAKT_OMP int omp_target_memcpy(void* to, const void* from, std::size_t bytes, std::size_t to_at, std::size_t from_at,
                               int, int) {
  std::memcpy(static_cast<char*>(to) + to_at, static_cast<const char*>(from) + from_at, bytes);
  return 0;
}
/// Part of an array of up to any number of dimensions. @returns 0, or EINVAL; asked for no array, how many dimensions.
TAKT_OMP int omp_target_memcpy_rect(void* to, const void* from, std::size_t element, int dimensions,
                                    const std::size_t* volume, const std::size_t* to_at, const std::size_t* from_at,
                                    const std::size_t* to_shape, const std::size_t* from_shape, int to_device,
                                    int from_device) {
  if (to == nullptr && from == nullptr) return INT_MAX;
  if (to == nullptr || from == nullptr || dimensions < 1) return EINVAL;
  std::size_t to_stride = element, from_stride = element;
  for (int d = 1; d < dimensions; ++d) {
    to_stride *= to_shape[d];
    from_stride *= from_shape[d];
  }
  char* const begin = static_cast<char*>(to) + *to_at * to_stride;
  const char* const source = static_cast<const char*>(from) + *from_at * from_stride;
  if (dimensions == 1) {
    std::memcpy(begin, source, *volume * element);
    return 0;
  }
  for (std::size_t i = 0; i < *volume; ++i) {
    omp_target_memcpy_rect(begin + i * to_stride, source + i * from_stride, element, dimensions - 1, volume + 1,
                           to_at + 1, from_at + 1, to_shape + 1, from_shape + 1, to_device, from_device);
  }
  return 0;
}
TAKT_OMP int omp_target_is_accessible(const void*, std::size_t, int) { return 1; }
TAKT_OMP int omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t, int) { return EINVAL; }
TAKT_OMP int omp_target_disassociate_ptr(const void*, int) { return EINVAL; }

// --- time
TAKT_OMP double omp_get_wtime() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
TAKT_OMP double omp_get_wtick() { return 1e-9; }

// --- locks
TAKT_OMP void omp_init_lock(void* l) { new (l) lock_word(0); }
TAKT_OMP void omp_init_lock_with_hint(void* l, int) { omp_init_lock(l); }
TAKT_OMP void omp_destroy_lock(void*) {}
TAKT_OMP void omp_set_lock(void* l) { acquire(simple(l)); }
TAKT_OMP void omp_unset_lock(void* l) { release(simple(l)); }
TAKT_OMP int omp_test_lock(void* l) {
  if (try_acquire(simple(l))) return 1;
  // Who has it may wait for this thread.
  yield();
  return 0;
}

TAKT_OMP void omp_init_nest_lock(void* l) {
  nested(l) = new (std::nothrow) nested_lock;
  if (nested(l) == nullptr) fail("no memory for a lock");
}
TAKT_OMP void omp_init_nest_lock_with_hint(void* l, int) { omp_init_nest_lock(l); }
TAKT_OMP void omp_destroy_nest_lock(void* l) { delete std::exchange(nested(l), nullptr); }
TAKT_OMP void omp_set_nest_lock(void* l) {
  nested_lock& n = *nested(l);
  const task* const self = me().current;
  if (n.owner.load(std::memory_order_relaxed) != self) {
    acquire(n.word);
    n.owner.store(self, std::memory_order_relaxed);
  }
  ++n.count;
}
TAKT_OMP void omp_unset_nest_lock(void* l) {
  nested_lock& n = *nested(l);
  if (--n.count != 0) return;
  n.owner.store(nullptr, std::memory_order_relaxed);
  release(n.word);
}
TAKT_OMP int omp_test_nest_lock(void* l) {
  nested_lock& n = *nested(l);
  const task* const self = me().current;
  if (n.owner.load(std::memory_order_relaxed) != self) {
    if (!try_acquire(n.word)) {
      yield();
      return 0;
    }
    n.owner.store(self, std::memory_order_relaxed);
  }
  return ++n.count;
}

// --- tasks
TAKT_OMP void omp_fulfill_event(void* event) { task_event(**static_cast<task**>(event)); }

// --- locks of LLVM's compilers
#define TAKT_LOCK(name, as)                                                            \
  TAKT_OMP void __kmpc_init_##name(void*, int, void* l) { omp_init_##as(l); }          \
  TAKT_OMP void __kmpc_init_##name##_with_hint(void*, int, void* l, std::uintptr_t) { omp_init_##as(l); } \
  TAKT_OMP void __kmpc_destroy_##name(void*, int, void* l) { omp_destroy_##as(l); }    \
  TAKT_OMP void __kmpc_set_##name(void*, int, void* l) { omp_set_##as(l); }            \
  TAKT_OMP void __kmpc_unset_##name(void*, int, void* l) { omp_unset_##as(l); }        \
  TAKT_OMP int __kmpc_test_##name(void*, int, void* l) { return omp_test_##as(l); }
TAKT_LOCK(lock, lock)
TAKT_LOCK(nest_lock, nest_lock)

// --- what LLVM's and Intel's programs set: hints
TAKT_OMP void kmp_set_blocktime(int) {}
TAKT_OMP int kmp_get_blocktime() { return 0; }
TAKT_OMP void kmp_set_defaults(const char*) {}
TAKT_OMP void kmp_set_library(int) {}
TAKT_OMP int kmp_get_library() { return 2; }
TAKT_OMP void kmp_set_library_serial() {}
TAKT_OMP void kmp_set_library_turnaround() {}
TAKT_OMP void kmp_set_library_throughput() {}
TAKT_OMP void kmp_set_stacksize(int) {}
TAKT_OMP void kmp_set_stacksize_s(std::size_t) {}
TAKT_OMP int kmp_get_stacksize() { return 1 << 23; }
TAKT_OMP std::size_t kmp_get_stacksize_s() { return std::size_t{1} << 23; }
TAKT_OMP void kmp_set_warnings_on() {}
TAKT_OMP void kmp_set_warnings_off() {}
TAKT_OMP void* kmp_malloc(std::size_t bytes) { return std::malloc(bytes); }
TAKT_OMP void* kmp_calloc(std::size_t count, std::size_t each) { return std::calloc(count, each); }
TAKT_OMP void* kmp_realloc(void* block, std::size_t bytes) { return std::realloc(block, bytes); }
TAKT_OMP void* kmp_aligned_malloc(std::size_t bytes, std::size_t alignment) {
  void* block = nullptr;
  return posix_memalign(&block, std::max(alignment, sizeof(void*)), bytes) == 0 ? block : nullptr;
}
TAKT_OMP void kmp_free(void* block) { std::free(block); }

// --- Fortran, whose arguments are addresses
#define TAKT_ASK(name) \
  TAKT_OMP int name##_() { return name(); }
#define TAKT_SET(name)                          \
  TAKT_OMP void name##_(const int* n) { name(*n); } \
  TAKT_OMP void name##_8_(const std::int64_t* n) { name(as_int(*n)); }
#define TAKT_ASK_OF(name)                         \
  TAKT_OMP int name##_(const int* n) { return name(*n); } \
  TAKT_OMP int name##_8_(const std::int64_t* n) { return name(as_int(*n)); }
#define TAKT_WITH_LOCK(name) \
  TAKT_OMP void name##_(void* l) { name(l); }

namespace {
int as_int(std::int64_t n) noexcept { return static_cast<int>(std::clamp<std::int64_t>(n, -1, 0x7fffffff)); }
}  // namespace

TAKT_ASK(omp_get_thread_num)
TAKT_ASK(omp_get_num_threads)
TAKT_ASK(omp_get_max_threads)
TAKT_ASK(omp_get_num_procs)
TAKT_ASK(omp_in_parallel)
TAKT_ASK(omp_get_dynamic)
TAKT_ASK(omp_get_nested)
TAKT_ASK(omp_get_max_active_levels)
TAKT_ASK(omp_get_supported_active_levels)
TAKT_ASK(omp_get_thread_limit)
TAKT_ASK(omp_get_level)
TAKT_ASK(omp_get_active_level)
TAKT_ASK(omp_get_cancellation)
TAKT_ASK(omp_in_final)
TAKT_ASK(omp_in_explicit_task)
TAKT_ASK(omp_get_max_task_priority)
TAKT_ASK(omp_get_num_teams)
TAKT_ASK(omp_get_team_num)
TAKT_ASK(omp_get_max_teams)
TAKT_ASK(omp_get_teams_thread_limit)
TAKT_ASK(omp_get_proc_bind)
TAKT_ASK(omp_get_num_places)
TAKT_ASK(omp_get_place_num)
TAKT_ASK(omp_get_partition_num_places)
TAKT_ASK(omp_get_default_device)
TAKT_ASK(omp_get_num_devices)
TAKT_ASK(omp_get_device_num)
TAKT_ASK(omp_get_initial_device)
TAKT_ASK(omp_is_initial_device)
TAKT_SET(omp_set_num_threads)
TAKT_SET(omp_set_dynamic)
TAKT_SET(omp_set_nested)
TAKT_SET(omp_set_max_active_levels)
TAKT_SET(omp_set_default_device)
TAKT_SET(omp_set_num_teams)
TAKT_SET(omp_set_teams_thread_limit)
TAKT_ASK_OF(omp_get_ancestor_thread_num)
TAKT_ASK_OF(omp_get_team_size)
TAKT_ASK_OF(omp_get_place_num_procs)
TAKT_OMP void omp_set_schedule_(const int* what, const int* chunk) { omp_set_schedule(*what, *chunk); }
TAKT_OMP void omp_set_schedule_8_(const int* what, const std::int64_t* chunk) {
  omp_set_schedule(*what, as_int(*chunk));
}
TAKT_OMP void omp_get_schedule_(int* what, int* chunk) { omp_get_schedule(what, chunk); }
TAKT_OMP void omp_get_schedule_8_(int* what, std::int64_t* chunk) {
  int small = 0;
  omp_get_schedule(what, &small);
  *chunk = small;
}
TAKT_OMP double omp_get_wtime_() { return omp_get_wtime(); }
TAKT_OMP double omp_get_wtick_() { return omp_get_wtick(); }
TAKT_WITH_LOCK(omp_init_lock)
TAKT_WITH_LOCK(omp_destroy_lock)
TAKT_WITH_LOCK(omp_set_lock)
TAKT_WITH_LOCK(omp_unset_lock)
TAKT_WITH_LOCK(omp_init_nest_lock)
TAKT_WITH_LOCK(omp_destroy_nest_lock)
TAKT_WITH_LOCK(omp_set_nest_lock)
TAKT_WITH_LOCK(omp_unset_nest_lock)
TAKT_OMP int omp_test_lock_(void* l) { return omp_test_lock(l); }
TAKT_OMP int omp_test_nest_lock_(void* l) { return omp_test_nest_lock(l); }
TAKT_OMP int omp_pause_resource_(const int* kind, const int* device) { return omp_pause_resource(*kind, *device); }
TAKT_OMP int omp_pause_resource_all_(const int* kind) { return omp_pause_resource_all(*kind); }
TAKT_OMP void omp_display_env_(const int* verbose) { omp_display_env(*verbose); }
TAKT_OMP void omp_fulfill_event_(void* event) { omp_fulfill_event(event); }  // by value there, too
