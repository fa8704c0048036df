// What a benchmark problem is, and how its implementations make themselves known.
//
// A problem is a struct P, declared in <problem>/config.hpp:
//   P::info                        name, kind and sizes (a problem_info)
//   P::input, P::answer            what a run reads and what it leaves behind
//   P::make(request) -> input      builds the input; throws input_error
//   P::reset(input, answer)        outside the clock, before every run: nothing that an
//                                  earlier run left in `answer` may pass for this run's
//   P::same(input, got, expected)  the check against the serial program's answer
//   P::right(input, got)           in place of same(): a check that needs no other answer
//   P::seconds(input, answer, elapsed)   optional: what to report instead of `elapsed`
// Where info.calls is not 1, a program is called that often in a run, and reset() does not come
// between: it must not need it.
// <problem>/<system>.cpp holds one function body per system and a static enrol<P>.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

// Before a recursive function of a takt program. GCC unrolls recursion, the serial program's by
// another depth: neither is inlined there. Clang does not unroll it, and what it inlines into a fork
// is takt's affair; its serial programs, as fast without the attribute or slower, keep it.
#if defined(__clang__)
#define TAKT_BENCH_RECURSIVE
#else
#define TAKT_BENCH_RECURSIVE [[gnu::noinline]]
#endif

namespace takt::bench {

// Fork problems have one OpenMP form (tasks); loop problems have one per schedule.
enum class kind { forks, loops };

struct problem_info {
  std::string_view name;
  std::string_view about;
  kind form;
  std::string_view size_unit;
  std::int64_t size_default;
  std::int64_t size_min;
  std::int64_t size_max;
  // Reads matrices: --input and --transpose apply.
  bool takes_matrix = false;
  // How often a run calls the program, each call right after the one before.
  std::int64_t calls = 1;
  // Every run in a process of its own, without a warm-up: what is measured is the start.
  bool fresh_process = false;
  // A run is many calls, and its time is that of one call.
  bool per_call = false;
  // Problems that can be asked for by one name: "pbbs", or none.
  std::string_view group = {};
  // --input may name a file, which replaces what is generated.
  bool takes_file = false;
  // All of that file is used, whatever the size.
  bool takes_whole_file = false;
  // All its programs say how many tasks they create.
  bool counts_tasks = false;
};

struct request {
  std::string problem;
  std::string system;
  unsigned workers = 1;
  std::int64_t size = 0;  // 0: the problem's default
  std::string input;      // a generator's name (matrix problems) or a file; empty: generated
  bool transpose = false;
  std::int64_t calls = 0;    // in a run; 0: the problem's default
  std::int64_t rest_ms = 0;  // what the process sleeps before each run, outside the clock
};

// A request that cannot be met; what() is one line.
class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One problem with its input, ready to be run any number of times by one system.
class instance {
 public:
  instance() = default;
  instance(const instance&) = delete;
  instance& operator=(const instance&) = delete;
  virtual ~instance() = default;

  virtual double run() = 0;  // seconds
  virtual bool check() = 0;  // the answer of the last run

  // Runs the program of another system from now on, on the same data. Throws input_error.
  virtual void become(std::string_view system) = 0;

  // How long the last run took; empty if what run() gives is something else.
  std::optional<double> elapsed() const { return elapsed_; }

 protected:
  std::optional<double> elapsed_;
};

using factory = std::function<std::unique_ptr<instance>(const request&)>;

// All problems that are linked into this program, with the systems that can run them.
struct catalogue_entry {
  problem_info info;
  std::map<std::string, factory, std::less<>> systems;
};
using catalogue = std::map<std::string, catalogue_entry, std::less<>>;
catalogue& the_catalogue();

template <class P>
using body = void (*)(const typename P::input&, typename P::answer&);

// The programs of P that are linked into this one, by system. The serial one is in every runner,
// because its answer is what all others are held against.
template <class P>
std::map<std::string, body<P>, std::less<>>& bodies() {
  static std::map<std::string, body<P>, std::less<>> all;
  return all;
}

template <class P>
body<P> body_of(std::string_view system) {
  const auto found = bodies<P>().find(system);
  if (found == bodies<P>().end()) {
    throw input_error(std::string(P::info.name) + ": no program of system '" +
                      std::string(system) + "'");
  }
  return found->second;
}

template <class P>
class instance_of final : public instance {
 public:
  instance_of(const request& wanted, std::string_view system)
      : input_(P::make(wanted)),
        body_(body_of<P>(system)),
        calls_(wanted.calls == 0 ? P::info.calls : wanted.calls),
        rest_(wanted.rest_ms) {}

  double run() override {
    P::reset(input_, answer_);
    if (rest_.count() > 0) {
      std::this_thread::sleep_for(rest_);
    }
    const auto start = std::chrono::steady_clock::now();
    call(body_, answer_);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if constexpr (requires { P::seconds(input_, answer_, 0.0); }) {
      return P::seconds(input_, answer_, elapsed.count());
    } else {
      elapsed_ = elapsed.count();
      return elapsed.count();
    }
  }

  // The expected answer is computed after the first run and not before it: a serial run
  // beforehand would warm caches and change what a system sees at its first parallel call.
  bool check() override {
    if constexpr (requires { P::right(input_, answer_); }) {
      return P::right(input_, answer_);
    } else {
      if (!expected_) {
        expected_ = std::make_unique<typename P::answer>();
        P::reset(input_, *expected_);
        call(body_of<P>("serial"), *expected_);
      }
      return P::same(input_, answer_, *expected_);
    }
  }

  void become(std::string_view system) override { body_ = body_of<P>(system); }

 private:
  void call(body<P> program, typename P::answer& answer) const {
    for (std::int64_t i = 0; i < calls_; ++i) {
      program(input_, answer);
    }
  }

  typename P::input input_;
  typename P::answer answer_{};
  std::unique_ptr<typename P::answer> expected_;
  body<P> body_;
  std::int64_t calls_;
  std::chrono::milliseconds rest_;
};

// A namespace-scope object of this type makes `run_body` the program that `system` runs for
// P. Runners link the object files directly, so no such object is dropped.
template <class P>
class enrol {
 public:
  enrol(std::string_view system, body<P> run_body) {
    catalogue_entry& entry = the_catalogue()[std::string(P::info.name)];
    entry.info = P::info;
    bodies<P>()[std::string(system)] = run_body;
    entry.systems[std::string(system)] = [name = std::string(system)](const request& wanted) {
      return std::make_unique<instance_of<P>>(wanted, name);
    };
  }
};

// The size to use: the one asked for if the problem allows it. Throws input_error.
std::int64_t size_of(const request& wanted, const problem_info& info);

}  // namespace takt::bench
