#include "idle/config.hpp"

#include <functional>

#include <takt/takt.hpp>

namespace takt::bench {
namespace {

using problem = idle_problem;

const enrol<problem> loops("takt", [](const problem::input& in, problem::answer& out) {
  out.sum = takt::parallel_reduce(
      std::int64_t{0}, problem::k_rows, 0.0,
      [](std::int64_t row) {
        return takt::parallel_reduce(
            std::int64_t{0}, problem::k_cols, 0.0,
            [=](std::int64_t col) { return problem::term(row, col); }, std::plus<>{});
      },
      std::plus<>{});
  out.idle_cpu = problem::cpu_used_by_nap(in);
});

}  // namespace
}  // namespace takt::bench
