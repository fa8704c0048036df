// fork(2) while takt's threads wait at joins. The loader has a lock that the C library leaves as it is in a child:
// nobody of takt's may hold it then, or the child waits for ever where it loads a library, throws, or makes a call. And
// who forks may hold it itself, or another lock: so nobody may wait for it there either.
#include "child.hpp"

#include <dlfcn.h>
#include <link.h>

#include <thread>

namespace {

std::atomic<long> waits{0};

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

// The left branch ends while another thread is at the right one.
void wait_for_a_branch() {
  std::atomic<bool> taken{false};
  takt::fork_join([&taken] { HOST_CHECK(host::wait_until([&taken] { return taken.load(); })); },
                  [&taken] {
                    taken.store(true);
                    for (int i = 0; i < 10; ++i) sched_yield();
                  });
  waits.fetch_add(1);
}

bool joins_go_on() {
  const long before = waits.load();
  return host::wait_until([before] { return waits.load() > before + 3; });
}

bool asks_the_loader() {
  int count = 0;
  dl_iterate_phdr([](dl_phdr_info*, std::size_t, void* sum) { return ++*static_cast<int*>(sum), 0; }, &count);
  return count > 0;
}

bool with_threads = false;
bool forked = false;

int fork_with_the_loaders_lock(dl_phdr_info*, std::size_t, void*) {
  HOST_CHECK(joins_go_on());
  // The lock is not the child's.
  HOST_CHECK_GOOD(host::status_of_child([] { return true; }));
  forked = true;
  return 1;
}

}  // namespace

int main() {
  host::skip_under_thread_sanitizer();
  if (dlsym(RTLD_DEFAULT, "_dl_find_object") == nullptr) host::skip("joins ask the loader here, which has a lock");
  host::promote_at_once();
  std::atomic<bool> end{false};
  with_threads = host::children_start_threads();
  std::thread caller([&end] {
    while (!end.load()) wait_for_a_branch();
  });
  for (int i = 0; i < 40; ++i) {
    HOST_CHECK(joins_go_on());
    HOST_CHECK_GOOD(host::status_of_child([] { return asks_the_loader() && (!with_threads || fib(10) == 55); }));
    forked = false;
    dl_iterate_phdr(&fork_with_the_loaders_lock, nullptr);
    HOST_CHECK(forked);
  }
  end.store(true);
  caller.join();
}
