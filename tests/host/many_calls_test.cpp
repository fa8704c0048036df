// A thread waits in its call while another one makes more calls than a deque entry has numbers for. The waiting thread
// runs nothing of them.
#include "host.hpp"

#include <thread>

int main() {
  takt::config settings;
  settings.workers = 4;
  takt::configure(settings);
  std::atomic<bool> taken{false};
  std::atomic<bool> over{false};
  std::thread waiting([&] {
    takt::fork_join([&] { HOST_CHECK(host::wait_until([&] { return taken.load(); })); },
                    // On another worker's stack: from here on the thread waits for its end.
                    [&] {
                      taken = true;
                      host::wait_until([&] { return over.load(); });
                    });
  });
  HOST_CHECK(host::wait_until([&] { return taken.load(); }));
  const std::thread::id waiter = waiting.get_id();
  int strange = 0;
  for (int round = 0; round < 20; ++round) {
    // Round after round the numbers of 16 bits come to the waiting call's.
    for (int call = 0; call < 65'534; ++call) takt::fork_join([] {}, [] {});
    std::atomic<bool> ran{false};
    std::thread::id by;
    // In vain where nobody takes the other branch. Then there is nothing to see here, in no further round either.
    takt::fork_join([&] { HOST_CHECK(host::wait_until([&] { return ran.load(); })); },
                    [&] {
                      by = std::this_thread::get_id();
                      ran = true;
                    });
    strange += by == waiter ? 1 : 0;
  }
  over = true;
  waiting.join();
  HOST_CHECK(strange == 0, "in %d rounds", strange);
}
