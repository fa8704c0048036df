// Worksharing loops for LLVM's compilers. Bounds are inclusive there.
#include <algorithm>
#include <type_traits>

#include "kmp.hpp"

namespace takt::openmp {

schedule schedule_of_kmp(std::int32_t given, std::uint64_t chunk, const member& m, bool& is_ordered) noexcept {
  constexpr std::int32_t k_monotonic = 1 << 29, k_nonmonotonic = 1 << 30;
  const std::int32_t kind_given = given & ~(k_monotonic | k_nonmonotonic);
  // 33 to 47, the same with ordered from 65, and of loops that do not merge (160, 192).
  std::int32_t base = kind_given;
  if (base >= 192) base -= 192 - 64;
  if (base >= 160) base -= 160 - 32;
  is_ordered = base >= 65 && base < 80;
  if (is_ordered) base -= 32;
  switch (base) {
    case 33: return {kind::fixed, std::max<std::uint64_t>(chunk, 1), true};
    case 34: case 41: case 40: case 44: return {kind::fixed, 0, true};
    case 35: return {kind::dynamic, std::max<std::uint64_t>(chunk, 1), false};
    case 36: case 42: case 43: case 46: return {kind::guided, std::max<std::uint64_t>(chunk, 1), false};
    case 37: case 47: return m.current->icvs.runtime;
    case 38: return {kind::fixed, 0, true};
    case 45: return {kind::fixed, std::max<std::uint64_t>(chunk, 1), true};
    case 39: return {kind::dynamic, std::max<std::uint64_t>(chunk, 1), false};
    default: fail("a schedule that takt does not know");
  }
}

namespace {

template <class T>
using counted = std::make_unsigned_t<T>;
template <class T>
using stepped = std::make_signed_t<T>;

// How many iterations from `lower` to `upper`, both included.
template <class T>
std::uint64_t count_of(T lower, T upper, stepped<T> step) noexcept {
  if (step > 0 ? upper < lower : lower < upper) return 0;
  using u = counted<T>;
  const u distance = step > 0 ? static_cast<u>(static_cast<u>(upper) - static_cast<u>(lower))
                              : static_cast<u>(static_cast<u>(lower) - static_cast<u>(upper));
  const u each = step > 0 ? static_cast<u>(step) : static_cast<u>(u{0} - static_cast<u>(step));
  return std::uint64_t{static_cast<u>(distance / each)} + 1;
}

template <class T>
T at(T first, std::uint64_t iteration, stepped<T> step) noexcept {
  using u = counted<T>;
  return static_cast<T>(static_cast<u>(static_cast<u>(first) + static_cast<u>(static_cast<u>(iteration) * static_cast<u>(step))));
}

constexpr std::int32_t k_modifiers = 3 << 29;

// The part of `part` among `parts`, as LLVM's compilers ask for it.
template <class T>
void divide(std::int32_t how, std::uint64_t parts, std::uint64_t part, std::int32_t* is_last, T* lower, T* upper,
            stepped<T>* stride, stepped<T> step, stepped<T> chunk) noexcept {
  how &= ~k_modifiers;
  const std::uint64_t count = count_of(*lower, *upper, step);
  const T first = *lower;
  const T end = *upper;
  if (count == 0) {
    if (is_last != nullptr) *is_last = 0;
    *stride = step;
    return;
  }
  const bool is_chunked = how == 33 || how == 65 || how == 91 || how == 45;
  if (is_chunked) {
    std::uint64_t each = std::max<std::uint64_t>(static_cast<std::uint64_t>(chunk > 0 ? chunk : 1), 1);
    if (how == 45) {
      // Blocks of whole chunks, one for each part.
      const std::uint64_t whole = (count + parts - 1) / parts;
      each = (whole + each - 1) / each * each;
    }
    const std::uint64_t last_chunk = (count - 1) / each;
    *stride = static_cast<stepped<T>>(at<T>(0, each * parts, step));
    *lower = at<T>(first, each * part, step);
    *upper = at<T>(first, each * part + each - 1, step);
    if (how == 45) {
      const bool has_any = each * part < count;
      if (!has_any) {
        *lower = step > 0 ? 1 : 0;
        *upper = step > 0 ? 0 : 1;
      } else if (each * part + each >= count) {
        *upper = end;
      }
    }
    if (is_last != nullptr) *is_last = last_chunk % parts == part;
    return;
  }
  const loop_range mine = static_part(count, parts, part);
  *stride = static_cast<stepped<T>>(count);
  if (mine.begin == mine.end) {
    // Nothing, whatever the bounds: one behind the end might be one that wraps around.
    *lower = step > 0 ? 1 : 0;
    *upper = step > 0 ? 0 : 1;
  } else {
    *lower = at<T>(first, mine.begin, step);
    *upper = at<T>(first, mine.end - 1, step);
  }
  if (is_last != nullptr) *is_last = mine.begin != mine.end && mine.end == count;
}

template <class T>
void static_init(std::int32_t how, std::int32_t* is_last, T* lower, T* upper, stepped<T>* stride, stepped<T> step,
                 stepped<T> chunk) noexcept {
  const member& m = me();
  const bool is_distribute = (how & ~k_modifiers) >= 91 && (how & ~k_modifiers) <= 94;
  const std::uint64_t parts = is_distribute ? m.in->teams : m.in->size;
  const std::uint64_t part = is_distribute ? m.in->team_number : m.number;
  divide(how, parts, part, is_last, lower, upper, stride, step, chunk);
}

// distribute parallel for: first among the teams, then among the members.
template <class T>
void distributed_init(std::int32_t how, std::int32_t* is_last, T* lower, T* upper, T* upper_of_team,
                      stepped<T>* stride, stepped<T> step, stepped<T> chunk) noexcept {
  const member& m = me();
  std::int32_t is_last_team = 0;
  stepped<T> unused = 0;
  divide(92, m.in->teams, m.in->team_number, &is_last_team, lower, upper, &unused, step, stepped<T>{1});
  *upper_of_team = *upper;
  std::int32_t is_last_member = 0;
  divide(how, m.in->size, m.number, &is_last_member, lower, upper, stride, step, chunk);
  if (is_last != nullptr) *is_last = is_last_team != 0 && is_last_member != 0;
}

// Chunks of whole vectors of iterations; where none is asked for, one for each member.
schedule in_vectors(schedule how, std::uint64_t vector, std::uint64_t count, std::uint64_t members) noexcept {
  if (how.what == kind::automatic || (how.what == kind::fixed && how.chunk == 0)) {
    return {kind::fixed, ((count + members - 1) / members + vector - 1) / vector * vector, true};
  }
  how.chunk = std::max<std::uint64_t>(how.chunk, 1) * vector;
  return how;
}

template <class T>
void dispatch_init(std::int32_t how, T lower, T upper, stepped<T> step, stepped<T> chunk) noexcept {
  member& m = me();
  bool is_ordered = false;
  const std::uint64_t asked = chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0;
  const std::uint64_t count = count_of(lower, upper, step);
  schedule s = schedule_of_kmp(how, asked, m, is_ordered);
  // schedule(simd: runtime)
  if ((how & ~k_modifiers) == static_cast<std::int32_t>(kmp::k_runtime_simd)) s = in_vectors(s, std::max<std::uint64_t>(asked, 1), count, m.in->size);
  begin_loop(m, count, s, is_ordered);
  m.loop.first = static_cast<std::uint64_t>(lower);
  m.loop.step = step;
}

template <class T>
std::int32_t dispatch_next(std::int32_t* is_last, T* lower, T* upper, stepped<T>* stride) noexcept {
  member& m = me();
  if (m.loop.in == nullptr) return 0;
  loop_range chunk;
  if (!next_chunk(m, chunk)) {
    end_loop(m);
    return 0;
  }
  const auto first = static_cast<T>(m.loop.first);
  const auto step = static_cast<stepped<T>>(m.loop.step);
  *lower = at(first, chunk.begin, step);
  *upper = at(first, chunk.end - 1, step);
  if (stride != nullptr) *stride = step;
  if (is_last != nullptr) *is_last = chunk.end == m.loop.in->count;
  return 1;
}

}  // namespace
}  // namespace takt::openmp

