#include "rrm/config.hpp"

#include "locality/parallel.hpp"

namespace takt::bench {
namespace {

constexpr std::size_t k_block = rrm_problem::k_block;

void map_block(double* a, std::size_t count) {
  par::touch(a, count * sizeof *a);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] += a[i] * 1e-3;
  }
}

void map_parts(double* a, std::size_t count, double alpha) {
  par::affinity same;
  for (int round = 0; round < 3; ++round) {
    par::loop((count + k_block - 1) / k_block, count * sizeof *a, same,
              [=](std::size_t block) { map_block(a + block * k_block, std::min(k_block, count - block * k_block)); });
  }
  if (count < rrm_problem::k_smallest) {
    return;
  }
  const std::size_t left = rrm_problem::left_of(count, alpha);
  par::fork(
      1, alpha, count * sizeof *a, [=] { map_parts(a, left, alpha); },
      [=] { map_parts(a + left, count - left, alpha); });
}

const enrol<rrm_problem> program(par::k_system, [](const rrm_problem::input& in, std::vector<double>& out) {
  par::root([&] { map_parts(out.data(), out.size(), in.alpha); });
});

}  // namespace
}  // namespace takt::bench
