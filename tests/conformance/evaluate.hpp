// The meaning of programs, over an engine that supplies the parallel constructs: takt, or the serial rules.
//
// An engine has fork(f...) -> tuple-like, loop(first, last, body), loop_by(first, last, stride, body), loop_over(range,
// body), loop_of_subranges(first, last, body), loop_of_cells(rows, columns, body(row, column)), loop_over_list(list, body),
// reduce(first, last, identity, map, combine), collect(first, last, body) for a body that splits and joins, under(number,
// f), and classes group (how many children wait at most) with run(f) and wait(), place (whether the code in its scope must
// stay on its thread) and memory (how many blocks it holds).
#pragma once

#include "conformance/program.hpp"
#include "conformance/rules.hpp"

#include <array>
#include <bit>
#include <cfenv>
#include <cstdint>
#include <exception>
#include <limits>
#include <list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace takt_test {

/// x -> factor * x + term, modulo 2^64. Composition is associative and not commutative.
struct affine {
  std::uint64_t factor = 1;
  std::uint64_t term = 0;
  friend affine operator*(affine first, affine second) {
    return {first.factor * second.factor, first.term * second.factor + second.term};
  }
};

/// Too large for the slot of a fork.
struct wide_result {
  std::array<std::uint64_t, 9> words{};
  explicit wide_result(std::uint64_t v) { words.fill(v); }
  std::uint64_t value() const { return words[0] == words[8] ? words[4] : 0; }
};

/// In one of eight a rounding mode of its own, in its scope.
class rounding {
 public:
  explicit rounding(std::uint64_t visit) : before_(std::fegetround()) {
    static constexpr int k_modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    if ((visit >> 32) % 8 == 0) std::fesetround(k_modes[(visit >> 36) % 4]);
  }
  ~rounding() { std::fesetround(before_); }
  rounding(const rounding&) = delete;
  rounding& operator=(const rounding&) = delete;

 private:
  int before_;
};

/// A third as the mode in force gives it, and its negative.
inline std::uint64_t third() {
  volatile double one = 1.0;
  volatile double three = 3.0;
  const double above = one / three;
  const double below = -one / three;
  return std::bit_cast<std::uint64_t>(above) ^ std::bit_cast<std::uint64_t>(below) << 1;
}

template <class Engine>
class evaluator {
 public:
  explicit evaluator(trace& t) : trace_(t) {}

  std::uint64_t evaluate(const node& n, std::uint64_t path) {
    trace_.executed.fetch_add(1, std::memory_order_relaxed);
    const std::uint64_t visit = mix(path, n.id);
    trace_.checksum.fetch_add(visit, std::memory_order_relaxed);
    const bool throws = visit % 1000 < n.throws;
    // Some throw before their children run and some after.
    if (throws && n.variant % 2 == 0) throw program_error(visit | 1);
    // Some code rounds its own way for a while, and some says that it must stay on its thread. What rounding gives is
    // part of the result: whatever is forked inside rounds so, too.
    const rounding mode(visit);
    [[maybe_unused]] const typename Engine::place here((visit >> 40) % 8 == 0);
    // And some holds memory meanwhile.
    [[maybe_unused]] const typename Engine::memory held((visit >> 44) % 4 == 0 ? 1 + (visit >> 48) % 16 : 0);
    // And some has a policy of its own.
    const auto inside = [&] { return children(n, mix(visit, third())); };
    const std::uint64_t value =
        scopes_of_policies && (visit >> 52) % 4 == 0 ? Engine::under((visit >> 54) % 8, inside) : inside();
    if (throws) throw program_error(visit | 1);
    return value;
  }

 private:
  std::uint64_t children(const node& n, std::uint64_t visit) {
    switch (n.what) {
      case kind::leaf:
        return leaf(n, visit);
      case kind::sequence:
        return sequence(n, visit);
      case kind::fork:
        return fork(n, visit);
      case kind::loop:
        return loop(n, visit);
      case kind::reduce_numbers:
        return reduce_numbers(n, visit);
      case kind::reduce_lists:
        return reduce_lists(n, visit);
      case kind::group:
        return group(n, visit);
      case kind::handler:
        return handler(n, visit);
    }
    return 0;
  }

  std::uint64_t leaf(const node& n, std::uint64_t visit) {
    std::uint64_t value = visit;
    for (std::uint32_t i = 0; i < n.count; ++i) value = mix(value, i);
    return value;
  }

  std::uint64_t child(const node& n, std::size_t c, std::uint64_t visit) {
    return evaluate(n.children[c], mix(visit, c));
  }
  static std::uint64_t in_order(std::uint64_t visit, std::span<const std::uint64_t> values) {
    for (const std::uint64_t v : values) visit = mix(visit, v);
    return visit;
  }