using namespace takt::openmp;

#define TAKT_LOOPS(name, T, S)                                                                                       \
  TAKT_OMP void __kmpc_for_static_init_##name(ident*, gtid, std::int32_t how, std::int32_t* last, T* lower, T* upper, \
                                              S* stride, S step, S chunk) {                                          \
    static_init<T>(how, last, lower, upper, stride, step, chunk);                                                    \
  }                                                                                                                  \
  TAKT_OMP void __kmpc_dist_for_static_init_##name(ident*, gtid, std::int32_t how, std::int32_t* last, T* lower,      \
                                                   T* upper, T* upper_of_team, S* stride, S step, S chunk) {         \
    distributed_init<T>(how, last, lower, upper, upper_of_team, stride, step, chunk);                                \
  }                                                                                                                  \
  TAKT_OMP void __kmpc_team_static_init_##name(ident*, gtid, std::int32_t* last, T* lower, T* upper, S* stride,       \
                                               S step, S chunk) {                                                    \
    static_init<T>(91, last, lower, upper, stride, step, chunk);                                                     \
  }                                                                                                                  \
  TAKT_OMP void __kmpc_dispatch_init_##name(ident*, gtid, std::int32_t how, T lower, T upper, S step, S chunk) {      \
    dispatch_init<T>(how, lower, upper, step, chunk);                                                                \
  }                                                                                                                  \
  TAKT_OMP void __kmpc_dist_dispatch_init_##name(ident*, gtid, std::int32_t how, std::int32_t*, T lower, T upper,     \
                                                 S step, S chunk) {                                                  \
    const member& m = me();                                                                                          \
    S unused = 0;                                                                                                    \
    divide<T>(92, m.in->teams, m.in->team_number, nullptr, &lower, &upper, &unused, step, 1);                        \
    dispatch_init<T>(how, lower, upper, step, chunk);                                                                \
  }                                                                                                                  \
  TAKT_OMP std::int32_t __kmpc_dispatch_next_##name(ident*, gtid, std::int32_t* last, T* lower, T* upper, S* stride) { \
    return dispatch_next<T>(last, lower, upper, stride);                                                             \
  }                                                                                                                  \
  TAKT_OMP void __kmpc_dispatch_fini_##name(ident*, gtid) {}

