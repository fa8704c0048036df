// What is said of the frames of a fiber: see README.md, "Hints".
#include "promotion/hints.hpp"

#include "cost/numbers.hpp"
#include "worker/invariant.hpp"
#include "policy/policies.hpp"
#include "promotion/promote.hpp"

#include <limits>

namespace takt::core {

namespace {

using abi::hint_state;
using abi::hints;

[[gnu::noinline]] std::uint64_t wanted_here() noexcept {
  __asm__ volatile("" ::: "memory");
  return takt_hot.wants_hints;
}
[[gnu::noinline]] void set_wanted_here(std::uint64_t what) noexcept {
  __asm__ volatile("" ::: "memory");
  takt_hot.wants_hints = what;
}

// Outside of calls: what has been said last, and waits; or null.
hints* waiting_outside() noexcept {
  const std::uint64_t word = wanted_here();
  return word > abi::k_ask_for_hints ? reinterpret_cast<hints*>(word) : nullptr;
}

void link(fiber& f, hints& said, abi::slot* frame) noexcept {
  said.state = hint_state::waiting;
  said.frame = frame;
  said.inner = nullptr;
  said.outer = f.promotion.said;
  if (f.promotion.said != nullptr) f.promotion.said->inner = &said;
  f.promotion.said = &said;
  if (f.promotion.oldest_said == nullptr) f.promotion.oldest_said = &said;
}

void unlink(fiber& f, hints& said) noexcept {
  TAKT_ASSERT(f.promotion.said == &said);
  said.state = hint_state::silent;
  f.promotion.said = said.outer;
  if (f.promotion.said != nullptr) f.promotion.said->inner = nullptr;
  if (f.promotion.oldest_said == &said) f.promotion.oldest_said = nullptr;
}

// The weights of the two branches of this fork, which is one of those that a fork_join of many is made of; and its
// share of what is said of the whole.
void weigh(hints& said) noexcept {
  const std::uint64_t n = said.branches;
  double sum = 0;
  for (std::uint64_t i = 0; said.given != nullptr && i < n; ++i) {
    sum += said.given[i];
    if (sound_work(said.given[i]) < 0) said.given = nullptr;
  }
  // Not one number of it is believed if they are not all weights.
  if (said.given == nullptr || sound_work(sum) <= 0) {
    said.given = nullptr;
    sum = static_cast<double>(n);
  }
  const auto weight = [&said](std::uint64_t i) { return said.given != nullptr ? said.given[i] : 1.0; };
  double right = 0;
  for (std::uint64_t i = said.branch + 1; i < n; ++i) right += weight(i);
  said.weights[0] = weight(said.branch);
  said.weights[1] = right;
  const double here = said.weights[0] + right;
  if (said.branch != 0) {
    const double share = here / sum;
    if (said.work >= 0) said.work *= share;
    said.bytes = static_cast<std::uint64_t>(static_cast<double>(said.bytes) * share);
  }
  // Branches that are nothing beside the others are alike.
  if (here <= 0) said.weights[0] = said.weights[1] = 1;
}

}  // namespace

double sound_work(double said) noexcept {
  return said >= 0 && said <= std::numeric_limits<double>::max() ? said : -1;
}

void begin_hints(const fiber& f) noexcept {
  set_wanted_here(f.policy.in_force().wants_hints() ? abi::k_ask_for_hints : 0);
}

void bring_hints(fiber& f) noexcept {
  hints* const said = waiting_outside();
  if (said == nullptr || said->state != hint_state::waiting) return;
  said->state = hint_state::silent;
  if (f.policy.in_force().wants_hints()) link(f, *said, f.frames.bottom());
}

void end_hints() noexcept {
  if (hints* const said = waiting_outside(); said != nullptr) said->state = hint_state::silent;
  set_wanted_here(abi::k_ask_for_hints);
}

void tell_hints(worker& w) noexcept {
  hints* const said = w.scheduler.current()->promotion.said;
  if (said == nullptr || said->state != hint_state::waiting || said->frame != takt_hot.head - 1) return;
  said->state = hint_state::told;
  if (!w.owner.policy->hinted(w, said->frame, *said) || !w.owner.rule.promotes()) return;
  while (takt_hot.split <= said->frame && promote_oldest(w)) {
  }
}

void retire_hints(fiber& f, const abi::slot* popped) noexcept {
  if (f.promotion.said != nullptr && f.promotion.said->frame == popped) unlink(f, *f.promotion.said);
}

const hints* hints_of(fiber& f, const abi::slot* s) noexcept {
  while (f.promotion.oldest_said != nullptr && f.promotion.oldest_said->frame < s) {
    f.promotion.oldest_said = f.promotion.oldest_said->inner;
  }
  const hints* const said = f.promotion.oldest_said;
  return said != nullptr && said->frame == s && said->state == hint_state::told ? said : nullptr;
}

}  // namespace takt::core

using namespace takt::core;
using takt::abi::hint_state;

extern "C" {

void takt_hints_begin(takt::abi::hints* said) noexcept {
  said->state = hint_state::silent;
  said->frame = nullptr;
  said->work = sound_work(said->work);
  if (said->branches != 0) weigh(*said);
  worker* const w = this_worker();
  if (w == nullptr) {
    said->state = hint_state::waiting;
    set_wanted_here(reinterpret_cast<std::uintptr_t>(said));
    return;
  }
  const runtime_scope scope;
  fiber& f = *w->scheduler.current();
  const std::uintptr_t here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  // In the band, and right below it, all is short; and with a full latent stack nothing is pushed.
  if (free_top() - here < takt::cost::k_near || !f.frames.has_room(takt_hot.head)) return;
  link(f, *said, takt_hot.head);
  if (said->branches != 0) return;
  // A loop that nests comes by the runtime only if the credit is used up, and may be free from where it stands. What is
  // taken is not counted as spent.
  store_free_top(0);
  w->beat.credit_noted -= credit_of(*w);
  show_credit(-w->beat.watch);
  w->beat.refilled = false;
}

void takt_hints_pushed(takt::abi::hints* said) noexcept {
  worker* const w = this_worker();
  if (w == nullptr) {
    end_hints();
    return;
  }
  const runtime_scope scope;
  if (takt_hot.head - 1 == said->frame) {
    tell_hints(*w);
  } else {
    unlink(*w->scheduler.current(), *said);
  }
}

void takt_hints_end(takt::abi::hints* said) noexcept {
  worker* const w = this_worker();
  if (w == nullptr) {
    end_hints();
  } else if (said->state != hint_state::silent) {
    const runtime_scope scope;
    unlink(*w->scheduler.current(), *said);
  }
}
}
