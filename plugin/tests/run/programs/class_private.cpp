// Private objects are made and ended, however many there are.
#include <cstdio>
#include <string>
#include <vector>

namespace {
int alive = 0;
struct object {
  int value = 5;
  object() { count(1); }
  object(const object& other) : value(other.value) { count(1); }
  object& operator=(const object&) = default;
  ~object() { count(-1); }
  static void count(int by) {
#pragma omp atomic
    alive += by;
  }
};
}  // namespace

int main() {
  std::vector<int> out(600);
  {
    object o;
#pragma omp parallel for private(o)
    for (int i = 0; i < 600; ++i) out[i] = o.value > 4;
    object row[3];
#pragma omp parallel for private(row) schedule(dynamic, 7)
    for (int i = 0; i < 600; ++i) out[i] += row[i % 3].value;
    std::string text = "abc";
#pragma omp parallel for private(text)
    for (int i = 0; i < 600; ++i) {
      text = std::to_string(i);
      out[i] += static_cast<int>(text.size());
    }
#pragma omp parallel
    {
#pragma omp for private(o)
      for (int i = 0; i < 600; ++i) out[i] += o.value;
#pragma omp single private(o)
      out[0] += o.value;
    }
  }
  long s = 0;
  for (int x : out) s = s * 7 % 1000003 + x;
  std::printf("%ld %d\n", s, alive);
}
// converted: 4 loops, 1 regions, 0 left