  std::uint64_t sequence(const node& n, std::uint64_t visit) {
    std::uint64_t value = visit;
    for (std::size_t c = 0; c < n.children.size(); ++c) value = mix(value, child(n, c, visit));
    return value;
  }

  std::uint64_t fork(const node& n, std::uint64_t visit) {
    const auto branch = [this, &n, visit](std::size_t c) {
      return [this, &n, visit, c] { return child(n, c, visit); };
    };
    switch (n.children.size()) {
      case 2:
        return fork_two(n, visit);
      case 3: {
        const auto [a, b, c] = Engine::fork(branch(0), branch(1), branch(2));
        return in_order(visit, std::array{a, b, c});
      }
      case 4: {
        const auto [a, b, c, d] = Engine::fork(branch(0), branch(1), branch(2), branch(3));
        return in_order(visit, std::array{a, b, c, d});
      }
      default: {
        const auto [a, b, c, d, e] = Engine::fork(branch(0), branch(1), branch(2), branch(3), branch(4));
        return in_order(visit, std::array{a, b, c, d, e});
      }
    }
  }

  // The forms that differ inside the runtime: small and large results and captures, results that only move, none.
  std::uint64_t fork_two(const node& n, std::uint64_t visit) {
    std::array<std::uint64_t, 2> values{};
    switch (n.variant / 2 % 6) {
      case 0: {
        const auto [a, b] = Engine::fork([&] { return child(n, 0, visit); }, [&] { return child(n, 1, visit); });
        values = {a, b};
        break;
      }
      case 1:
        Engine::fork([&] { values[0] = child(n, 0, visit); }, [&] { values[1] = child(n, 1, visit); });
        break;
      case 2: {
        const auto [a, b] = Engine::fork([&] { values[0] = child(n, 0, visit); },
                                         [this, &n, visit] { return wide_result(child(n, 1, visit)); });
        values[1] = b.value();
        break;
      }
      case 3: {
        const auto [a, b] =
            Engine::fork([this, &n, visit] { return std::make_unique<std::uint64_t>(child(n, 0, visit)); },
                         [this, &n, visit] { return std::make_unique<std::uint64_t>(child(n, 1, visit)); });
        values = {*a, *b};
        break;
      }
      case 4: {
        const std::array<std::uint64_t, 12> bulk{visit};
        const auto [a, b] = Engine::fork([this, &n, bulk] { return child(n, 0, bulk[0]); },
                                         [this, &n, bulk] { return child(n, 1, bulk[0]); });
        values = {a, b};
        break;
      }
      default: {
        auto left = [&] { return child(n, 0, visit); };
        auto right = [&] { return child(n, 1, visit); };
        const auto [a, b] = Engine::fork(left, right);
        values = {a, b};
        break;
      }
    }
    return in_order(visit, values);
  }

  std::uint64_t iteration(const node& n, std::uint64_t i, std::uint64_t visit) {
    return evaluate(n.children[i % n.children.size()], mix(visit, i));
  }

  std::uint64_t loop(const node& n, std::uint64_t visit) {
    std::vector<std::uint64_t> values(n.count);
    switch (n.variant / 2 % 8) {
      case 0:
        Engine::loop(0, static_cast<int>(n.count), [&](int i) {
          values[static_cast<std::size_t>(i)] = iteration(n, static_cast<std::uint64_t>(i), visit);
        });
        break;
      case 1: {
        // Across zero.
        const auto first = -static_cast<std::int64_t>(n.count / 2);
        Engine::loop(first, first + static_cast<std::int64_t>(n.count), [&, first](std::int64_t i) {
          const auto k = static_cast<std::uint64_t>(i - first);
          values[k] = iteration(n, k, visit);
        });
        break;
      }
      case 2: {
        // Up to the largest index that there is.
        constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
        const std::uint64_t first = last - n.count;
        Engine::loop(first, last,
                     [&, first](std::uint64_t i) { values[i - first] = iteration(n, i - first, visit); });
        break;
      }
      case 3:
        Engine::loop_by(std::uint32_t{0}, 3 * n.count, 3u,
                        [&](std::uint32_t i) { values[i / 3] = iteration(n, i / 3, visit); });
        break;
      case 4:
        Engine::loop_over(values, [&](std::uint64_t& v) {
          const auto k = static_cast<std::uint64_t>(&v - values.data());
          v = iteration(n, k, visit);
        });
        break;
      case 5:
        Engine::loop_of_subranges(0u, n.count, [&](std::uint32_t begin, std::uint32_t end) {
          first_error errors;
          for (std::uint32_t i = begin; i < end; ++i) errors.run([&] { values[i] = iteration(n, i, visit); });
          errors.rethrow();
        });
        break;
      case 6: {
        constexpr std::uint32_t columns = 3;
        values.resize(n.count / columns * columns);
        Engine::loop_of_cells(n.count / columns, columns, [&](std::uint32_t row, std::uint32_t column) {
          const std::uint32_t k = row * columns + column;
          values[k] = iteration(n, k, visit);
        });
        break;
      }
      default: {
        std::list<std::uint64_t> cells;
        for (std::uint64_t k = 0; k < n.count; ++k) cells.push_back(k);
        Engine::loop_over_list(cells, [&](std::uint64_t& v) { v = values[v] = iteration(n, v, visit); });
        break;
      }
    }
    return in_order(visit, values);
  }

