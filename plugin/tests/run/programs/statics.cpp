// Local statics, static members and inline variables that loops use.
#include <cstdio>
#include <vector>

namespace {
struct settings {
  static inline int scale = 3;
  static const std::vector<int>& table() {
    static const std::vector<int> t = [] {
      std::vector<int> made(10);
      for (int i = 0; i < 10; ++i) made[i] = i * i;
      return made;
    }();
    return t;
  }
};
}  // namespace

int main() {
  std::vector<int> out(500);
#pragma omp parallel for
  for (int i = 0; i < 500; ++i) out[i] = settings::table()[i % 10] * settings::scale;
#pragma omp parallel
  {
#pragma omp single
    settings::scale = 5;
#pragma omp for
    for (int i = 0; i < 500; ++i) out[i] += settings::scale + settings::table()[3];
  }
  long s = 0;
  for (int x : out) s = (s * 3 + x) % 1000003;
  std::printf("%ld\n", s);
}
// converted: 2 loops, 1 regions, 0 left
