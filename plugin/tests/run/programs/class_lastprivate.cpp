// lastprivate objects are assigned.
#include <cstdio>
#include <string>
#include <vector>

namespace {
struct counted {
  int value = 0;
  int assigned = 0;
  counted() = default;
  counted(const counted&) = default;
  counted& operator=(const counted& other) {
    value = other.value;
    ++assigned;
    return *this;
  }
};
}  // namespace

int main() {
  counted c;
  std::string text = "none";
  std::vector<int> list;
#pragma omp parallel for lastprivate(c, text)
  for (int i = 0; i < 400; ++i) {
    c.value = i;
    text = "at " + std::to_string(i);
  }
  std::printf("%d %s\n", c.value, text.c_str());
#pragma omp parallel
  {
#pragma omp for lastprivate(list) schedule(dynamic, 3)
    for (int i = 0; i < 400; ++i) list = {i, i + 1};
#pragma omp sections lastprivate(text)
    {
#pragma omp section
      text = "first";
#pragma omp section
      text = "second";
    }
  }
  std::printf("%zu %d %s\n", list.size(), list[1], text.c_str());
}
// converted: 3 loops, 1 regions, 0 left
