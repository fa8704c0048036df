#include "lab/policy/random_kept.hpp"

#include "lab/policy/kept_tasks.hpp"
#include "policy/random_stealing.hpp"

namespace takt::core {

namespace {

template <class Tasks>
class random_kept final : public random_stealing<Tasks> {
 public:
  using random_stealing<Tasks>::random_stealing;

  bool answers_thieves() const noexcept override { return true; }
  void serve(worker& w, bool in_signal_handler) noexcept override {
    // In a child of fork(2) there is nobody who could have asked.
    if (!w.seat.is_held() || w.owner.orphaned) return;
    Tasks& mine = this->tasks_of(w);
    // What has moved up to where thieves see it may be what a sleeper waits for.
    if (mine.serve(&entry::is_for)) w.owner.announce_task(entry::scope(mine.peek()), in_signal_handler);
  }
};

}  // namespace

std::unique_ptr<policy> make_random_private(runtime& r) { return std::make_unique<random_kept<private_tasks>>(r); }
std::unique_ptr<policy> make_random_mixed(runtime& r) { return std::make_unique<random_kept<mixed_tasks>>(r); }

}  // namespace takt::core
