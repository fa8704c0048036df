#define TAKT_TOUCH
#include "simulate/touches.hpp"

#include <takt/parallel_reduce.hpp>
#include <takt/touch.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace takt_test {

bool touch_all(std::size_t count) {
  const std::vector<std::uint64_t> numbers(count, 1);
  std::uint64_t sum = 0;
  for (int round = 0; round < 2; ++round) {
    sum += takt::parallel_reduce(
        std::size_t{0}, count, std::uint64_t{0},
        [n = numbers.data()](std::size_t i) {
          takt::touch(&n[i], sizeof n[i]);
          return n[i];
        },
        std::plus<>{});
  }
  return sum == 2 * count;
}

}  // namespace takt_test
