// Each branch here is run by another node: its fork waits until it has been sent. With one worker for each node, as
// another one would take it first.
#include "programs.hpp"

#include <takt/stop.hpp>

#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using cluster_test::check;

std::uint64_t sent() { return takt_cluster_counts().promotions; }
void wait_until_sent(std::uint64_t before) {
  while (sent() == before) std::this_thread::yield();
}

template <class G>
auto away(G g) {
  return takt::cluster::fork_join([before = sent()] { wait_until_sent(before); return 0; }, g).second;
}

// The nodes that a chain of branches ran on, the last one first.
std::uint64_t chain(int length) {
  const std::uint64_t here = takt_cluster_rank();
  return length == 0 ? here : away([length] { return chain(length - 1); }) * 10 + here;
}

// A result that fills its room.
struct large {
  unsigned char byte[takt::abi::k_travel_bytes];
};

struct own_error : std::exception {
  const char* what() const noexcept override { return "own"; }
};

template <class Error, class Thrown>
void arrives_as(Thrown thrown, const char* text) {
  try {
    away([thrown]() -> int { throw thrown(); });
    check(false, "nothing arrived");
  } catch (const Error& e) {
    check(text == std::string(e.what()), e.what());
  } catch (...) {
    check(false, "another type arrived");
  }
}

void exceptions() {
  arrives_as<std::out_of_range>([] { return std::out_of_range("a"); }, "a");
  arrives_as<std::invalid_argument>([] { return std::invalid_argument("b"); }, "b");
  arrives_as<std::overflow_error>([] { return std::overflow_error("c"); }, "c");
  arrives_as<std::runtime_error>([] { return std::runtime_error(""); }, "");
  arrives_as<std::bad_alloc>([] { return std::bad_alloc(); }, std::bad_alloc().what());
  arrives_as<takt::cluster::remote_error>([] { return own_error(); }, "own");
  arrives_as<takt::cluster::remote_error>([] { return takt::cluster::remote_error("d"); }, "d");
  arrives_as<takt::cluster::remote_error>([] { return 7; }, "an exception that is no std::exception");
  // Longer than there is room.
  const std::string most(takt::abi::k_travel_bytes, 'x');
  arrives_as<std::logic_error>([] { return std::logic_error(std::string(5000, 'x')); }, most.c_str());
  // The left one is the first in serial order, whatever comes back.
  try {
    takt::cluster::fork_join([before = sent()] { wait_until_sent(before); throw std::logic_error("left"); },
                             [] { throw std::runtime_error("right"); });
    check(false, "nothing arrived");
  } catch (const std::logic_error& e) {
    check(std::string("left") == e.what(), e.what());
  }
}

void stops() {
#ifdef __cpp_lib_jthread
  // Stopped when the branch is away, and nobody wants its result: it is waited for all the same. All nodes are on this
  // machine, and have one clock.
  using clock = std::chrono::steady_clock;
  const auto end = (clock::now() + std::chrono::milliseconds(100)).time_since_epoch();
  std::stop_source source;
  const bool complete = takt::with_stop(source.get_token(), [&] {
    takt::cluster::fork_join(
        [&, before = sent()] {
          wait_until_sent(before);
          source.request_stop();
          for (;;) takt::parallel_for(0, 1000, [](int i) { cluster_test::serial_fib(i % 10); });
        },
        [end] {
          while (clock::now().time_since_epoch() < end) std::this_thread::yield();
        });
  });
  check(!complete, "it was stopped");
  check(clock::now().time_since_epoch() >= end, "the branch that was away has ended");
#endif
}

// Parts of loops travel, too: the first iteration waits until one has been sent.
void loops() {
  constexpr std::uint64_t k_elsewhere = 1'000'000;
  const auto before = sent();
  const std::uint64_t sum = takt::cluster::parallel_reduce(
      0, 64, std::uint64_t{0},
      [before](int i) {
        if (i == 0) wait_until_sent(before);
        return static_cast<std::uint64_t>(i) + (takt_cluster_rank() != 0 ? k_elsewhere : 0);
      },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
  check(sum % k_elsewhere == 63 * 64 / 2, "each iteration once");
  check(sum >= k_elsewhere, "a part of a loop ran on another node");
}

void all(unsigned nodes) {
  const std::uint64_t path = chain(5);
  for (std::uint64_t rest = path; rest >= 10; rest /= 10)
    check(rest % 10 < nodes && rest % 10 != rest / 10 % 10, "each branch ran on another node than its fork");
  const large full = away([seed = 3] {
    large all{};
    for (std::size_t i = 0; i < sizeof all.byte; ++i) all.byte[i] = static_cast<unsigned char>(i * i + seed);
    return all;
  });
  for (std::size_t i = 0; i < sizeof full.byte; ++i)
    check(full.byte[i] == static_cast<unsigned char>(i * i + 3), "a large result");
  check(away([full] { return full.byte[1000]; }) == full.byte[1000], "large captures");
  takt::cluster::fork_join([before = sent()] { wait_until_sent(before); }, [] {});
  exceptions();
  stops();
  loops();
}

}  // namespace

int main() {
  takt::cluster::session nodes(std::chrono::microseconds(50));
  if (nodes.rank() != 0) return 0;
  for (int i = 0; i < 2; ++i) all(nodes.size());
  std::printf("%u nodes: right\n", nodes.size());
}