TAKT_LOOPS(4, std::int32_t, std::int32_t)
TAKT_LOOPS(4u, std::uint32_t, std::int32_t)
TAKT_LOOPS(8, std::int64_t, std::int64_t)
TAKT_LOOPS(8u, std::uint64_t, std::int64_t)

TAKT_OMP void __kmpc_for_static_fini(ident*, gtid) {}
// A loop that was left before it was through.
TAKT_OMP void __kmpc_dispatch_deinit(ident*, gtid) {}

namespace {
struct dimension {
  std::int64_t lower, upper, step;
};
}  // namespace

TAKT_OMP void __kmpc_doacross_init(ident*, gtid, std::int32_t count, const dimension* given) {
  std::vector<std::int64_t> bounds;
  for (std::int32_t d = 0; d < count; ++d) {
    bounds.push_back(given[d].lower);
    bounds.push_back(given[d].step);
    bounds.push_back(static_cast<std::int64_t>(count_of<std::int64_t>(given[d].lower, given[d].upper, given[d].step)));
  }
  begin_doacross(me(), std::move(bounds), {});
}
TAKT_OMP void __kmpc_doacross_wait(ident*, gtid, const std::int64_t* vector) { doacross_wait(me(), vector); }
TAKT_OMP void __kmpc_doacross_post(ident*, gtid, const std::int64_t* vector) { doacross_post(me(), vector); }
TAKT_OMP void __kmpc_doacross_fini(ident*, gtid) { end_doacross(me()); }
