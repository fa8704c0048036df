// Loops whose iterations are claimed from a pool. See README.md.
#include "loop/pool.hpp"

#include "beat/beat.hpp"
#include "cost/chunks.hpp"
#include "loop/loop.hpp"
#include "promotion/hints.hpp"
#include "promotion/promote.hpp"

#include <algorithm>

namespace takt::core {

namespace {

std::uint64_t left_in(const iteration_pool& pool) noexcept {
  const std::uint64_t next = pool.next.load(sync::relaxed);
  return next < pool.end ? pool.end - next : 0;
}

// What is left takes, as far as that is known.
std::uint64_t ticks_left(const iteration_pool& pool, const abi::site& where) noexcept {
  return cost::is_known(where) ? cost::estimate_ticks(left_in(pool), cost::cost_of(where)) : k_unknown_ticks;
}

// Nobody else is to take part.
void invite_nobody(abi::loop_frame& frame) noexcept { *const_cast<volatile std::uint64_t*>(&frame.next) = frame.end; }

// @returns the most iterations that the next chunk is to have.
std::uint64_t end_chunk(worker& w, abi::loop_cursor& c) noexcept {
  const auto [ran, ticks, now, nested] = time_chunk(w, c);
  const std::uint64_t took = nested ? now - c.clock : ticks;
  const std::uint64_t target = cost::k_longest_chunk * w.owner.poll_ticks;
  if (!nested) cost::learn_cost(*c.where, ticks, ran, 2 * target);
  poll_at(w, now);
  return cost::most_after(ran, took, target);
}

// @returns how many iterations the next chunk is to have.
std::uint64_t look(worker& w, const iteration_pool& pool, abi::loop_cursor& c) noexcept {
  std::uint64_t most = cost::is_known(*c.where) ? ~0ull : 1;
  if (c.at != c.timed) most = end_chunk(w, c);
  if (c.pushed == nullptr || w.owner.settings.trigger == trigger::never) return ~0ull;
  if (!cost::is_known(*c.where)) return most;
  if (const std::uint64_t ticks = ticks_left(pool, *c.where); ticks > pool.entry_ticks) {
    spread(w, {&c.frame, ticks});
  } else {
    invite_nobody(c.frame);
  }
  return std::min(most, cost::chunk_by_time(left_in(pool), cost::cost_of(*c.where), w.owner.poll_ticks));
}

abi::loop_chunk claim(iteration_pool& pool, std::uint64_t wanted) noexcept {
  std::uint64_t begin = pool.next.load(sync::relaxed);
  std::uint64_t end = begin;
  do {
    if (begin >= pool.end) return {begin, begin};
    end = begin + cost::cut_chunk(begin, wanted, pool.end - begin);
    // Counted from the first iteration, as everybody does; a chunk longer than the loop ends with it.
    if (pool.together > 1) end += std::min(pool.end - end, (pool.together - end % pool.together) % pool.together);
  } while (!pool.next.compare_exchange_strong(begin, end, sync::relaxed, sync::relaxed));
  return {begin, end};
}

}  // namespace

bool is_worth_entering(const iteration_pool& pool, const abi::site& where) noexcept {
  return left_in(pool) != 0 && ticks_left(pool, where) > pool.entry_ticks;
}

void enter_pool(abi::loop_cursor& c, const iteration_pool& pool) noexcept {
  worker& w = *this_worker();
  const runtime_scope scope;
  if (w.watch != 0) note_environment_of(c.pushed);
  tell_hints(w);
  promote_at_begin(w, c.frame, ticks_left(pool, *c.where));
}

abi::loop_chunk claim_from(iteration_pool& pool, abi::loop_cursor& c) noexcept {
  worker* const w = this_worker();
  if (w == nullptr) return claim(pool, ~0ull);
  const runtime_scope scope;
  const abi::loop_chunk chunk = claim(pool, look(*w, pool, c));
  if (chunk.begin == chunk.end && c.pushed != nullptr) invite_nobody(c.frame);
  c.timed = chunk.begin;
  c.at = chunk.end;
  // Here, and not in look(): after a poll, which may have taken a while.
  c.clock = w->owner.os.now();
  watch_chunk(c, *w);
  return chunk;
}

}  // namespace takt::core
