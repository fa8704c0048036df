#include "tools/scale_calibrate.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "tools/topology.hpp"

namespace takt::tools {
namespace {

using std::chrono::microseconds;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The lower quartile: what other programs do at the same time makes a round longer by a whole time
// slice, and on a machine with a load of its own that happens to more than half of them.
double typical(std::vector<double> ns) {
  const auto quarter = ns.begin() + static_cast<std::ptrdiff_t>(ns.size() / 4);
  std::nth_element(ns.begin(), quarter, ns.end());
  return *quarter;
}

std::uint64_t to_cost(const std::vector<double>& ns) {
  return static_cast<std::uint64_t>(std::llround(std::max(0.0, typical(ns))));
}

double between(std::int64_t begin, std::int64_t end) { return static_cast<double>(end - begin); }

// While it lives, the thread that made it stays on the first CPU that it may use, and another one
// can stay on the last: neighbours are often two threads of one core.
class cpu_pair {
 public:
  cpu_pair() {
    CPU_ZERO(&allowed_);
    if (::sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) {
      return;
    }
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &allowed_)) {
        cpus_.push_back(cpu);
      }
    }
    if (found()) {
      stay_on(cpus_.front());
    }
  }
  ~cpu_pair() {
    if (found()) {
      ::pthread_setaffinity_np(::pthread_self(), sizeof allowed_, &allowed_);
    }
  }
  cpu_pair(const cpu_pair&) = delete;
  cpu_pair& operator=(const cpu_pair&) = delete;

  bool found() const { return cpus_.size() > 1; }
  void stay_on_last() const {
    if (found()) {
      stay_on(cpus_.back());
    }
  }

 private:
  static void stay_on(std::size_t cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::pthread_setaffinity_np(::pthread_self(), sizeof one, &one);
  }

  cpu_set_t allowed_;
  std::vector<std::size_t> cpus_;
};

using word = std::atomic<std::uint32_t>;

void futex(word& at, int operation, std::uint32_t value) {
  ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&at), operation, value, nullptr);
}

// A thread that sleeps in the kernel is woken; what that takes for either side.
void measure_wake(sim_costs& costs) {
  constexpr std::uint32_t k_rounds = 201;
  word called{0};
  word answered{0};
  std::int64_t woken_at = 0;
  std::thread sleeper([&] {
    for (std::uint32_t round = 0; round < k_rounds; ++round) {
      while (called.load() == round) {
        futex(called, FUTEX_WAIT_PRIVATE, round);
      }
      woken_at = now_ns();
      answered.store(round + 1);
    }
  });
  std::vector<double> latencies;
  std::vector<double> calls;
  for (std::uint32_t round = 0; round < k_rounds; ++round) {
    // Long enough for the other thread to fall asleep, short enough for its CPU to stay awake.
    std::this_thread::sleep_for(microseconds(100));
    const std::int64_t begin = now_ns();
    called.store(round + 1);
    futex(called, FUTEX_WAKE_PRIVATE, 1);
    calls.push_back(between(begin, now_ns()));
    while (answered.load() != round + 1) {
    }
    latencies.push_back(between(begin, woken_at));
  }
  sleeper.join();
  costs.wake = to_cost(latencies);
  costs.waker = to_cost(calls);
}

std::uint64_t measure_start() {
  constexpr int k_rounds = 101;
  std::vector<double> latencies;
  for (int round = 0; round < k_rounds; ++round) {
    std::int64_t running_at = 0;
    const std::int64_t begin = now_ns();
    std::thread([&] { running_at = now_ns(); }).join();
    latencies.push_back(between(begin, running_at));
  }
  return to_cost(latencies);
}

std::atomic<std::int64_t> arrived_at{0};

