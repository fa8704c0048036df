#include "tools/tune_measure.hpp"

#include "policy/random_stealing.hpp"

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <takt/takt.hpp>
#include <utility>

namespace takt::tools {
namespace {

using std::chrono::microseconds;

// Twenty milliseconds or so each: enough beats of a microsecond for a mean, few time slices.
constexpr long k_fib_input = 33;
constexpr std::uint64_t k_rows = 5000;
constexpr std::size_t k_keys = 250'000;

constexpr microseconds k_no_beat = std::chrono::seconds(10);
constexpr microseconds k_shortest_beat{1};

// A fork at every call, so that a promotion is never late for want of a fork. Its frames are the
// smallest there are: what is left of T' - T is the promotion itself, its join and its polls.
long fib(long n) {
  if (n < 2) {
    return n;
  }
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 31U)) * 0x9E3779B97F4A7C15U;
  return x ^ (x >> 29U);
}

// Row i has i entries: long loops, short ones, and both levels parallel.
std::uint64_t loop_nest(std::uint64_t rows) {
  return takt::parallel_reduce(
      std::uint64_t{0}, rows, std::uint64_t{0},
      [](std::uint64_t i) {
        return takt::parallel_reduce(
            std::uint64_t{0}, i, std::uint64_t{0}, [i](std::uint64_t j) { return scrambled(i + j); }, std::bit_xor<>{});
      },
      std::bit_xor<>{});
}

using key = std::uint32_t;

void merge(const key* a, const key* a_end, const key* b, const key* b_end, key* out) {
  if (a_end - a < b_end - b) {
    std::swap(a, b);
    std::swap(a_end, b_end);
  }
  // Here the serial algorithm is the better one, as in the sort below.
  if (a_end - a <= 16) {
    std::merge(a, a_end, b, b_end, out);
    return;
  }
  const key* const a_middle = a + (a_end - a) / 2;
  const key* const b_middle = std::lower_bound(b, b_end, *a_middle);
  key* const out_middle = out + (a_middle - a) + (b_middle - b);
  takt::fork_join([=] { merge(a, a_middle, b, b_middle, out); },
                  [=] { merge(a_middle, a_end, b_middle, b_end, out_middle); });
}

// Sorts `keys`; the result goes to `other` if `into_other`.
void mergesort(key* keys, key* other, std::size_t n, bool into_other) {
  if (n <= 16) {
    std::sort(keys, keys + n);
    if (into_other) {
      std::copy(keys, keys + n, other);
    }
    return;
  }
  const std::size_t half = n / 2;
  takt::fork_join([=] { mergesort(keys, other, half, !into_other); },
                  [=] { mergesort(keys + half, other + half, n - half, !into_other); });
  const key* const from = into_other ? keys : other;
  merge(from, from + half, from + half, from + n, into_other ? other : keys);
}

std::uint64_t run_fib() { return static_cast<std::uint64_t>(fib(k_fib_input)); }
std::uint64_t run_loop_nest() { return loop_nest(k_rows); }
std::uint64_t run_mergesort() {
  std::vector<key> keys(k_keys);
  std::vector<key> other(k_keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<key>(scrambled(i + 1));
  }
  mergesort(keys.data(), other.data(), keys.size(), false);
  return keys[k_keys / 2];
}

std::uint64_t promotions_so_far() {
  const auto total = nlohmann::json::parse(takt::stats_json()).at("total");
  std::uint64_t sum = 0;
  for (const char* kind : {"promotions_forks", "promotions_loops", "promotions_groups"}) {
    sum += total.at(kind).get<std::uint64_t>();
  }
  return sum;
}

double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Random stealing that does not look whether a task waits to be taken: the bound that is measured is that of one promotion
// each beat (Heartbeat paper, section 3).
class promotes_each_beat final : public core::random_stealing<core::task_deque> {
 public:
  using random_stealing::random_stealing;

  static std::unique_ptr<core::policy> make(core::runtime& r) { return std::make_unique<promotes_each_beat>(r); }
  bool offers(const core::worker& /*w*/, std::uint32_t /*scope*/) noexcept override { return false; }
  bool spreads(core::worker& /*w*/, std::uint64_t /*ticks*/) noexcept override { return false; }
};

struct timed_run {
  double seconds;
  std::uint64_t promotions;
};

