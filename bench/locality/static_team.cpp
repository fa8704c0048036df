#include "locality/static_team.hpp"

#include <algorithm>
#include <deque>
#include <vector>

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
    run_part(0, ++loops_);
  }

 private:
  struct member {
    team* of;
    unsigned number;
  };
  // Which loop a thread has been told to begin, and which one all below it have ended.
  struct progress {
    unsigned begun = 0;
    unsigned ended = 0;
  };
  // As in LLVM's OpenMP runtime: a thread tells four others, which tell it when they have done.
  static constexpr unsigned k_below = 4;

  team() {
    // The first call of takt makes the simulated machine.
    takt::fork_join([] {}, [] {});
    on_ = &platform::current();
    threads_ = on_->usable_cpus();
    all_.resize(threads_);
    for (unsigned t = 1; t < threads_; ++t) {
      on_->start_thread(&team::wait_for_loops, &members_.emplace_back(member{this, t}), false);
    }
  }

  static void wait_for_loops(void* self) {
    const member& m = *static_cast<member*>(self);
    for (unsigned loop = 1;; ++loop) {
      m.of->wait_for(m.of->all_[m.number].begun, loop);
      // Those of one thread fetch what it has written one after the other.
      m.of->on_->note(platform::action::steal, (m.number - 1) / k_below + 1);
      m.of->run_part(m.number, loop);
    }
  }

  void wait_for(const unsigned& what, unsigned loop) {
    for (unsigned round = 0; what != loop; ++round) on_->relax(round);
  }

  void run_part(unsigned thread, unsigned loop) {
    const unsigned first = k_below * thread + 1;
    const unsigned last = std::min(first + k_below, threads_);
    for (unsigned t = first; t < last; ++t) all_[t].begun = loop;
    const std::size_t begin = count_ * thread / threads_;
    const std::size_t end = count_ * (thread + 1) / threads_;
    if (begin < end) (*range_)(begin, end);
    for (unsigned t = first; t < last; ++t) wait_for(all_[t].ended, loop);
    // What they have written comes at once.
    if (first < last) on_->note(platform::action::steal, first + 1);
    // Who is behind comes first: the end is told in time.
    (void)on_->now();
    all_[thread].ended = loop;
  }

  platform::platform* on_ = nullptr;
  unsigned threads_ = 1;
  std::deque<member> members_;
  // The loop under way. Virtual threads take turns, so that nothing here is atomic.
  std::vector<progress> all_;
  unsigned loops_ = 0;
  std::size_t count_ = 0;
  const std::function<void(std::size_t, std::size_t)>* range_ = nullptr;
};

}  // namespace

void run_static(std::size_t count, const std::function<void(std::size_t, std::size_t)>& range) {
  team::all().run(count, range);
}

}  // namespace takt::bench