// To a thread that runs, by the signal that the runtime uses.
std::uint64_t measure_signal() {
  constexpr int k_rounds = 201;
  struct sigaction ours {};
  struct sigaction before {};
  ours.sa_handler = [](int) { arrived_at.store(now_ns()); };
  ::sigaction(SIGURG, &ours, &before);
  std::atomic<pid_t> target{0};
  std::atomic<bool> done{false};
  const cpu_pair cpus;
  std::thread runner([&] {
    cpus.stay_on_last();
    target.store(::gettid());
    while (!done.load()) {
    }
  });
  while (target.load() == 0) {
    std::this_thread::yield();
  }
  std::vector<double> latencies;
  for (int round = 0; round < k_rounds; ++round) {
    arrived_at.store(0);
    const std::int64_t begin = now_ns();
    ::syscall(SYS_tgkill, ::getpid(), target.load(), SIGURG);
    while (arrived_at.load() == 0) {
    }
    latencies.push_back(between(begin, arrived_at.load()));
  }
  done.store(true);
  runner.join();
  ::sigaction(SIGURG, &before, nullptr);
  return to_cost(latencies);
}

// One cache line from one core to another and no more. Nothing where there is one CPU only.
std::optional<double> measure_transfer_ns() {
  const cpu_pair cpus;
  if (!cpus.found()) {
    return std::nullopt;
  }
  constexpr std::uint32_t k_batches = 101;
  constexpr std::uint32_t k_trips = 100;  // in a batch; few, so that hardly any is interrupted
  constexpr std::uint32_t k_last = k_batches * k_trips * 2;
  word turn{0};
  std::thread partner([&] {
    cpus.stay_on_last();
    for (std::uint32_t mine = 1; mine < k_last; mine += 2) {
      while (turn.load() != mine) {
      }
      turn.store(mine + 1);
    }
  });
  std::vector<double> times;
  std::uint32_t next = 0;
  for (std::uint32_t batch = 0; batch < k_batches; ++batch) {
    const std::int64_t begin = now_ns();
    for (std::uint32_t trip = 0; trip < k_trips; ++trip, next += 2) {
      turn.store(next + 1);
      while (turn.load() != next + 2) {
      }
    }
    times.push_back(between(begin, now_ns()) / (2.0 * k_trips));
  }
  partner.join();
  return typical(times);
}

// The caches of data above the first core: a simulated machine has them all alike. What hwloc does
// not know, in a container for example, is left out.
void find_caches(machine_description& here) {
  const auto topology = make_topology();
  if (!topology || hwloc_topology_load(topology.get()) != 0) {
    return;
  }
  hwloc_topology* const raw = topology.get();
  const int cores = hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_CORE);
  if (cores > 0) {
    here.name = fmt::format("this one, {} core{}", cores, cores == 1 ? "" : "s");
  }
  hwloc_obj_t object = hwloc_get_obj_by_type(raw, HWLOC_OBJ_PU, 0);
  for (; object != nullptr; object = object->parent) {
    if (hwloc_obj_type_is_dcache(object->type) == 0) {
      continue;
    }
    const int sharing = hwloc_get_nbobjs_inside_cpuset_by_type(raw, object->cpuset, HWLOC_OBJ_CORE);
    const machine_cache cache{object->attr->cache.depth, object->attr->cache.size,
                              static_cast<unsigned>(std::max(1, sharing))};
    const machine_cache below = here.caches.empty() ? machine_cache{} : here.caches.back();
    if (cache.bytes > below.bytes && cache.shared_by % below.shared_by == 0) {
      here.caches.push_back(cache);
    }
  }
}

}  // namespace

machine_description calibrate() {
  machine_description here;
  here.name = "this one";
  find_caches(here);
  measure_wake(here.costs);
  here.costs.start = measure_start();
  here.costs.signal = measure_signal();
  // The deque's ends, the slot and the frame of the task: three lines.
  constexpr double k_lines = 3;
  if (const auto transfer = measure_transfer_ns()) {
    here.costs.steal = static_cast<std::uint64_t>(std::llround(k_lines * *transfer));
  } else {
    here.costs.steal = 300;
    here.source = "the cost of a steal is assumed: measuring it needs two CPUs";
  }
  return here;
}

}  // namespace takt::tools
