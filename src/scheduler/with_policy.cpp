// takt::with_policy, as it enters the library.
#include "promotion/beat.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "settings/values.hpp"
#include "worker/runtime.hpp"

namespace takt::core {

namespace {

// Its end may be on another thread than its beginning, but is on the same fiber.
class under_policy {
 public:
  under_policy(worker& w, takt::policy name) noexcept {
    const runtime_scope inside;
    // Without memory for it there is the one that is there.
    policy* const wanted = w.owner.policy->named(name);
    changes_ = wanted != nullptr && scope_.begin(w, *wanted);
    if (changes_) look(w);
  }
  ~under_policy() {
    if (!changes_) return;
    const runtime_scope inside;
    worker& w = *this_worker();
    scope_.end(w);
    look(w);
  }
  under_policy(const under_policy&) = delete;
  under_policy& operator=(const under_policy&) = delete;

 private:
  // What begins next is another policy's to hear of: nothing of it runs free for what was known before.
  static void look(worker& w) noexcept {
    end_free_loops(w);
    begin_hints(*w.scheduler.current());
    poll_at_next(w);
  }

  policy_scope scope_;
  bool changes_;
};

}  // namespace

}  // namespace takt::core

using namespace takt::core;

extern "C" bool takt_has_policy(std::int32_t name) noexcept {
  const auto wanted = static_cast<takt::policy>(name);
  return wanted == takt::policy::automatic || takt::settings::has(takt::settings::k_policies, wanted);
}

extern "C" bool takt_with_policy(std::int32_t name, void (*run)(void*), void* argument) {
  worker* const w = this_worker();
  if (w == nullptr) return false;
  const under_policy here(*w, static_cast<takt::policy>(name));
  run(argument);
  return true;
}
