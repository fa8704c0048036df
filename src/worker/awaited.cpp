// What a thread waits for that cannot go to other work. See README.md, "What a waiter may run".
#include "worker/runtime.hpp"

namespace takt::core {

namespace {

bool is_root_of(const worker& w, const fiber& f) noexcept {
  return f.counts_in == nullptr && static_cast<const root_call*>(f.argument)->adopter == &w;
}

/// From `f` up: `ends(fiber)` for each that cannot go on before `f`, until it says true. @returns whether it has.
template <class Ends>
bool climb(const fiber* f, Ends ends) noexcept {
  for (; f != nullptr; f = f->counts_in != nullptr ? f->counts_in->awaited_by() : nullptr) {
    if (ends(*f)) return true;
    // Several children of one group lie on top of each other.
    const join_word* last = nullptr;
    for (const running_child* c = f->on_top; c != nullptr; c = c->below) {
      if (c->join != last && climb(c->join->awaited_by(), ends)) return true;
      last = c->join;
    }
  }
  return false;
}

}  // namespace

bool is_awaited(const worker& w, const fiber& f) noexcept {
  return climb(&f, [&w](const fiber& at) { return w.holds != nullptr ? &at == w.holds : is_root_of(w, at); });
}

bool is_awaited(const worker& w, const join_word& join) noexcept {
  const fiber* const f = join.awaited_by();
  return f != nullptr && is_awaited(w, *f);
}

bool is_awaited_by_held(const fiber& f) noexcept {
  return climb(&f, [&f](const fiber& at) { return &at != &f && at.held_by != nullptr; });
}

}  // namespace takt::core
