// The runtime's side: what a signal handler sees, and the handler itself.
#include "steps.hpp"

#include "promotion/beat.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <iterator>

namespace takt_steps {

namespace {

using namespace takt::core;
using takt::abi::slot;

// The latent stack of the calls around the piece.
slot* around = nullptr;

long distance(const slot* s) { return static_cast<long>(s - around); }

void tell_slot(story& to, const slot* s) {
  if (s->run != &takt_loop_mark) {
    to << " fork";
    return;
  }
  const auto& frame = **reinterpret_cast<takt::abi::loop_frame* const*>(s->payload);
  to << " loop(" << static_cast<long>(frame.next) << " to " << static_cast<long>(frame.end) << ", "
     << static_cast<long>(frame.halves) << " halves)";
}

}  // namespace

void begin_piece() noexcept {
  worker& w = *this_worker();
  around = takt_hot.head;
  end_free_loops(w);
  w.beat.band_rest = 0;
  w.beat.kept = false;
  w.beat.last_promotion = w.beat.last_poll = w.owner.clock.now();
  w.beat.refill = 200 * takt::abi::k_fork_units;
  w.beat.refilled = false;
  w.loop.claims = {};
  takt_hot.credit = w.beat.credit_noted = w.beat.refill;
  takt_hot.free_top = 0;
  takt_hot.split = around;
}

bool may_see() noexcept { return takt_hot.busy == 0; }

void tell_state(story& to) noexcept {
  tell_heads(to);
  to << (takt_hot.credit > 0 ? " credit" : " no credit") << (takt_hot.free_top != 0 ? " band" : "");
  for (const slot* s = takt_hot.split; s < takt_hot.head; ++s) tell_slot(to, s);
}

void tell_heads(story& to) noexcept {
  to << "(" << distance(takt_hot.head) << "," << distance(takt_hot.split) << ")";
}

void deliver() noexcept {
  this_worker()->beat.last_promotion = 0;
  on_interrupt(takt::platform::floating_point_environment());
}

}  // namespace takt_steps