  std::uint64_t reduce_numbers(const node& n, std::uint64_t visit) {
    const affine all = Engine::reduce(
        std::uint32_t{0}, n.count, affine{},
        [&](std::uint32_t i) {
          const std::uint64_t value = iteration(n, i, visit);
          return affine{2 * value + 1, value >> 7};
        },
        [](affine a, affine b) { return a * b; });
    return mix(all.factor, all.term);
  }

  std::uint64_t reduce_lists(const node& n, std::uint64_t visit) {
    using list = std::vector<std::uint64_t>;
    if (n.variant / 2 % 3 == 0) return collect(n, visit);
    const list all = Engine::reduce(
        0, static_cast<int>(n.count), list(),
        [&](int i) { return list{iteration(n, static_cast<std::uint64_t>(i), visit)}; },
        [](list a, const list& b) {
          a.insert(a.end(), b.begin(), b.end());
          return a;
        });
    return in_order(visit, all);
  }

  // All iterations run here, and so the error is the first one's: the construct alone promises no more than that one.
  struct collector {
    collector(evaluator& e, const node& n, std::uint64_t v) : self(&e), what(&n), visit(v) {}
    template <class Split>
    collector(collector& other, Split) : collector(*other.self, *other.what, other.visit) {}
    void operator()(int begin, int end) {
      for (int i = begin; i < end; ++i) {
        errors.run([&] { all.push_back(self->iteration(*what, static_cast<std::uint64_t>(i), visit)); });
      }
    }
    void join(collector& right) {
      all.insert(all.end(), right.all.begin(), right.all.end());
      errors.run([&] { right.errors.rethrow(); });
    }

    evaluator* self;
    const node* what;
    std::uint64_t visit;
    std::vector<std::uint64_t> all;
    first_error errors;
  };
  std::uint64_t collect(const node& n, std::uint64_t visit) {
    collector all(*this, n, visit);
    Engine::collect(0, static_cast<int>(n.count), all);
    all.errors.rethrow();
    return in_order(visit, all.all);
  }

  // Each child writes its own cell. Some add one more child, in which errors end: they would have no place in the order
  // of spawning. Some groups are bounded. In some programs the code between run() and wait() evaluates a child itself.
  std::uint64_t group(const node& n, std::uint64_t visit) {
    const std::size_t children = n.children.size();
    std::vector<std::uint64_t> values(2 * children);
    typename Engine::group members(n.variant / 8 % 3 == 0 ? 2 : ~std::size_t{0});
    const bool own = n.variant / 2 % 4 == 0;
    for (std::size_t c = own ? 1 : 0; c < children; ++c) {
      members.run([this, &n, &members, &values, visit, c, children] {
        if ((n.variant >> (c % 8) & 4) != 0) {
          members.run([this, &n, &values, visit, c, children] {
            try {
              values[children + c] = child(n, c, mix(visit, children + c));
            } catch (const program_error& error) {
              values[children + c] = error.number;
            }
          });
        }
        values[c] = child(n, c, visit);
      });
    }
    if (own) values[0] = child(n, 0, visit);
    members.wait();
    return in_order(visit, values);
  }

  std::uint64_t handler(const node& n, std::uint64_t visit) {
    try {
      return child(n, 0, visit);
    } catch (const program_error& error) {
      const std::uint64_t number = error.number;
      std::uint64_t value = mix(visit, number);
      if (n.variant / 2 % 3 != 0) {
        value = mix(value, child(n, 1, visit));
        // The error being handled must still be this one.
        if (error.number != number || number_of(std::current_exception()) != number) value = 0;
      }
      if (n.variant / 2 % 3 == 2) throw;
      return value;
    }
  }

  static std::uint64_t number_of(const std::exception_ptr& error) {
    if (error == nullptr) return 0;
    try {
      std::rethrow_exception(error);
    } catch (const program_error& e) {
      return e.number;
    }
  }

  trace& trace_;
};

template <class Engine>
outcome run_with(const node& program) {
  trace t;
  outcome o;
  try {
    o.value = evaluator<Engine>(t).evaluate(program, 0);
  } catch (const program_error& error) {
    o.error = error.number;
  }
  o.executed = t.executed.load();
  o.checksum = t.checksum.load();
  return o;
}

}  // namespace takt_test
