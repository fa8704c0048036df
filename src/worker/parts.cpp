// Places in parts of a call that so many workers may run. See src/scheduler/README.md, "Parts".
#include "worker/runtime.hpp"

#include <utility>

namespace takt::core {

// A place inside counts around, too.
std::uint32_t runtime::begin_part(worker& w, std::uint32_t around, std::uint32_t limit) noexcept {
  const std::uint32_t part = scopes.begin_part(around, limit);
  if (part == 0) return 0;
  if (w.seat.place != 0) scopes.release(w.seat.place);
  w.seat.place = part;
  return part;
}

void runtime::end_part(worker& w, std::uint32_t part, std::uint32_t around) noexcept {
  w.seat.place = scopes.is_limited(around) ? around : 0;
  if (w.seat.place != 0) scopes.hold(around);
  scopes.end_part(part);
  // Children of groups may be left.
  wake_for_place(scope_table::call_of(around));
}

bool runtime::take_place(worker& w, std::uint32_t scope) noexcept {
  if (w.seat.place == scope) return true;
  leave_place(w);
  if (!scopes.is_limited(scope)) return true;
  if (!scopes.enter(scope)) {
    // It may have had one for a moment, further inside, which others have not found meanwhile.
    wake_for_place(scope_table::call_of(scope));
    return false;
  }
  w.seat.place = scope;
  return true;
}

void runtime::take_place_anyway(worker& w, std::uint32_t scope) noexcept {
  if (w.seat.place == scope) return;
  leave_place(w);
  if (!scopes.is_limited(scope)) return;
  scopes.enter_anyway(scope);
  w.seat.place = scope;
}

void runtime::leave_place(worker& w) noexcept {
  if (w.seat.place == 0) return;
  const std::uint32_t call = scope_table::call_of(w.seat.place);
  scopes.leave(std::exchange(w.seat.place, 0));
  wake_for_place(call);
}

// What was brought when all places were taken lies with what is handed to everybody.
void runtime::wake_for_place(std::uint32_t call) noexcept {
  if (anything_injected()) announce_injected(call);
}

}  // namespace takt::core
