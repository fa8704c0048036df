// fork(2) while takt's threads wait at joins, where they ask the loader which libraries there are. It has a lock that
// the C library leaves as it is in a child: nobody of takt's may hold it then, or the child waits for ever where it
// loads a library, throws, or makes a call.
//
// The question is this program's own, so that it knows who asks, and can take its time.
#include "child.hpp"

#include <dlfcn.h>
#include <link.h>

#include <thread>

namespace {

std::atomic<int> asking{0};
std::atomic<bool> about_to_fork{false};
std::atomic<long> asked{0};

using question = int (*)(int (*)(dl_phdr_info*, std::size_t, void*), void*);

}  // namespace

extern "C" int dl_iterate_phdr(int (*callback)(dl_phdr_info*, std::size_t, void*), void* data) {
  static const auto real = reinterpret_cast<question>(dlsym(RTLD_NEXT, "dl_iterate_phdr"));
  asking.fetch_add(1);
  asked.fetch_add(1, std::memory_order_relaxed);
  for (int i = 0; i < 50 && about_to_fork.load(); ++i) sched_yield();
  const int result = real(callback, data);
  asking.fetch_sub(1);
  return result;
}

namespace {

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
}

}  // namespace

int main() {
  host::skip_under_thread_sanitizer();
  host::promote_at_once();
  std::atomic<bool> end{false};
  std::thread caller([&end] {
    while (!end.load()) wait_for_a_branch();
  });
  const bool with_threads = host::children_start_threads();
  for (int i = 0; i < 40; ++i) {
    const long before = asked.load();
    // They ask again and again, also after each fork.
    HOST_CHECK(host::wait_until([before] { return asked.load() > before; }));
    about_to_fork.store(true);
    HOST_CHECK(host::wait_until([] { return asking.load() > 0; }));
    const int status = host::status_of_child([with_threads] {
      if (asking.load() != 0) return false;
      about_to_fork.store(false);
      return !with_threads || fib(10) == 55;
    });
    about_to_fork.store(false);
    HOST_CHECK_GOOD(status);
  }
  end.store(true);
  caller.join();
}
