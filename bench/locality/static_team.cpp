#include "locality/static_team.hpp"

#include <deque>

#include <takt/takt.hpp>

#include "platform/platform.hpp"

namespace takt::bench {
namespace {

class team {
 public:
  static team& all() {
    // Its threads wait for loops until the process ends.
    static team* const made = new team;
    return *made;
  }

  void run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& range) {
    count_ = count;
    range_ = &range;
    left_ = threads_;
    ++loops_;
    run_part(0);
    for (unsigned round = 0; left_ != 0; ++round) {
      on_->relax(round);
    }
  }

 private:
  struct member {
    team* of;
    unsigned number;
  };

  team() {
    // The first call of takt makes the simulated machine.
    takt::fork_join([] {}, [] {});
    on_ = &platform::current();
    threads_ = on_->usable_cpus();
    for (unsigned t = 1; t < threads_; ++t) {
      on_->start_thread(&team::wait_for_loops, &members_.emplace_back(member{this, t}), false);
    }
  }

  static void wait_for_loops(void* self) {
    const member& m = *static_cast<member*>(self);
    for (unsigned loop = 1;; ++loop) {
      for (unsigned round = 0; m.of->loops_ != loop; ++round) {
        m.of->on_->relax(round);
      }
      m.of->run_part(m.number);
    }
  }

  void run_part(unsigned thread) {
    on_->note(platform::action::steal, on_->this_thread() + 1);
    const std::size_t begin = count_ * thread / threads_;
    const std::size_t end = count_ * (thread + 1) / threads_;
    if (begin < end) (*range_)(begin, end);
    // Who is behind comes first: the end is told in time.
    (void)on_->now();
    --left_;
  }

  platform::platform* on_ = nullptr;
  unsigned threads_ = 1;
  std::deque<member> members_;
  // The loop under way. Virtual threads take turns, so that nothing here is atomic.
  unsigned loops_ = 0;
  unsigned left_ = 0;
  std::size_t count_ = 0;
  const std::function<void(std::size_t, std::size_t)>* range_ = nullptr;
};

}  // namespace

void run_static(std::size_t count, const std::function<void(std::size_t, std::size_t)>& range) {
  team::all().run(count, range);
}

}  // namespace takt::bench
