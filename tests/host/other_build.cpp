// A program that uses everything that crosses the border between program and library, to be compiled with flags, a
// compiler or a standard library that the library was not compiled with: see types.cmake.
#include <takt/lab.hpp>
#include <takt/takt.hpp>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(__cpp_exceptions)
#define WITH_EXCEPTIONS 1
#else
#define WITH_EXCEPTIONS 0
#endif

static int wrong(const char* what) {
  std::fprintf(stderr, "wrong: %s\n", what);
  return 1;
}

static long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

#if WITH_EXCEPTIONS
struct parallel {
  template <class F, class G>
  static auto both(F f, G g) {
    return takt::fork_join(f, g);
  }
};
struct serial {
  template <class F, class G>
  static auto both(F f, G g) {
    const long first = f();
    return std::pair(first, g());
  }
};

// Throws, catches and throws again: on stacks of takt's own where that makes tasks.
template <class How>
static long thrower(int n) {
  char text[64];
  std::snprintf(text, sizeof text, "%d", n);
  if (n == 0) throw std::runtime_error(text);
  try {
    const auto [a, b] = How::both([=] { return thrower<How>(n - 1); }, [&] { return long{text[0]}; });
    return a + b;
  } catch (const std::runtime_error& e) {
    if (std::strcmp(e.what(), "0") != 0) throw;
    // A fork while an exception is being handled.
    const auto [a, b] = How::both([] { return fib(8); }, [] { return 1l; });
    if (n % 3 == 0) throw;
    return a + b;
  }
}

template <class Error, class F>
static bool throws(const char* text, F f) {
  try {
    f();
  } catch (const Error& e) {
    return std::strcmp(e.what(), text) == 0;
  }
  return false;
}

static int check_exceptions() {
  const long expected = thrower<serial>(20);
  for (int i = 0; i < 100; ++i) {
    if (thrower<parallel>(20) != expected) return wrong("exceptions thrown again and again");
  }
  const auto fail_at = [](int k) {
    return [k](int i) {
      if (i == k) throw std::runtime_error("at " + std::to_string(k));
    };
  };
  if (!throws<std::runtime_error>("at 77", [&] { takt::parallel_for(0, 100000, fail_at(77)); })) return wrong("loop");
  const auto left = [] { throw std::runtime_error("left"); };
  if (!throws<std::runtime_error>("left", [&] { takt::fork_join(left, [] { fib(15); }); })) return wrong("fork");
  takt::task_group group;
  for (int k = 0; k < 3000; ++k) {
    group.run([k, text = std::string("child of a group, in a text that is long")] {
      if (k >= 50) throw std::runtime_error(text);
    });
  }
  if (!throws<std::runtime_error>("child of a group, in a text that is long", [&] { group.wait(); }))
    return wrong("group");
  takt::config bad;
  bad.workers = takt::k_most_workers + 1;
  if (!throws<std::invalid_argument>("takt::configure: workers out of range", [&] { takt::configure(bad); }))
    return wrong("invalid_argument");
  bool refused = false;
  takt::fork_join([&] { refused = throws<std::logic_error>("takt::configure: a parallel call is under way",
                                                           [] { takt::configure(takt::config{}); }); },
                  [] {});
  if (!refused) return wrong("logic_error");
  return 0;
}
#endif

static int check() {
  if (fib(22) != 17711) return wrong("forks");
  std::vector<double> v(100000, 1.0);
  for (int round = 0; round < 10; ++round) takt::parallel_for(v, [](double& x) { x = x * 1.5 - 0.5; });
  if (takt::parallel_reduce(v, 0.0, [](double x) { return x; }, std::plus<>{}) != 100000.0) return wrong("loops");
  std::atomic<long> cells{0};
  takt::parallel_for(0, 300, [&](int i) { takt::parallel_for(0, i, [&](int) { cells.fetch_add(1); }); });
  if (cells != 300 * 299 / 2) return wrong("nested loops");
  takt::task_group group;
  std::atomic<long> children{0};
  for (int k = 0; k < 2000; ++k) group.run([&] { children += fib(5); });
  group.wait();
  if (children != 10000) return wrong("groups");
  return 0;
}

int main() {
  // A text that does not fit into the string itself.
  const std::string file = "/tmp/takt-other-build-statistics-that-nobody-reads.json";
  for (const takt::trigger trigger : {takt::trigger::lazy, takt::lab::eager}) {
    takt::config c = takt::config::from_environment();
    c.workers = 2;
    c.trigger = trigger;
    c.beat = std::chrono::microseconds(50);
    c.stats = file;
    takt::configure(c);
    const takt::config there = takt::current_config();
    if (there.workers != 2 || there.trigger != trigger || there.beat.count() != 50 || there.stats != file ||
        there.interrupts != c.interrupts ||
        there.stack_bytes < takt::k_least_stack)
      return wrong("settings");
    if (check() != 0) return 1;
#if WITH_EXCEPTIONS
    if (check_exceptions() != 0) return 1;
#endif
    const std::string json = takt::stats_json();
    if (json.find("\"workers\":2") == std::string::npos || json.back() != '}') return wrong("statistics");
    // Nothing is to be written at exit.
    c.stats.clear();
    takt::configure(c);
  }
}
