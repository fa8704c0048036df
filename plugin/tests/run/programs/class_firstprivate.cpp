// firstprivate objects are copies.
#include <cstdio>
#include <string>
#include <vector>

int main() {
  std::vector<int> table{3, 1, 4, 1, 5, 9, 2, 6};
  std::string text = "firstprivate";
  std::vector<long> out(500);
#pragma omp parallel for firstprivate(table, text)
  for (int i = 0; i < 500; ++i) {
    table[0] = i;
    out[i] = table[0] + table[i % 8] + text[i % 12];
  }
#pragma omp parallel for firstprivate(text) schedule(guided)
  for (int i = 0; i < 500; ++i) {
    text += 'x';
    out[i] += text.size() > 12;
    text.pop_back();
  }
#pragma omp parallel
  {
#pragma omp for firstprivate(table)
    for (int i = 0; i < 500; ++i) out[i] += table[1 + i % 7];
#pragma omp for
    for (int i = 0; i < 500; ++i) out[i] *= 2;
  }
  long s = static_cast<long>(text.size());
  for (long x : out) s = s * 7 % 1000003 + x;
  std::printf("%ld\n", s);
}
// converted: 4 loops, 1 regions, 0 left
