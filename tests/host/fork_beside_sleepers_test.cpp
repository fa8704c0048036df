// fork(2) in a call while tasks of other calls sleep for the budget: their threads are not in the child, so nobody runs
// there what is theirs. What sleeps of the call that goes on does go on.
#include "child.hpp"

#include <takt/lab.hpp>
#include <takt/memory.hpp>

#include <string>

namespace {

constexpr std::size_t k_block = 1 << 20;

std::atomic<int> of_others{0};
std::atomic<bool> over{false};

// So many tasks wait for the budget and have left their stacks: nothing else leaves one here. That is counted right
// before others may run what is left, and the beat is for that: else the child could lack who resumes it.
bool sleep(int tasks) {
  const auto count = [](const std::string& name) {
    const std::string stats = takt::stats_json();
    const std::string field = '"' + name + "\":";
    return std::atoi(stats.c_str() + stats.find(field) + field.size());
  };
  const bool all = host::wait_until([&] { return count("memory_waits") >= tasks && count("suspensions") >= tasks; });
  host::let_a_beat_pass();
  return all;
}

// The right branch sleeps until the left one is over.
template <class Left, class Right>
void call(int sleeping, Left left, Right right) {
  takt::fork_join(
      [&] {
        HOST_CHECK(sleep(sleeping));
        left();
      },
      [&] {
        const takt::memory_scope block(k_block);
        right();
      });
}

void wait_for_the_end() {
  HOST_CHECK(host::wait_until([] { return over.load(); }));
}
void count() { of_others.fetch_add(1); }

}  // namespace

int main() {
  host::skip_under_thread_sanitizer();
  takt::config c = takt::current_config();
  c.trigger = takt::lab::eager;
  c.workers = 8;
  c.memory = 1;
  takt::configure(c);
  // One call that began before the one that forks, and one that begins later.
  std::thread before([] { call(1, &wait_for_the_end, &count); });
  HOST_CHECK(sleep(1));
  std::thread after;
  int status = -1;
  bool in_child = false;
  bool ran = false;
  call(
      2,
      [&] {
        after = std::thread([] { call(3, &wait_for_the_end, &count); });
        HOST_CHECK(sleep(3));
        const pid_t child = fork();
        HOST_CHECK(child >= 0);
        in_child = child == 0;
        if (!in_child) status = host::wait_for(child);
      },
      [&] { ran = true; });
  if (in_child) _exit(ran && of_others.load() == 0 ? 0 : 1);
  over.store(true);
  before.join();
  after.join();
  HOST_CHECK_GOOD(status);
  HOST_CHECK(ran && of_others.load() == 2);
}
