// Worksharing loops and sections for GCC. An iteration's end is exclusive there.
#include <cstdarg>
#include <cstdlib>

#include "gomp.hpp"

namespace takt::openmp {
namespace {

using ull = unsigned long long;

constexpr long k_monotonic = 0x80000000L;

schedule schedule_of(kind what, std::uint64_t chunk) noexcept {
  // Nothing said of a chunk: 0 for static, 1 for the others.
  return {what, chunk, false};
}
schedule schedule_of_gomp(const member& m, long what, std::uint64_t chunk) noexcept {
  switch (what & ~k_monotonic) {
    case 1: return schedule_of(kind::fixed, chunk);
    case 2: return schedule_of(kind::dynamic, chunk);
    case 3: return schedule_of(kind::guided, chunk);
    case 4: return schedule_of(kind::fixed, 0);
    default: return m.current->icvs.runtime;
  }
}

struct bounds {
  std::uint64_t first;
  std::int64_t step;
  std::uint64_t count;
};

bounds of_long(long start, long end, long step) noexcept {
  const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(end);
  const auto by = static_cast<std::uint64_t>(step);
  std::uint64_t count = 0;
  if (step > 0 && start < end) count = (to - from - 1) / by + 1;
  if (step < 0 && start > end) count = (from - to - 1) / (0 - by) + 1;
  return {from, step, count};
}
bounds of_ull(bool is_up, ull start, ull end, ull step) noexcept {
  std::uint64_t count = 0;
  if (is_up && start < end) count = (end - start - 1) / step + 1;
  if (!is_up && start > end) count = (start - end - 1) / (0 - step) + 1;
  return {start, static_cast<std::int64_t>(step), count};
}

void begin(member& m, const bounds& b, schedule how, bool is_ordered) noexcept {
  begin_loop(m, b.count, how, is_ordered);
  m.loop.first = b.first;
  m.loop.step = b.step;
}

template <class T>
bool next(member& m, T* start, T* end) noexcept {
  loop_range chunk;
  if (m.loop.in == nullptr || !next_chunk(m, chunk)) return false;
  const auto step = static_cast<std::uint64_t>(m.loop.step);
  *start = static_cast<T>(m.loop.first + chunk.begin * step);
  *end = static_cast<T>(m.loop.first + chunk.end * step);
  return true;
}

// Memory for the construct, zero at first, for all; and for reductions, whose group has begun.
void give_all(member& m, std::uintptr_t* reductions, void** memory) noexcept {
  workshare& s = *m.loop.in;
  if (reductions != nullptr) share_reductions(m, s, reductions);
  if (memory == nullptr) return;
  s.lock.lock();
  if (s.memory == nullptr) s.memory = std::calloc(1, reinterpret_cast<std::uintptr_t>(*memory));
  s.lock.unlock();
  if (s.memory == nullptr) fail("no memory for a worksharing construct");
  *memory = s.memory;
}

template <class T>
bool start_with(const bounds& b, long what, std::uint64_t chunk, T* start, T* end, std::uintptr_t* reductions,
                void** memory, bool is_ordered) {
  member& m = me();
  if (reductions != nullptr) begin_group(m);
  begin(m, b, schedule_of_gomp(m, what, chunk), is_ordered);
  give_all(m, reductions, memory);
  return start == nullptr || next(m, start, end);
}

struct loop_call {
  void (*function)(void*);
  void* data;
  bounds what;
  schedule how;
  bool is_runtime;
  static void run(member& m, void* self) {
    const loop_call& c = *static_cast<const loop_call*>(self);
    begin(m, c.what, c.is_runtime ? m.current->icvs.runtime : c.how, false);
    c.function(c.data);
  }
};

void run_loop(void (*function)(void*), void* data, unsigned threads, const bounds& what, schedule how,
              bool is_runtime = false) {
  loop_call c{function, data, what, how, is_runtime};
  run_region(&loop_call::run, &c, address_of(function), threads, threads == 1);
}

void end(member& m) noexcept {
  end_loop(m);
  end_doacross(m);
}

template <class T>
bool start_doacross(unsigned count, const T* counts, schedule how, T* start, T* stop,
                    std::uintptr_t* reductions = nullptr, void** memory = nullptr) {
  member& m = me();
  if (reductions != nullptr) begin_group(m);
  std::vector<std::int64_t> dimensions;
  for (unsigned d = 0; d < count; ++d) {
    dimensions.push_back(0);
    dimensions.push_back(1);
    dimensions.push_back(static_cast<std::int64_t>(counts[d]));
  }
  begin_doacross(m, std::move(dimensions), {});
  begin(m, {0, 1, static_cast<std::uint64_t>(counts[0])}, how, false);
  give_all(m, reductions, memory);
  return start == nullptr || next(m, start, stop);
}

template <class T>
void wait_doacross(T first, std::va_list& others) {
  member& m = me();
  if (m.doacross == nullptr) return;
  std::int64_t vector[64] = {static_cast<std::int64_t>(first)};
  const std::size_t count = m.doacross->dimensions.size() / 3;
  for (std::size_t d = 1; d < count && d < 64; ++d) vector[d] = static_cast<std::int64_t>(va_arg(others, T));
  doacross_wait(m, vector);
}

struct sections_call {
  void (*function)(void*);
  void* data;
  unsigned count;
  static void run(member& m, void* self) {
    const sections_call& c = *static_cast<const sections_call*>(self);
    begin_loop(m, c.count, {kind::dynamic, 1, false}, false);
    c.function(c.data);
  }
};

unsigned next_section(member& m) noexcept {
  loop_range chunk;
  return m.loop.in != nullptr && next_chunk(m, chunk) ? static_cast<unsigned>(chunk.begin) + 1 : 0;
}

}  // namespace
}  // namespace takt::openmp

