// Loops in members, over members.
#include <cstdio>
#include <vector>

namespace {
class field {
 public:
  explicit field(int size) : size_(size), cells_(static_cast<std::size_t>(size) * size, 1), next_(cells_) {}
  virtual ~field() = default;
  void step() {
#pragma omp parallel
    {
#pragma omp for collapse(2)
      for (int i = 1; i < size_ - 1; ++i) {
        for (int j = 1; j < size_ - 1; ++j) next(i, j) = (at(i - 1, j) + at(i, j + 1) * 2 + weight(i)) % 1009;
      }
#pragma omp single
      {
        cells_.swap(next_);
        ++steps_;
      }
    }
  }
  long total() const {
    long s = 0;
#pragma omp parallel for reduction(+ : s)
    for (long x : cells_) s += x;
    return s + steps_;
  }

 protected:
  virtual long weight(int row) const { return row; }

 private:
  long& next(int i, int j) { return next_[static_cast<std::size_t>(i) * size_ + j]; }
  long at(int i, int j) const { return cells_[static_cast<std::size_t>(i) * size_ + j]; }
  int size_;
  int steps_ = 0;
  std::vector<long> cells_, next_;
};
class heavy : public field {
 public:
  using field::field;

 protected:
  long weight(int row) const override { return 100 * row; }
};
}  // namespace

int main() {
  field f(30);
  heavy h(25);
  for (int i = 0; i < 8; ++i) {
    f.step();
    h.step();
  }
  std::printf("%ld %ld\n", f.total(), h.total());
}
// converted: 2 loops, 1 regions, 0 left
