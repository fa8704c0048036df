// The meaning of programs, over an engine that supplies the constructs: takt, or the serial rules.
#pragma once

#include "generated/program.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace takt_generated {

/// Counted while a program runs; other processes may look at it.
struct trace {
  std::atomic<std::uint64_t> executed{0};
  std::atomic<std::uint64_t> checksum{0};  ///< over (node, path) and what each child of a group gives
  std::atomic<const char*> wrong{nullptr};
};

struct outcome {
  std::uint64_t value = 0;
  std::uint64_t error = 0;
  std::uint64_t executed = 0;
  std::uint64_t checksum = 0;
  friend bool operator==(const outcome&, const outcome&) = default;
};

/// A group, and which of its children have failed: where several add to it, nobody can say which error comes first, but
/// none is invented, and none is lost.
template <class Engine>
class watched_group {
 public:
  watched_group(Engine& engine, std::uint32_t variant, trace& t) : group_(engine, variant), trace_(t) {}

  template <class F>
  void run(std::uint32_t variant, F f) {
    group_.run(variant, [this, f]() mutable {
      try {
        f();
      } catch (const program_error& error) {
        const std::lock_guard guard(mutex_);
        failed_.push_back(error.number);
        throw;
      }
    });
  }
  void wait() {
    const std::size_t before = failures();
    try {
      group_.wait();
      if (before > seen_) trace_.wrong = "an error of a child is lost";
    } catch (const program_error& error) {
      const std::lock_guard guard(mutex_);
      if (std::find(failed_.begin(), failed_.end(), error.number) == failed_.end())
        trace_.wrong = "an error arrives that no child has thrown";
    }
    seen_ = failures();
  }

 private:
  std::size_t failures() {
    const std::lock_guard guard(mutex_);
    return failed_.size();
  }

  std::mutex mutex_;
  std::vector<std::uint64_t> failed_;
  std::size_t seen_ = 0;  // when the last wait had ended
  typename Engine::group group_;
  trace& trace_;
};

template <class Engine>
class evaluator {
 public:
  evaluator(Engine& engine, trace& t) : engine_(engine), trace_(t) {}

  std::uint64_t evaluate(const node& program) { return evaluate(program, 0, nullptr); }

 private:
  // The groups around the code.
  struct frame {
    watched_group<Engine>& group;
    std::uint32_t number;
    const frame* outer;
  };
  static const frame* find(const frame* at, std::uint32_t number) {
    while (at->number != number) at = at->outer;
    return at;
  }

  std::uint64_t evaluate(const node& n, std::uint64_t path, const frame* groups) {
    const std::uint64_t visit = mix(path, n.id);
    trace_.executed.fetch_add(1, std::memory_order_relaxed);
    trace_.checksum.fetch_add(visit, std::memory_order_relaxed);
    const auto child = [&](std::size_t c) { return evaluate(n.children[c], mix(visit, c), groups); };
    const auto only = [&] { return child(0); };
    switch (n.what) {
      case kind::work:
        engine_.spend(n.count);
        return visit;
      case kind::steps: {
        std::uint64_t value = visit;
        for (std::size_t c = 0; c < n.children.size(); ++c) value = mix(value, child(c));
        return value;
      }
      case kind::fork:
        return fork(n, visit, child);
      case kind::loop: {
        std::vector<std::uint64_t> values(n.count);
        engine_.loop(n.variant, n.count, [&](std::uint32_t i) { values[i] = iteration(n, i, visit, groups); });
        return in_order(visit, values);
      }
      case kind::reduce: {
        using list = std::vector<std::uint64_t>;
        return in_order(visit, engine_.reduce(
                                   n.count, list(), [&](std::uint32_t i) { return list{iteration(n, i, visit, groups)}; },
                                   [](list a, const list& b) {
                                     a.insert(a.end(), b.begin(), b.end());
                                     return a;
                                   }));
      }
      case kind::group: {
        watched_group<Engine> group(engine_, n.variant, trace_);
        const frame inner{group, n.number, groups};
        const std::uint64_t value = evaluate(n.children[0], mix(visit, 0), &inner);
        group.wait();
        return value;
      }
      case kind::add: {
        const frame* const to = find(groups, n.number);
        for (std::size_t c = 0; c < n.children.size(); ++c) {
          to->group.run(n.variant >> c, [this, &n, c, path = mix(visit, c), to] {
            const std::uint64_t value = evaluate(n.children[c], path, to);
            trace_.checksum.fetch_add(mix(path, value), std::memory_order_relaxed);
          });
        }
        return visit;
      }
      case kind::wait:
        find(groups, n.number)->group.wait();
        return visit;
      case kind::beside: {
        const auto [a, b] = engine_.beside(only, [&] { return child(1); });
        return in_order(visit, std::array{a, b});
      }
      case kind::stay:
        return engine_.staying(only);
      case kind::lock:
        return engine_.locked(n.number, n.children[0].what != kind::work, only);
      case kind::semaphore:
        return engine_.with_semaphore(n.number, n.children[0].what != kind::work, only);
      case kind::memory:
        return engine_.holding(n.variant, n.count * k_block_bytes, only);
      case kind::policy:
        return engine_.under(n.variant, only);
      case kind::error:
        if (visit % 1000 < n.count) throw program_error(visit | 1);
        return visit;
      case kind::handler:
        try {
          return child(0);
        } catch (const program_error& error) {
          const std::uint64_t number = error.number;
          const std::uint64_t value = mix(number, child(1));
          if (error.number != number) trace_.wrong = "the error being handled has changed";
          if (n.variant % 4 == 0) throw;
          return value;
        }
      case kind::algorithm: {
        std::vector<std::uint64_t> values(n.count);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = mix(visit, i);
        engine_.algorithm(n.variant, values);
        return in_order(visit, values);
      }
    }
    return 0;
  }

  template <class Values>
  static std::uint64_t in_order(std::uint64_t visit, const Values& values) {
    for (const std::uint64_t v : values) visit = mix(visit, v);
    return visit;
  }
  std::uint64_t iteration(const node& n, std::uint32_t i, std::uint64_t visit, const frame* groups) {
    return evaluate(n.children[i % n.children.size()], mix(visit, i), groups);
  }

  template <class Child>
  std::uint64_t fork(const node& n, std::uint64_t visit, const Child& child) {
    const auto all = [&](const auto&... branch) {
      return std::apply([&](auto... value) { return in_order(visit, std::array{value...}); }, engine_.fork(branch...));
    };
    const auto branch = [&child](std::size_t c) { return [&child, c] { return child(c); }; };
    switch (n.children.size()) {
      case 2:
        return all(branch(0), branch(1));
      case 3:
        return all(branch(0), branch(1), branch(2));
      case 4:
        return all(branch(0), branch(1), branch(2), branch(3));
      default:
        return all(branch(0), branch(1), branch(2), branch(3), branch(4));
    }
  }

  Engine& engine_;
  trace& trace_;
};

/// `t` is zero.
template <class Engine>
outcome run_with(Engine& engine, const node& program, trace& t) {
  outcome o;
  try {
    o.value = evaluator<Engine>(engine, t).evaluate(program);
  } catch (const program_error& error) {
    o.error = error.number;
  }
  o.executed = t.executed.load();
  o.checksum = t.checksum.load();
  return o;
}

}  // namespace takt_generated
