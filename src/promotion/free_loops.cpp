// Which loops run free is granted, and taken back, here. See src/loop/README.md; how many, and for how long, is in
// src/cost/grants.hpp.
#include "promotion/beat.hpp"
#include "cost/site_cost.hpp"

namespace takt::core {

void grant_free_loops(worker& w, abi::site& where, std::uint64_t below) noexcept {
  if (below < 2 || cost::free_below(where) >= below || !reaches_free_code(w)) return;
  // Code that may be stopped polls: a signal comes late to who is not silent, or not at all.
  if (w.scheduler.current()->stop.innermost != nullptr) return;
  if (cost::free_below(where) != 0) {
    // Another worker's grant is its own affair.
    cost::grants::grant* const mine = w.beat.granted.of(where);
    if (mine == nullptr) return;
    mine->below = below;
  } else {
    if (w.beat.granted.full()) return;
    // Code that may be unloaded unnoticed is charged: the grant could not be taken back.
    const void* const loaded_as = w.owner.program.loaded_as(&where);
    if (loaded_as == nullptr) return;
    w.beat.granted.add({&where, loaded_as, below}, w.beat.last_poll, w.owner.poll_ticks);
  }
  cost::set_free_below(where, below);
}

void end_free_loops(worker& w) noexcept {
  if (!w.beat.granted.any()) return;
  // The next ones of each kind are timed, so that what is still short is soon free again.
  w.loop.short_count = cost::k_timed_share - 1;
  w.loop.nested_count = cost::k_timed_share - 1;
  while (w.beat.granted.any()) {
    const cost::grants::grant& given = w.beat.granted.take();
    // A library that has been unloaded since took its sites with it. Another one may lie there now: what is not as the
    // grant has left it is not touched.
    if (w.owner.program.loaded_as(given.where) != given.loaded_as) continue;
    if (cost::free_below(*given.where) == given.below) cost::set_free_below(*given.where, 0);
  }
}

}  // namespace takt::core
