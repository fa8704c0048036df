# A scheduler that promotes the newest latent frame. The frames below it stay latent, so a slot below `split` need not be
# promoted: a set tells which are.
include("${PROJECT_SOURCE_DIR}/tests/support/plant.cmake")

takt_plant(bounds src/promotion/promote.cpp
[[namespace takt::core {

namespace {
]]
[[#include <set>

namespace takt::core {

std::set<const abi::slot*> promoted_slots;

namespace {
]])
takt_plant(bounds src/promotion/promote.cpp
[[  for (;; ++s) {
]]
[[  for (s = head; s > f.frames.base;) {
    --s;
    if (promoted_slots.count(s) != 0) continue;
]])
takt_plant(bounds src/promotion/promote.cpp
[[      task = promote_loop(w, s, frame, start, ticks);
      takt_hot.split = s + 1;
]]
[[      task = promote_loop(w, s, frame, start, ticks);
      if (takt_hot.split <= s) takt_hot.split = s + 1;
      promoted_slots.insert(s);
]])
takt_plant(bounds src/promotion/promote.cpp
[[      own_join(s)->begin(1, start, scope_of(f, s));
      takt_hot.split = s + 1;
]]
[[      own_join(s)->begin(1, start, scope_of(f, s));
      if (takt_hot.split <= s) takt_hot.split = s + 1;
      promoted_slots.insert(s);
]])
takt_plant(bounds src/promotion/promote.cpp
[[  takt_hot.split = s;
  return false;
]]
[[  return false;
]])

takt_plant(bounds src/join/join.cpp
[[namespace takt::core {

namespace {
]]
[[#include <set>

namespace takt::core {

extern std::set<const abi::slot*> promoted_slots;

namespace {
]])
takt_plant(bounds src/join/join.cpp
[[bool takt_join(takt::abi::slot* s) {
  const runtime_scope scope;
]]
[[bool takt_join(takt::abi::slot* s) {
  const runtime_scope scope;
  if (promoted_slots.erase(s) == 0) {
    set_latent_stack(s, s);
    return true;
  }
]])
takt_plant(bounds src/join/join.cpp
[[  // The halves are in the frame: nothing needs the slot any more.
]]
[[  promoted_slots.erase(popped);
]])
