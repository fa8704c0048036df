#include "idle/config.hpp"

namespace takt::bench {
namespace {

using problem = idle_problem;

const enrol<problem> serial("serial", [](const problem::input& in, problem::answer& out) {
  double sum = 0.0;
  for (std::int64_t row = 0; row < problem::k_rows; ++row) {
    for (std::int64_t col = 0; col < problem::k_cols; ++col) {
      sum += problem::term(row, col);
    }
  }
  out.sum = sum;
  out.idle_cpu = problem::cpu_used_by_nap(in);
});

}  // namespace
}  // namespace takt::bench
