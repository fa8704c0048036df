// Every struct that compiled code and the library share, with its fields, and every number that is part of compiled
// code: each with a hash, made while this is compiled. README.md beside this file says what to do when one changes.
//
// A field that is not listed here does not compile: a structured binding must name all of them. A struct that cannot be
// bound, because of an unnamed union, must have no room for one.
#pragma once

#include <takt/abi.hpp>
#include <takt/group.hpp>
#include <takt/hinted.hpp>
#include <takt/omp.hpp>
#include <takt/settings.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace takt_layouts {

/// A field, or (without `bytes`) a number of that value.
struct entry {
  std::string_view name;
  std::uint64_t at;
  std::uint64_t bytes;
};

struct layout {
  std::string_view name;
  std::uint64_t bytes;
  std::uint64_t alignment;
  std::span<const entry> entries;
};

/// FNV-1a.
class hash {
 public:
  constexpr hash& add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
    return *this;
  }
  constexpr hash& add(std::uint64_t number) {
    for (int i = 0; i < 64; i += 8) add_byte(static_cast<unsigned char>(number >> i));
    return *this;
  }
  constexpr std::uint64_t value() const { return state_; }

 private:
  constexpr void add_byte(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3u; }
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

constexpr std::uint64_t hash_of(const layout& l) {
  hash h;
  h.add(l.name).add(l.bytes).add(l.alignment);
  for (const entry& e : l.entries) h.add(e.name).add(e.at).add(e.bytes);
  return h.value();
}

/// Bytes that lie in a field. Those of a union lie on top of each other.
constexpr std::uint64_t bytes_in_fields(const layout& l) {
  std::uint64_t sum = 0, end = 0;
  for (const entry& e : l.entries) {
    const std::uint64_t begin = e.at > end ? e.at : end;
    if (e.at + e.bytes <= begin) continue;
    end = e.at + e.bytes;
    sum += end - begin;
  }
  return sum;
}

// TAKT_EACH(F, type, a, b, ...) is F(type, a) F(type, b) ...
#define TAKT_EACH(f, type, ...) __VA_OPT__(TAKT_SCAN(TAKT_EACH_1(f, type, __VA_ARGS__)))
#define TAKT_EACH_1(f, type, first, ...) f(type, first) __VA_OPT__(TAKT_EACH_2 TAKT_NOTHING()(f, type, __VA_ARGS__))
#define TAKT_EACH_2() TAKT_EACH_1
#define TAKT_NOTHING() ()
#define TAKT_SCAN(...) TAKT_SCAN_1(TAKT_SCAN_1(TAKT_SCAN_1(__VA_ARGS__)))
#define TAKT_SCAN_1(...) TAKT_SCAN_2(TAKT_SCAN_2(TAKT_SCAN_2(__VA_ARGS__)))
#define TAKT_SCAN_2(...) TAKT_SCAN_3(TAKT_SCAN_3(TAKT_SCAN_3(__VA_ARGS__)))
#define TAKT_SCAN_3(...) __VA_ARGS__

#define TAKT_FIELD(type, name) {#name, offsetof(takt::abi::type, name), sizeof(takt::abi::type::name)},
#define TAKT_FIELDS(type, ...)                                                         \
  inline constexpr entry type##_fields[] = {TAKT_EACH(TAKT_FIELD, type, __VA_ARGS__)}; \
  inline constexpr layout type##_layout{#type, sizeof(takt::abi::type), alignof(takt::abi::type), type##_fields};

#define TAKT_STRUCT(type, ...)                                               \
  TAKT_FIELDS(type, __VA_ARGS__)                                             \
  inline void all_fields_of_##type##_are_listed(const takt::abi::type& of) { \
    [[maybe_unused]] const auto& [__VA_ARGS__] = of;                         \
  }
