// A thread cannot be had, for a while: a limit of the user's processes or of the container's. takt does with what there
// is, says so in its statistics, and asks again.
#include "child.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <string>

namespace {
std::atomic<bool> refuse{true};
std::atomic<int> refused{0};
std::atomic<int> granted{0};

long work(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([n] { return work(n - 1); }, [n] { return work(n - 2); });
  return a + b;
}

long statistic(const std::string& name) {
  const std::string all = takt::stats_json();
  const std::size_t at = all.find("\"" + name + "\":");
  HOST_CHECK(at != std::string::npos, "%s", name.c_str());
  return std::atol(all.c_str() + at + name.size() + 3);
}
}  // namespace

extern "C" int pthread_create(pthread_t* t, const pthread_attr_t* a, void* (*f)(void*), void* p) noexcept {
  using signature = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (refuse.load()) {
    refused.fetch_add(1);
    return EAGAIN;
  }
  static const auto real = reinterpret_cast<signature>(dlsym(RTLD_NEXT, "pthread_create"));
  granted.fetch_add(1);
  return real(t, a, f, p);
}

int main() {
  host::skip_under_thread_sanitizer();
  host::promote_at_once();
  // Again and again, not only once.
  HOST_CHECK(host::wait_until([] { return work(20) == 6765 && refused.load() >= 3; }));
  const long counted = statistic("threads_refused");
  HOST_CHECK(counted == refused.load(), "%ld of %d", counted, refused.load());
  HOST_CHECK(statistic("threads_started") == 0);
  refuse.store(false);
  HOST_CHECK(host::wait_until([] { return work(20) == 6765 && granted.load() == 1; }));
  HOST_CHECK(host::two_run_side_by_side());
  HOST_CHECK(statistic("threads_started") == 1);
}
