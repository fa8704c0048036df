#include "promotion/lent.hpp"

#include "policy/policies.hpp"

#include <utility>

namespace takt::core {

namespace {

// Whoever takes children has this lock, and then theirs.
spin_lock lock;
latent_children* newest_lent = nullptr;

void relax_here(unsigned round) noexcept { platform::current().relax(round); }

}  // namespace

void lent_children::add(latent_children& children) noexcept {
  lock.lock(&relax_here);
  children.next_lent = std::exchange(newest_lent, &children);
  lock.unlock();
}

void lent_children::remove(latent_children& children) noexcept {
  for (unsigned round = 0;; ++round) {
    lock.lock(&relax_here);
    latent_children** link = &newest_lent;
    while (*link != nullptr && *link != &children) link = &(*link)->next_lent;
    const bool found = *link != nullptr;
    if (found) *link = children.next_lent;
    lock.unlock();
    if (found) return;
    relax_here(round);
  }
}

void lent_children::wake_for_some(runtime& r) noexcept {
  // Of no call: a thread of the pool, as whoever has made a call takes none.
  if (r.rule.promotes()) r.announce_task(0, false);
}

std::uint64_t lent_children::take(worker& w) noexcept {
  if (!any_for(w) || !w.owner.ensure_scope(w)) return entry::k_none;
  abi::slot* task = nullptr;
  const bool half = w.owner.policy->own().halves_groups();
  lock.lock(&relax_here);
  for (latent_children* c = newest_lent; c != nullptr && task == nullptr; c = c->next_lent) {
    abi::hints said{};
    (void)c->take(false, half, task, said);
  }
  lock.unlock();
  if (task == nullptr) return entry::k_none;
  if (any()) wake_for_some(w.owner);
  // A task of nobody's call: of the one that `w` might make.
  w.owner.scopes.hold(w.scheduler.scope());
  w.stats.promotions_groups.add();
  return entry::make(task, w.scheduler.scope());
}

void lent_children::go_on_alone() noexcept {
  (void)lock.go_on_alone();
  with_some.store(0, sync::relaxed);
  while (newest_lent != nullptr) std::exchange(newest_lent, newest_lent->next_lent)->is_lent_no_more();
}

}  // namespace takt::core
