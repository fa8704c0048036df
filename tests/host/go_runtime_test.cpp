// A Go library in the same process, whose runtime stops its goroutines with SIGURG: both runtimes get their signals,
// also on one thread.
//
// Argument: the library; none where there is no Go to build it.
#include "signals.hpp"

#include <dlfcn.h>

#include <thread>

int main(int argc, char** argv) {
  if (argc != 2) host::skip("there is no Go here");
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  HOST_CHECK(library != nullptr, "%s", dlerror());
  const auto start_endless = reinterpret_cast<void (*)()>(dlsym(library, "StartEndless"));
  const auto wait_for = reinterpret_cast<void (*)(long)>(dlsym(library, "WaitFor"));
  const auto collect = reinterpret_cast<void (*)()>(dlsym(library, "Collect"));
  const auto release = reinterpret_cast<void (*)()>(dlsym(library, "Release"));
  HOST_CHECK(start_endless != nullptr && wait_for != nullptr && collect != nullptr && release != nullptr);
  start_endless();
  std::atomic<bool> done{false};
  std::thread calls([&] {
    for (long round = 1; round <= 20; ++round) {
      HOST_CHECK(host::a_leaf_is_reached());
      host::let_a_beat_pass();
      // Only a signal of takt's hands the right branch over, which only a signal of Go's lets stop the left one.
      takt::fork_join(
          [&] {
            takt::fork_join([&] { wait_for(round); },
                            [&] {
                              collect();
                              release();
                            });
          },
          [] {});
    }
    done.store(true);
  });
  HOST_CHECK(host::wait_until([&] { return done.load(); }), "Go, or takt, has lost a signal");
  calls.join();
}
