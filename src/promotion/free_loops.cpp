// Which loops run free is granted, and taken back, here. See src/loop/README.md; how many, and for how long, is in
// src/cost/grants.hpp.
#include "promotion/beat.hpp"
#include "cost/site_cost.hpp"
#include "stop/stop.hpp"

namespace takt::core {

void grant_free_loops(worker& w, abi::site& where, std::uint64_t below) noexcept {
  if (below < 2 || cost::free_below(where) >= below || !reaches_free_code(w)) return;
  // Inner searches are loops.
  if (must_poll(*w.scheduler.current(), abi::stop_reach::searches)) return;
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
  w.loop.time_next();
  while (w.beat.granted.any()) {
    const cost::grants::grant& given = w.beat.granted.take();
    // A library that has been unloaded since took its sites with it. Another one may lie there now: what is not as the
    // grant has left it is not touched.
    if (w.owner.program.loaded_as(given.where) != given.loaded_as) continue;
    if (cost::free_below(*given.where) == given.below) cost::set_free_below(*given.where, 0);
  }
}

}  // namespace takt::core

using namespace takt::core;

// What was granted before must not let the scope's code run free. A search asks nothing of forks, nor of the loops that
// are there: it may begin often, and what runs free in it is over soon.
extern "C" bool takt_stop_begin(takt::abi::stop_scope* scope) noexcept {
  worker* const w = this_worker();
  if (w == nullptr || w->scheduler.current() == nullptr) return false;
  const runtime_scope here;
  begin_scope(*w->scheduler.current(), *scope);
  if (must_poll(*w->scheduler.current(), takt::abi::stop_reach::all)) {
    end_free_loops(*w);
    store_free_top(0);
  }
  return true;
}
