// Prints the layouts that program and library share. abi_layouts.txt is what they are: a change of it is a change of
// the ABI, and raises TAKT_ABI_VERSION.
#include <takt/abi.hpp>
#include <takt/group.hpp>
#include <takt/omp.hpp>
#include <takt/settings.hpp>

#include <cstddef>
#include <cstdio>

using namespace takt::abi;

#define TYPE(type) std::printf("%s: %zu bytes, aligned to %zu\n", #type, sizeof(type), alignof(type))
#define FIELD(type, field) \
  std::printf("  %s at %zu, %zu bytes\n", #field, offsetof(type, field), sizeof(static_cast<type*>(nullptr)->field))

int main() {
  std::printf("version %d\n", k_version);
  TYPE(slot);
  FIELD(slot, run);
  FIELD(slot, join);
  FIELD(slot, payload);
  TYPE(hot_state);
  FIELD(hot_state, head);
  FIELD(hot_state, split);
  FIELD(hot_state, credit);
  FIELD(hot_state, worker);
  FIELD(hot_state, busy);
  FIELD(hot_state, polls);
  FIELD(hot_state, free_floor);
  TYPE(site);
  FIELD(site, unit_cost);
  FIELD(site, nested);
  FIELD(site, free_below);
  FIELD(site, span_ticks);
  FIELD(site, free_past);
  FIELD(site, free_band);
  TYPE(loop_frame);
  FIELD(loop_frame, next);
  FIELD(loop_frame, end);
  FIELD(loop_frame, run_half);
  FIELD(loop_frame, operations);
  FIELD(loop_frame, where);
  FIELD(loop_frame, chunk);
  FIELD(loop_frame, last_clock);
  FIELD(loop_frame, credit_seen);
  FIELD(loop_frame, polls_seen);
  FIELD(loop_frame, signals_seen);
  FIELD(loop_frame, timed);
  FIELD(loop_frame, nested);
  FIELD(loop_frame, halves);
  FIELD(loop_frame, half);
  FIELD(loop_frame, join);
  TYPE(half_payload);
  FIELD(half_payload, parent);
  FIELD(half_payload, begin);
  FIELD(half_payload, end);
  FIELD(half_payload, index);
  TYPE(group_child);
  FIELD(group_child, task);
  FIELD(group_child, newer);
  FIELD(group_child, older);
  FIELD(group_child, group);
  FIELD(group_child, sequence);
  TYPE(group_error);
  FIELD(group_error, object);
  FIELD(group_error, end);
  TYPE(settings);
  FIELD(settings, bytes);
  FIELD(settings, beat_us);
  FIELD(settings, chunk);
  FIELD(settings, target_polls);
  FIELD(settings, stack_bytes);
  FIELD(settings, stats);
  FIELD(settings, workers);
  FIELD(settings, trigger);
  FIELD(settings, balancer);
  FIELD(settings, chunking);
  FIELD(settings, interrupts);
  FIELD(settings, signal);
  TYPE(omp_part);
  FIELD(omp_part, offset);
  FIELD(omp_part, bytes);
  TYPE(omp_loop);
  FIELD(omp_loop, slice);
  FIELD(omp_loop, where);
  FIELD(omp_loop, parts);
  FIELD(omp_loop, part_count);
  FIELD(omp_loop, part_bytes);
  FIELD(omp_loop, open);
  TYPE(omp_chunk);
  FIELD(omp_chunk, begin);
  FIELD(omp_chunk, end);
  TYPE(omp_frame);
  FIELD(omp_frame, loop);
  FIELD(omp_frame, at);
  FIELD(omp_frame, look);
  FIELD(omp_frame, chunk);
  FIELD(omp_frame, count);
  FIELD(omp_frame, last);
  FIELD(omp_frame, what);
  FIELD(omp_frame, environment);
  FIELD(omp_frame, result);
  FIELD(omp_frame, cells);
  FIELD(omp_frame, pushed);
  FIELD(omp_frame, ran);
  FIELD(omp_frame, seen);
  FIELD(omp_frame, mode);
  FIELD(omp_frame, part_bytes);
  FIELD(omp_frame, depth);
}
