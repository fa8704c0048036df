// Scopes that can be stopped. See README.md beside this file.
#include "stop/stop.hpp"

#include "worker/runtime.hpp"

#include <algorithm>
#include <utility>

namespace takt::core {

namespace {

// How often anything has been stopped in this process.
sync::atomic<std::uint64_t> told{0};

bool is_beyond(const abi::stop_scope& scope) noexcept {
  const std::uint64_t limit = scope.limit != nullptr ? __atomic_load_n(scope.limit, __ATOMIC_RELAXED) : 0;
  return limit < __atomic_load_n(&scope.position, __ATOMIC_RELAXED);
}

abi::stop_scope* outer_of(const abi::stop_scope& scope) noexcept {
  // EDGE stop.outer
  return __atomic_load_n(&scope.outer, __ATOMIC_ACQUIRE);
}

// The signal handler may look at any moment: a scope is whole before it is there.
void begin_on(fiber& f, abi::stop_scope& scope) noexcept {
  scope.before = f.stop.innermost;
  scope.first = takt_hot.head;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  f.stop.innermost = &scope;
  // It may have been stopped before it began.
  if (is_beyond(scope)) f.stop.seen = fiber_stop::k_never;
}

void end_on(fiber& f, const abi::stop_scope& scope) noexcept {
  f.stop.innermost = scope.before;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

}  // namespace

abi::stop_reach stop_in_scope(fiber& f) noexcept {
  auto most = abi::stop_reach::nothing;
  // EDGE stop.told
  const std::uint64_t now = told.load(sync::acquire);
  if (now == f.stop.seen) return most;
  for (const abi::stop_scope* scope = f.stop.innermost; scope != nullptr; scope = outer_of(*scope)) {
    if (is_beyond(*scope)) most = std::max(most, scope->reach);
  }
  if (most == abi::stop_reach::nothing) f.stop.seen = now;
  return most;
}

bool must_poll(const fiber& f, abi::stop_reach reach) noexcept {
  const abi::stop_scope* scope = f.stop.innermost;
  while (scope != nullptr && (scope->of_group || scope->is_shield || scope->reach < reach)) scope = outer_of(*scope);
  return scope != nullptr;
}

void begin_scope(fiber& f, abi::stop_scope& scope) noexcept {
  scope.outer = scope.is_shield ? nullptr : f.stop.innermost;
  begin_on(f, scope);
}

void end_scope(fiber& f) noexcept { end_on(f, *f.stop.innermost); }

abi::stop_scope* taskgroup_around(const fiber& f) noexcept {
  abi::stop_scope* scope = f.stop.innermost;
  while (scope != nullptr && !scope->of_tasks) scope = outer_of(*scope);
  return scope;
}

void tell_stop() noexcept {
  // EDGE stop.told: who sees this number sees the scope that was changed before.
  told.fetch_add(1, sync::acq_rel);
}

bool stop_by_itself(abi::stop_scope& scope) noexcept {
  if (__atomic_exchange_n(&scope.position, 1, __ATOMIC_RELAXED) != 0) return false;
  tell_stop();
  return true;
}
bool is_stopped_by_itself(const abi::stop_scope& scope) noexcept {
  return __atomic_load_n(&scope.position, __ATOMIC_RELAXED) != 0;
}
void go_on_again(abi::stop_scope& scope) noexcept { __atomic_store_n(&scope.position, 0, __ATOMIC_RELAXED); }

void set_outer(abi::stop_scope& scope, abi::stop_scope* outer) noexcept {
  // EDGE stop.outer: what is around is whole before it is seen.
  __atomic_store_n(&scope.outer, outer, __ATOMIC_RELEASE);
}

stopped_by::stopped_by(fiber& here, abi::stop_scope& outer) noexcept
    : here_(here), is_inside_(outer_of(outer) == here.stop.innermost) {
  scope_.outer = &outer;
  scope_.of_group = true;
  begin_on(here, scope_);
  if (is_beyond(outer)) here.stop.seen = fiber_stop::k_never;
  forget();
}
stopped_by::~stopped_by() {
  end_on(here_, scope_);
  forget();
}

}  // namespace takt::core

using namespace takt::core;

extern "C" {

void takt_stop_end(takt::abi::stop_scope* scope) noexcept {
  fiber& f = *this_fiber();
  end_on(f, *scope);
  // What is around it may have been stopped meanwhile.
  if (scope->is_shield) f.stop.seen = fiber_stop::k_never;
}

takt::abi::stop_reach takt_stop_asked(bool anew) noexcept {
  fiber* const f = this_fiber();
  if (anew && f != nullptr) f->stop.seen = fiber_stop::k_never;
  return f != nullptr ? stop_of(*f) : takt::abi::stop_reach::nothing;
}

void takt_stop_told() noexcept { tell_stop(); }

void takt_stop_failed(takt::abi::group_error error) noexcept {
  const fiber* const f = this_fiber();
  takt::abi::stop_scope* scope = f != nullptr ? f->stop.innermost : nullptr;
  // What a predicate throws counts when the search has decided so.
  while (scope != nullptr && !scope->on_exception) {
    scope = scope->reach == takt::abi::stop_reach::searches ? nullptr : outer_of(*scope);
  }
  // Of several the first one is kept; it is looked at when all are over.
  auto* const failing = static_cast<takt::abi::failing_scope*>(scope);
  if (failing != nullptr && !is_stopped_by_itself(*failing) &&
      !__atomic_exchange_n(&failing->has_failed, true, __ATOMIC_RELAXED)) {
    failing->error = error;
    stop_by_itself(*failing);
  } else {
    error.end(error.object, false);
  }
}
}
