#include "fork_empty/config.hpp"

namespace takt::bench {
namespace {

using problem = fork_empty_problem;

const enrol<problem> serial("serial", [](const problem::input& in, problem::answer& out) {
  for (std::int64_t i = 0; i < in.forks; ++i) {
    problem::keep();
  }
  out = in.forks;
});

}  // namespace
}  // namespace takt::bench
