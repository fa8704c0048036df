// Merge sort as textbooks have it: each call makes a buffer for what it merges, and then sorts its halves.
#include "memory/parallel.hpp"
#include "memory/programs.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace bench {

namespace {

using key = std::uint64_t;

constexpr std::size_t k_leaf = 8192;

void merge(const key* x, std::size_t nx, const key* y, std::size_t ny, key* to) {
  if (nx + ny <= k_leaf) {
    std::merge(x, x + nx, y, y + ny, to);
    return;
  }
  if (nx < ny) {
    std::swap(x, y);
    std::swap(nx, ny);
  }
  const std::size_t mx = nx / 2;
  const auto my = static_cast<std::size_t>(std::lower_bound(y, y + ny, x[mx]) - y);
  both([=] { merge(x, mx, y, my, to); }, [=] { merge(x + mx, nx - mx, y + my, ny - my, to + mx + my); });
}

void sort(key* first, std::size_t n) {
  if (n <= k_leaf) {
    std::sort(first, first + n);
    return;
  }
  const std::unique_ptr<key[]> buffer(new key[n]);
  const std::size_t half = n / 2;
  both([=] { sort(first, half); }, [=] { sort(first + half, n - half); });
  merge(first, half, first + half, n - half, buffer.get());
  const std::size_t pieces = (n + k_leaf - 1) / k_leaf;
  each(pieces, [&](std::size_t piece) {
    const std::size_t from = piece * k_leaf;
    std::copy(buffer.get() + from, buffer.get() + std::min(from + k_leaf, n), first + from);
  });
}

class mergesort final : public program {
 public:
  explicit mergesort(std::size_t n) : keys_(n) {
    for (std::size_t i = 0; i < n; ++i) keys_[i] = scrambled(i);
  }
  void compute() override { sort(keys_.data(), keys_.size()); }
  std::uint64_t checksum() const override {
    std::uint64_t sum = 0;
    for (const key k : keys_) sum = mixed(sum, k);
    return sum;
  }

 private:
  std::vector<key> keys_;
};

}  // namespace

program* make_mergesort(std::size_t n) { return new mergesort(n); }

}  // namespace bench
