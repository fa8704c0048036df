// The pieces of fast path. Branches are functors, so that their sites have names.
#include "steps.hpp"

#include <takt/takt.hpp>

#include <array>
#include <cstddef>

namespace takt_steps {

#if defined(TAKT_EXPLORE)
const bool k_has_points = true;
#else
const bool k_has_points = false;
#endif

namespace {

using takt::abi::site;
using takt::detail::site_of;

void forget(site& of) { of = site{}; }

// --- forks -----------------------------------------------------------------------------------------------------

template <std::uint64_t Number>
struct branch {
  std::uint64_t operator()() const {
    note("branch", Number);
    return Number;
  }
};

struct large_branch {
  std::array<std::uint64_t, 8> operator()() const {
    note("large branch");
    return {1, 2, 3, 4, 5, 6, 7, 8};
  }
};

template <class F, class G>
site& site_of_fork() {
  return site_of<std::pair<F, G>>;
}

using left = branch<3>;
using right = branch<5>;

std::uint64_t one_fork() {
  const auto [a, b] = takt::fork_join(left{}, right{});
  note("joined");
  return 10 * a + b;
}

std::uint64_t large_result() {
  const auto [a, b] = takt::fork_join(left{}, large_branch{});
  note("joined");
  return a + b[7];
}

struct forking_branch {
  std::uint64_t operator()() const { return one_fork(); }
};

std::uint64_t fork_in_a_fork() {
  const auto [a, b] = takt::fork_join(forking_branch{}, forking_branch{});
  note("joined");
  return 100 * a + b;
}

struct throwing_branch {
  std::uint64_t operator()() const {
    note("throws");
    throw 7;
  }
};

std::uint64_t left_throws() {
  try {
    takt::fork_join(throwing_branch{}, right{});
  } catch (int number) {
    note("caught");
    return static_cast<std::uint64_t>(number);
  }
  return 0;
}

// --- loops -----------------------------------------------------------------------------------------------------

template <class F>
site& site_of_loop() {
  return site_of<takt::detail::for_operations<std::uint64_t, F>>;
}

// Iterations count themselves in a global variable, so that the body is a functor without captures.
std::uint64_t sum = 0;

template <unsigned Which>
struct body {
  void operator()(std::uint64_t i) const {
    if (i % 4 == 0) note("iteration", i);
    sum += i + 1;
  }
};

template <unsigned Which, std::uint64_t Count>
std::uint64_t loop() {
  sum = 0;
  takt::parallel_for(std::uint64_t{0}, Count, body<Which>{});
  note("joined");
  return sum;
}

template <unsigned Which>
void knows_that_it_nests() {
  forget(site_of_loop<body<Which>>());
  site_of_loop<body<Which>>().nested = 1;
}

// --- free code -------------------------------------------------------------------------------------------------

std::uint64_t free_loops() {
  site& of = site_of_loop<body<2>>();
  const std::uint64_t first = loop<2, 3>();
  note(takt::detail::relaxed(of.free_below) != 0 ? "still free" : "charged");
  return 10 * first + loop<2, 3>();
}

void grant() {
  site& of = site_of_loop<body<2>>();
  forget(of);
  of.unit_cost = 1;
  takt_loop_timed(&of, 1000, 1);
}

struct free_left {
  std::uint64_t operator()() const { return one_fork(); }
};

std::uint64_t free_forks() {
  takt_hot.free_top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + 500;
  const auto [a, b] = takt::fork_join(free_left{}, forking_branch{});
  note(takt_hot.free_top != 0 ? "still a band" : "no band");
  return 100 * a + b;
}

void forget_forks() {
  forget(site_of_fork<left, right>());
  forget(site_of_fork<left, large_branch>());
  forget(site_of_fork<forking_branch, forking_branch>());
  forget(site_of_fork<throwing_branch, right>());
  forget(site_of_fork<free_left, forking_branch>());
}

void mark_forks() {
  forget_forks();
  site_of_fork<left, right>().free_band = 2048;
  site_of_fork<free_left, forking_branch>().free_band = 2048;
}

}  // namespace

const std::vector<piece>& pieces() {
  static const std::vector<piece> all{
      {"one fork", &forget_forks, &one_fork, 35},
      {"large result", &forget_forks, &large_result, 11},
      {"fork in a fork", &forget_forks, &fork_in_a_fork, 3535},
      {"left branch throws", &forget_forks, &left_throws, 7},
      {"loop that nests", &knows_that_it_nests<0>, &loop<0, 5>, 15},
      {"longer loop that nests", &knows_that_it_nests<1>, &loop<1, 20>, 210},
      {"free loops", &grant, &free_loops, 66},
      {"free forks", &mark_forks, &free_forks, 3535},
  };
  return all;
}

}  // namespace takt_steps
