// Loops whose iterations are claimed from a pool. See README.md.
#include "loop/pool.hpp"

#include "promotion/beat.hpp"
#include "cost/chunks.hpp"
#include "loop/loop.hpp"
#include "promotion/hints.hpp"
#include "promotion/promote.hpp"

#include <takt/detail/loop.hpp>

#include <algorithm>

namespace takt::core {

namespace {

// The iterations of a frame of a pool are two invitations, behind the one that is claimed when a loop is pushed.
constexpr std::uint64_t k_invitations_begin = 1;

std::uint64_t left_in(const iteration_pool& pool) noexcept {
  const std::uint64_t next = pool.next.load(sync::relaxed);
  return next < pool.end ? pool.end - next : 0;
}

// What is left takes, as far as that is known.
std::uint64_t ticks_left(const iteration_pool& pool, const abi::site& where) noexcept {
  return cost::is_known(where) ? cost::estimate_ticks(left_in(pool), cost::cost_of(where)) : k_unknown_ticks;
}

bool has_place(const iteration_pool& pool) noexcept { return pool.taken.load(sync::relaxed) < pool.most; }

// Shows the frame's invitations to promotion, or hides them, if they have not been handed out. In a runtime scope, and
// with nothing pushed above the frame: promotion may have passed over it while it had nothing to give.
void show_invitations(abi::loop_cursor& c, bool any) noexcept {
  if (c.frame.halves != 0) return;
  *const_cast<volatile std::uint64_t*>(&c.frame.next) = any ? k_invitations_begin : c.frame.end;
  if (any && takt_hot.split > c.pushed) takt_hot.split = c.pushed;
}

// @returns the most iterations that the next chunk is to have.
std::uint64_t end_chunk(worker& w, iteration_pool& pool, abi::loop_cursor& c) noexcept {
  const auto [ran, ticks, now, nested] = time_chunk(w, c);
  const std::uint64_t target = w.owner.poll_ticks;
  if (!nested) {
    const std::uint64_t ran_in_all = pool.ran.fetch_add(ran, sync::relaxed) + ran;
    const std::uint64_t ticks_in_all = pool.ticks.fetch_add(ticks, sync::relaxed) + ticks;
    const std::uint32_t unit = cost::cost_of(*c.where);
    // Cheap ones may come first. Whatever comes first, in the end it is known what they all took.
    const bool is_over = left_in(pool) == 0;
    if (unit == abi::k_unknown_cost || is_over || ticks_in_all > cost::estimate_ticks(ran_in_all, unit)) {
      cost::learn_cost(*c.where, ticks_in_all, ran_in_all, 0);
    }
  }
  // A short loop in the middle of other code is nobody's reason to poll.
  if (now - w.reach.looked_at() >= target) poll_at(w, now);
  return cost::next_chunk(ran, nested ? now - c.clock : ticks, target);
}

// @returns how many iterations the next chunk is to have. The first has one: those before say little of these, which
// may be dear ones.
std::uint64_t look(worker& w, iteration_pool& pool, abi::loop_cursor& c) noexcept {
  const std::uint64_t most = c.at == c.timed ? 1 : end_chunk(w, pool, c);
  if (c.pushed == nullptr || !w.owner.rule.promotes()) return ~0ull;
  const std::uint64_t ticks = ticks_left(pool, *c.where);
  const bool is_worth_it = has_place(pool) && ticks > pool.entry_ticks && w.owner.worker_count() > 1;
  show_invitations(c, is_worth_it);
  if (ticks != k_unknown_ticks && is_worth_it) spread(w, {&c.frame, ticks});
  // Nobody else is in, or is to be.
  if (!is_worth_it && pool.ran.load(sync::relaxed) == pool.next.load(sync::relaxed)) return most;
  // All together have half of what is left, so that they end together.
  return std::min(most, left_in(pool) / (2 * w.owner.worker_count()));
}

abi::loop_chunk claim(iteration_pool& pool, std::uint64_t wanted) noexcept {
  std::uint64_t begin = pool.next.load(sync::relaxed);
  std::uint64_t end = begin;
  do {
    if (begin >= pool.end) return {begin, begin};
    if (is_dealt_by_number(pool)) wanted = 1;
    end = begin + cost::cut_chunk(begin, wanted, pool.end - begin);
    // Counted from the first iteration, as everybody does; a chunk longer than the loop ends with it.
    if (pool.together > 1) end += std::min(pool.end - end, (pool.together - end % pool.together) % pool.together);
  } while (!pool.next.compare_exchange_strong(begin, end, sync::relaxed, sync::relaxed));
  return {begin, end};
}

}  // namespace

bool is_worth_entering(const iteration_pool& pool, const abi::site& where) noexcept {
  return has_place(pool) && left_in(pool) != 0 && ticks_left(pool, where) > pool.entry_ticks;
}

bool take_place(iteration_pool& pool, std::uint32_t& number) noexcept {
  number = pool.taken.load(sync::relaxed);
  while (number < pool.most) {
    if (pool.taken.compare_exchange_strong(number, number + 1, sync::relaxed, sync::relaxed)) return true;
  }
  return false;
}

void enter_pool(abi::loop_cursor& c, abi::run_function run_invited, const iteration_pool& pool) noexcept {
  takt::detail::push_loop(c, run_invited, nullptr, k_invitations_begin - 1, k_invitations_begin + 2, 2);
  worker& w = *this_worker();
  const runtime_scope scope;
  if (w.beat.is_watched()) note_environment_of(c.pushed);
  tell_hints(w);
  show_invitations(c, is_worth_entering(pool, *c.where));
  if (!promote_at_begin(w, c.frame, ticks_left(pool, *c.where))) w.scheduler.current()->run.set_parted(false);
}

abi::loop_chunk claim_from(iteration_pool& pool, abi::loop_cursor& c) noexcept {
  worker* const w = this_worker();
  if (w == nullptr) {
    // In serial code, where a loop is short: its time tells whether the next one is.
    if (c.at != c.timed) takt_loop_timed(c.where, c.at - c.timed, takt_clock() - c.clock);
    const abi::loop_chunk all = claim(pool, ~0ull);
    c.timed = all.begin;
    c.at = all.end;
    c.clock = takt_clock();
    return all;
  }
  const runtime_scope scope;
  const abi::loop_chunk chunk = claim(pool, look(*w, pool, c));
  if (chunk.begin == chunk.end && c.pushed != nullptr) show_invitations(c, false);
  c.timed = chunk.begin;
  c.at = chunk.end;
  // Here, and not in look(): after a poll, which may have taken a while.
  c.clock = w->owner.clock.now();
  watch_chunk(c, *w);
  return chunk;
}

}  // namespace takt::core