using namespace takt::openmp;

// A start and a next for each schedule; the modifiers of GCC's names make no difference here.
#define TAKT_START(name, what, is_ordered)                                                                         \
  TAKT_OMP bool GOMP_loop_##name##_start(long start, long end, long step, long chunk, long* from, long* to) {       \
    member& m = me();                                                                                              \
    begin(m, of_long(start, end, step), schedule_of(what, static_cast<std::uint64_t>(chunk)), is_ordered);         \
    return next(m, from, to);                                                                                      \
  }                                                                                                                \
  TAKT_OMP bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to) { \
    member& m = me();                                                                                              \
    begin(m, of_ull(up, start, end, step), schedule_of(what, chunk), is_ordered);                                  \
    return next(m, from, to);                                                                                      \
  }                                                                                                                \
  TAKT_NEXT(name)
#define TAKT_START_RUNTIME(name, is_ordered)                                                                  \
  TAKT_OMP bool GOMP_loop_##name##_start(long start, long end, long step, long* from, long* to) {             \
    member& m = me();                                                                                         \
    begin(m, of_long(start, end, step), m.current->icvs.runtime, is_ordered);                                 \
    return next(m, from, to);                                                                                 \
  }                                                                                                           \
  TAKT_OMP bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step, ull* from, ull* to) {     \
    member& m = me();                                                                                         \
    begin(m, of_ull(up, start, end, step), m.current->icvs.runtime, is_ordered);                              \
    return next(m, from, to);                                                                                 \
  }                                                                                                           \
  TAKT_NEXT(name)
#define TAKT_NEXT(name)                                                                       \
  TAKT_OMP bool GOMP_loop_##name##_next(long* from, long* to) { return next(me(), from, to); } \
  TAKT_OMP bool GOMP_loop_ull_##name##_next(ull* from, ull* to) { return next(me(), from, to); }

TAKT_START(static, kind::fixed, false)
TAKT_START(dynamic, kind::dynamic, false)
TAKT_START(guided, kind::guided, false)
TAKT_START(nonmonotonic_dynamic, kind::dynamic, false)
TAKT_START(nonmonotonic_guided, kind::guided, false)
TAKT_START_RUNTIME(runtime, false)
TAKT_START_RUNTIME(nonmonotonic_runtime, false)
TAKT_START_RUNTIME(maybe_nonmonotonic_runtime, false)
TAKT_START(ordered_static, kind::fixed, true)
TAKT_START(ordered_dynamic, kind::dynamic, true)
TAKT_START(ordered_guided, kind::guided, true)
TAKT_START_RUNTIME(ordered_runtime, true)

#define TAKT_START_ANY(name, is_ordered)                                                                             \
  TAKT_OMP bool GOMP_loop_##name(long start, long end, long step, long what, long chunk, long* from, long* to,        \
                                 std::uintptr_t* reductions, void** memory) {                                        \
    return start_with(of_long(start, end, step), what, static_cast<std::uint64_t>(chunk), from, to, reductions,      \
                      memory, is_ordered);                                                                           \
  }                                                                                                                  \
  TAKT_OMP bool GOMP_loop_ull_##name(bool up, ull start, ull end, ull step, long what, ull chunk, ull* from, ull* to, \
                                     std::uintptr_t* reductions, void** memory) {                                    \
    return start_with(of_ull(up, start, end, step), what, chunk, from, to, reductions, memory, is_ordered);          \
  }
TAKT_START_ANY(start, false)
TAKT_START_ANY(ordered_start, true)

#define TAKT_PARALLEL_LOOP(name, what)                                                                              \
  TAKT_OMP void GOMP_parallel_loop_##name(void (*function)(void*), void* data, unsigned threads, long start, long end, \
                                          long step, long chunk, unsigned) {                                       \
    run_loop(function, data, threads, of_long(start, end, step),                                                   \
             schedule_of(what, static_cast<std::uint64_t>(chunk)));                                                \
  }
#define TAKT_PARALLEL_LOOP_RUNTIME(name)                                                                            \
  TAKT_OMP void GOMP_parallel_loop_##name(void (*function)(void*), void* data, unsigned threads, long start, long end, \
                                          long step, unsigned) {                                                   \
    run_loop(function, data, threads, of_long(start, end, step), {}, true);                                        \
  }
