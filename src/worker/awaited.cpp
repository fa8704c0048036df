// What a thread waits for that cannot go to other work. See README.md, "What a waiter may run".
#include "worker/runtime.hpp"

namespace takt::core {

namespace {

bool is_root_of(const worker& w, const fiber& f) noexcept {
  return f.run.call() != nullptr && f.run.call()->adopter == &w;
}

/// The one that cannot go on before `f`, by the join that its task counts in; null: there is none yet.
const fiber* above(const fiber& f) noexcept {
  return f.join.parent() != nullptr ? f.join.parent()->awaited_by() : nullptr;
}

}  // namespace

bool is_awaited(const worker& w, const fiber& f) noexcept {
  for (const fiber* at = &f; at != nullptr; at = above(*at)) {
    if (w.scheduler.is_held() ? at == w.scheduler.held() : is_root_of(w, *at)) return true;
  }
  return false;
}

bool is_awaited(const worker& w, const join_word& join) noexcept {
  const fiber* const f = join.awaited_by();
  return f != nullptr && is_awaited(w, *f);
}

bool is_awaited_by_held(const fiber& f) noexcept {
  const fiber* at = above(f);
  while (at != nullptr && !at->join.is_held()) at = above(*at);
  return at != nullptr;
}

}  // namespace takt::core
