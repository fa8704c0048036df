#include "fork_empty/config.hpp"

#include <takt/takt.hpp>

namespace takt::bench {
namespace {

using problem = fork_empty_problem;

const enrol<problem> forks("takt", [](const problem::input& in, problem::answer& out) {
  // The outer fork makes this the inside of a computation: entering it is loop100's subject.
  takt::fork_join(
      [&] {
        for (std::int64_t i = 0; i < in.forks; ++i) {
          takt::fork_join([] {}, [] {});
          problem::keep();
        }
        out = in.forks;
      },
      [] {});
});

}  // namespace
}  // namespace takt::bench