TAKT_PARALLEL_LOOP(static, kind::fixed)
TAKT_PARALLEL_LOOP(dynamic, kind::dynamic)
TAKT_PARALLEL_LOOP(guided, kind::guided)
TAKT_PARALLEL_LOOP(nonmonotonic_dynamic, kind::dynamic)
TAKT_PARALLEL_LOOP(nonmonotonic_guided, kind::guided)
TAKT_PARALLEL_LOOP_RUNTIME(runtime)
TAKT_PARALLEL_LOOP_RUNTIME(nonmonotonic_runtime)
TAKT_PARALLEL_LOOP_RUNTIME(maybe_nonmonotonic_runtime)

TAKT_OMP void GOMP_loop_end() {
  member& m = me();
  end(m);
  barrier(m);
}
TAKT_OMP void GOMP_loop_end_nowait() { end(me()); }
TAKT_OMP bool GOMP_loop_end_cancel() {
  member& m = me();
  end(m);
  return barrier(m, true);
}

#define TAKT_DOACROSS(name, what)                                                                                   \
  TAKT_OMP bool GOMP_loop_doacross_##name##_start(unsigned count, long* counts, long chunk, long* from, long* to) { \
    return start_doacross(count, counts, schedule_of(what, static_cast<std::uint64_t>(chunk)), from, to);           \
  }                                                                                                                 \
  TAKT_OMP bool GOMP_loop_ull_doacross_##name##_start(unsigned count, ull* counts, ull chunk, ull* from, ull* to) { \
    return start_doacross(count, counts, schedule_of(what, chunk), from, to);                                       \
  }
TAKT_DOACROSS(static, kind::fixed)
TAKT_DOACROSS(dynamic, kind::dynamic)
TAKT_DOACROSS(guided, kind::guided)
TAKT_OMP bool GOMP_loop_doacross_runtime_start(unsigned count, long* counts, long* from, long* to) {
  return start_doacross(count, counts, icvs(me()).runtime, from, to);
}
TAKT_OMP bool GOMP_loop_ull_doacross_runtime_start(unsigned count, ull* counts, ull* from, ull* to) {
  return start_doacross(count, counts, icvs(me()).runtime, from, to);
}
TAKT_OMP bool GOMP_loop_doacross_start(unsigned count, long* counts, long what, long chunk, long* from, long* to,
                                       std::uintptr_t* reductions, void** memory) {
  return start_doacross(count, counts, schedule_of_gomp(me(), what, static_cast<std::uint64_t>(chunk)), from, to,
                        reductions, memory);
}
TAKT_OMP bool GOMP_loop_ull_doacross_start(unsigned count, ull* counts, long what, ull chunk, ull* from, ull* to,
                                           std::uintptr_t* reductions, void** memory) {
  return start_doacross(count, counts, schedule_of_gomp(me(), what, chunk), from, to, reductions, memory);
}
TAKT_OMP void GOMP_doacross_post(long* vector) {
  doacross_post(me(), reinterpret_cast<const std::int64_t*>(vector));
}
TAKT_OMP void GOMP_doacross_ull_post(ull* vector) {
  doacross_post(me(), reinterpret_cast<const std::int64_t*>(vector));
}
TAKT_OMP void GOMP_doacross_wait(long first, ...) {
  std::va_list others;
  va_start(others, first);
  wait_doacross(first, others);
  va_end(others);
}
TAKT_OMP void GOMP_doacross_ull_wait(ull first, ...) {
  std::va_list others;
  va_start(others, first);
  wait_doacross(first, others);
  va_end(others);
}

TAKT_OMP unsigned GOMP_sections_start(unsigned count) {
  member& m = me();
  begin_loop(m, count, {kind::dynamic, 1, false}, false);
  return next_section(m);
}
TAKT_OMP unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
  member& m = me();
  if (reductions != nullptr) begin_group(m);
  begin_loop(m, count, {kind::dynamic, 1, false}, false);
  give_all(m, reductions, memory);
  return next_section(m);
}
TAKT_OMP unsigned GOMP_sections_next() { return next_section(me()); }
TAKT_OMP void GOMP_sections_end() { GOMP_loop_end(); }
TAKT_OMP void GOMP_sections_end_nowait() { GOMP_loop_end_nowait(); }
TAKT_OMP bool GOMP_sections_end_cancel() { return GOMP_loop_end_cancel(); }
TAKT_OMP void GOMP_parallel_sections(void (*function)(void*), void* data, unsigned threads, unsigned count, unsigned) {
  sections_call c{function, data, count};
  run_region(&sections_call::run, &c, address_of(function), threads, threads == 1);
}
TAKT_OMP void GOMP_scope_start(std::uintptr_t* reductions) {
  member& m = me();
  begin_group(m);
  workshare& s = enter_share(m, [](workshare&, const void*) {}, nullptr);
  share_reductions(m, s, reductions);
  leave_share(m, s);
}
