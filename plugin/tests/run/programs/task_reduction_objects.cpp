// Reductions over tasks of classes: copies are made and destroyed as often, and know the object that they are copies
// of.
#include <vector>

#include "show.h"

static int alive, wrong;

struct histogram {
  explicit histogram(int size) : counts(static_cast<std::size_t>(size)), self(this) { change(1); }
  histogram(const histogram&) = delete;
  ~histogram() {
    if (self != this) change(1000);
    change(-1);
  }
  static void change(int by) {
#pragma omp atomic
    alive += by;
  }
  void add(const histogram& other) {
    if (other.self != &other || self != this || counts.size() != other.counts.size()) wrong = 1;
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  }
  std::vector<long> counts;
  const histogram* self;
};
#pragma omp declare reduction(together:histogram : omp_out.add(omp_in)) \
    initializer(omp_priv(static_cast<int>(omp_orig.counts.size())))

template <class T>
static T sum_of(int depth, T& total) {
  T own = 0;
#pragma omp taskgroup task_reduction(+ : own)
  for (int i = 0; i < depth; ++i) {
#pragma omp task in_reduction(+ : own) firstprivate(i)
    {
      T deeper = 0;
      own += sum_of<T>(i, deeper) + 1;
      own += deeper;
    }
  }
  total += own;
  return own;
}

// Clang copies the objects of an array in a loop.
static long sum_of_copies() {
  std::vector<long> rows[3] = {{1, 2}, {3, 4, 5}, {6}};
  long sum = 0;
#pragma omp taskloop firstprivate(rows) reduction(+ : sum)
  for (int i = 0; i < 50; ++i) {
    rows[i % 3].assign(1, i);
    sum += rows[i % 3].front();
  }
  return sum;
}

int main() {
  {
    histogram h(97);
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(together : h)
      for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(together : h)
        {
          ++h.counts[static_cast<std::size_t>(i * 31 % 97)];
#pragma omp task in_reduction(together : h)
          ++h.counts[static_cast<std::size_t>(i * 7 % 97)];
        }
      }
#pragma omp taskloop reduction(together : h)
      for (int i = 0; i < n; ++i) h.counts[static_cast<std::size_t>(i % 97)] += i;
    }
    for (int i = 0; i < 97; ++i) v[i] = h.counts[static_cast<std::size_t>(i)];
  }
  show("histogram");
  number("alive", alive);
  number("wrong", wrong);
  double total = 0, got = 0;
  long copies = 0;
#pragma omp parallel
#pragma omp single
  {
    got = sum_of<double>(9, total);
    copies = sum_of_copies();
  }
  number("a template", static_cast<long>(got));
  number("its total", static_cast<long>(total));
  number("an array of objects", copies);
  return 0;
}
// converted: 0 loops, 2 regions, 0 left