#define TAKT_STRUCT_WITH_UNION(type, ...)                                  \
  TAKT_FIELDS(type, __VA_ARGS__)                                           \
  static_assert(bytes_in_fields(type##_layout) == sizeof(takt::abi::type), \
                "takt::abi::" #type " has a field that is not listed here, or room for one");

// Compilers name a value that the switch lacks (-Wswitch).
#define TAKT_VALUE(type, name) {#name, static_cast<std::uint64_t>(takt::abi::type::name), 0},
#define TAKT_CASE(type, name) case takt::abi::type::name:
#define TAKT_ENUMERATION(type, ...)                                                                               \
  inline constexpr entry type##_values[] = {TAKT_EACH(TAKT_VALUE, type, __VA_ARGS__)};                            \
  inline constexpr layout type##_layout{#type, sizeof(takt::abi::type), alignof(takt::abi::type), type##_values}; \
  inline void all_values_of_##type##_are_listed(takt::abi::type of) {                                             \
    switch (of) { TAKT_EACH(TAKT_CASE, type, __VA_ARGS__) return; }                                               \
  }

#define TAKT_NUMBER(scope, name) {#name, static_cast<std::uint64_t>(takt::abi::name), 0},

// --- the list ----------------------------------------------------------------------------------------------------

TAKT_STRUCT(slot, run, join, payload)
TAKT_STRUCT(hot_state, head, split, credit, worker, busy, polls, free_top, wants_hints)
TAKT_STRUCT_WITH_UNION(site, unit_cost, nested, free_below, span_ticks, free_past, free_band)
TAKT_STRUCT(loop_frame, next, end, run_half, operations, halves, most_halves, join, half)
TAKT_STRUCT(loop_chunk, begin, end)
TAKT_STRUCT(loop_cursor, frame, at, look, chunk, pushed, where, phase, most, clock, timed, polls_seen, credit_seen,
            cuts_seen, together)
TAKT_STRUCT(half_payload, parent, begin, end, index)
TAKT_STRUCT(group_child, task, newer, older, group, sequence)
TAKT_STRUCT(group_error, object, end)
TAKT_STRUCT(hints, work, bytes, given, branches, branch, work_of, context, first, weights, group_work, frame, outer,
            inner, state)
TAKT_STRUCT(settings, bytes, beat_us, stack_bytes, stats, workers, trigger, interrupts, signal, policy, bind, memory, memory_need)
TAKT_STRUCT(omp_partial, offset, bytes)
TAKT_STRUCT(omp_loop, slice, where, partials, partial_count, partial_bytes, traits)
TAKT_STRUCT(omp_reductions, made, variables, count, around)
TAKT_STRUCT(omp_frame, cursor, count, last, what, environment, result, cells, partial_bytes, depth, pool, has_last,
            took_part, number, was_cancelled, first)
TAKT_ENUMERATION(fork_way, outside, inside, charged, plain)
TAKT_ENUMERATION(loop_way, plain, timed, framed, outside)
TAKT_ENUMERATION(loop_phase, plain, unknown, leaf, exposed)
TAKT_ENUMERATION(omp_way, in_place, framed, sampled, timed, outside, left)
TAKT_ENUMERATION(hint_state, silent, waiting, told)
TAKT_ENUMERATION(configured, good, out_of_range, under_way, no_memory)

inline constexpr entry number_values[] = {TAKT_EACH(TAKT_NUMBER, , k_cache_line, k_payload_bytes, k_units_per_tick,
                                                    k_fork_units, k_iteration_units, k_between_looks, k_unknown_cost,
                                                    k_sized_partial, k_sized_align, k_ask_for_hints, k_open, k_pooled, k_most_parts)};
inline constexpr layout number_layout{"numbers", 0, 0, number_values};

inline constexpr const layout* k_layouts[] = {
    &slot_layout,        &hot_state_layout,    &site_layout,           &loop_frame_layout,  &loop_chunk_layout,
    &loop_cursor_layout, &half_payload_layout, &group_child_layout,    &group_error_layout, &settings_layout,
    &omp_partial_layout, &omp_loop_layout,     &omp_reductions_layout, &omp_frame_layout,   &fork_way_layout,
    &loop_way_layout,    &loop_phase_layout,   &omp_way_layout,        &configured_layout,  &hints_layout,
    &hint_state_layout,  &number_layout};

/// Made here, by the compiler: all of them as one number.
constexpr std::uint64_t hash_of_all() {
  hash h;
  h.add(static_cast<std::uint64_t>(takt::abi::k_version));
  for (const layout* l : k_layouts) h.add(hash_of(*l));
  return h.value();
}

}  // namespace takt_layouts
