#include <algorithm>

#include "loops/config.hpp"

#include "locality/parallel.hpp"

namespace takt::bench {
namespace {

const enrol<floyd_warshall_problem> paths(
    par::k_system, [](const floyd_warshall_problem::input& in, floyd_warshall_problem::answer& out) {
      const std::size_t nodes = in.nodes;
      const std::size_t row_bytes = nodes * sizeof(std::int32_t);
      std::int32_t* const distance = out.data();
      par::affinity same;
      for (std::size_t k = 0; k < floyd_warshall_problem::k_steps; ++k) {
        const std::int32_t* const over = distance + k * nodes;
        par::outer_loop(nodes, nodes * row_bytes, same, [=](std::size_t i) {
          std::int32_t* const row = distance + i * nodes;
          par::touch(over, row_bytes);
          par::touch(row, row_bytes);
          const std::int32_t to_k = row[k];
          for (std::size_t j = 0; j < nodes; ++j) {
            row[j] = std::min(row[j], to_k + over[j]);
          }
        });
      }
    });

const enrol<saxpy_problem> sums(par::k_system, [](const saxpy_problem::input& in, saxpy_problem::answer& out) {
  constexpr std::size_t k_block = saxpy_problem::k_block;
  const double* const x = out.x.data();
  double* const y = out.y.data();
  par::affinity same;
  for (int pass = 0; pass < saxpy_problem::k_passes; ++pass) {
    par::outer_loop(in.blocks, 2 * in.blocks * k_block * sizeof(double), same, [=](std::size_t block) {
      const std::size_t begin = block * k_block;
      par::touch(x + begin, k_block * sizeof(double));
      par::touch(y + begin, k_block * sizeof(double));
      for (std::size_t i = begin; i < begin + k_block; ++i) {
        y[i] += 3 * x[i];
      }
    });
  }
});

}  // namespace
}  // namespace takt::bench