timed_run run_once(const tune_program& program, unsigned workers, microseconds beat, clockid_t clock) {
  takt::config config;
  config.workers = workers;
  config.beat = beat;
  const core::policy_maker before_this = core::replace_policy(&promotes_each_beat::make);
  takt::configure(config);
  core::replace_policy(before_this);

  // The pool starts at the first call; that is no part of what is measured.
  volatile std::uint64_t sink = static_cast<std::uint64_t>(fib(10));
  const std::uint64_t before = promotions_so_far();
  const double start = seconds_of(clock);
  sink = program.run();
  const double end = seconds_of(clock);
  (void)sink;
  return {end - start, promotions_so_far() - before};
}

// One worker: with two, a stolen branch would make the run with promotions the quicker one. CPU time of the process,
// not time on the wall: the runs last milliseconds, and whatever else the machine does in between would be counted as
// promotions.
timed_run run_alone(const tune_program& program, microseconds beat) {
  return run_once(program, 1, beat, CLOCK_PROCESS_CPUTIME_ID);
}

// Puts back what was configured, also when a run throws.
class config_guard {
 public:
  config_guard() : before_(takt::current_config()) {}
  ~config_guard() { takt::configure(before_); }
  config_guard(const config_guard&) = delete;
  config_guard& operator=(const config_guard&) = delete;

 private:
  takt::config before_;
};

// The upper one of two middles: no mean, so that a count stays a count.
template <class T>
T upper_median(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct tau_samples {
  std::vector<double> taus_ns;
  std::vector<std::uint64_t> promotions;
};

tau_facts summary(const tau_samples& samples) {
  tau_facts facts;
  if (samples.taus_ns.empty()) {
    return facts;
  }
  facts.runs = static_cast<int>(samples.taus_ns.size());
  facts.promotions = upper_median(samples.promotions);
  const double middle = upper_median(samples.taus_ns);
  // Noise larger than all promotions together; a tau of zero or less would imply N = 0.
  if (middle <= 0) {
    return facts;
  }
  const auto [lowest, highest] = std::minmax_element(samples.taus_ns.begin(), samples.taus_ns.end());
  facts.tau_ns = middle;
  facts.tau_min_ns = *lowest;
  facts.tau_max_ns = *highest;
  return facts;
}

}  // namespace

const std::vector<tune_program>& tune_programs() {
  static const std::vector<tune_program> programs = {
      {"fork recursion", run_fib}, {"loop nest", run_loop_nest}, {"mergesort", run_mergesort}};
  return programs;
}

std::vector<tau_facts> measure_tau(const std::vector<tune_program>& programs, int runs) {
  const config_guard guard;
  std::vector<tau_samples> samples(programs.size());
  // In pairs, so that a change of frequency hits both; the first pair only warms up.
  for (int i = 0; i <= runs; ++i) {
    for (std::size_t p = 0; p < programs.size(); ++p) {
      const timed_run quiet = run_alone(programs[p], k_no_beat);
      const timed_run busy = run_alone(programs[p], k_shortest_beat);
      // Without promotions there is no C to divide by, for example with a build that has none.
      if (i > 0 && busy.promotions > quiet.promotions) {
        samples[p].taus_ns.push_back((busy.seconds - quiet.seconds) * 1e9 /
                                     static_cast<double>(busy.promotions - quiet.promotions));
        samples[p].promotions.push_back(busy.promotions);
      }
    }
  }
  std::vector<tau_facts> facts;
  std::transform(samples.begin(), samples.end(), std::back_inserter(facts), summary);
  return facts;
}

beat_curve measure_curve(const std::vector<tune_program>& programs, int runs) {
  const config_guard guard;
  beat_curve curve;
  for (const long beat : {1, 3, 10, 30, 100, 300, 1000, 3000, 10000}) {
    curve.beats.emplace_back(beat);
  }
  std::vector<std::vector<std::vector<double>>> samples(programs.size(),
                                                        std::vector<std::vector<double>>(curve.beats.size()));
  for (int i = 0; i <= runs; ++i) {
    for (std::size_t b = 0; b < curve.beats.size(); ++b) {
      for (std::size_t p = 0; p < programs.size(); ++p) {
        const timed_run one = run_once(programs[p], 0, curve.beats[b], CLOCK_MONOTONIC);
        if (i > 0) {
          samples[p][b].push_back(one.seconds);
        }
      }
    }
  }
  for (const auto& of_program : samples) {
    auto& medians = curve.seconds.emplace_back();
    std::transform(of_program.begin(), of_program.end(), std::back_inserter(medians), upper_median<double>);
    auto& least = curve.least_seconds.emplace_back();
    std::transform(of_program.begin(), of_program.end(), std::back_inserter(least),
                   [](const std::vector<double>& each) { return *std::min_element(each.begin(), each.end()); });
  }
  return curve;
}

}  // namespace takt::tools
