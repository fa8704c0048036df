// The same in C++: references, members, templates, classes that are reduced, and exceptions that are caught in a task,
// or leave a function whose tasks take part.
#include "show.h"

#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct histogram {
  std::vector<long> counts = std::vector<long>(8);
  void add(long key) { counts[static_cast<unsigned long>(key) % 8]++; }
  void merge(const histogram& other) {
    for (unsigned i = 0; i < 8; ++i) counts[i] += other.counts[i];
  }
};
#pragma omp declare reduction(merge:histogram : omp_out.merge(omp_in)) initializer(omp_priv = histogram())

struct node {
  long value = 0;
  std::unique_ptr<node> left, right;
};

std::unique_ptr<node> make(int depth, long value) {
  auto made = std::make_unique<node>();
  made->value = value;
  if (depth > 0) {
    made->left = make(depth - 1, 2 * value);
    if (value % 5 != 0) made->right = make(depth - 1, 2 * value + 1);
  }
  return made;
}

histogram keys;
long total;

void visit(const node* at) {
  if (at == nullptr) return;
#pragma omp task in_reduction(merge : keys) in_reduction(+ : total)
  {
    keys.add(at->value);
    visit(at->left.get());
    total += at->value;
  }
  visit(at->right.get());
}

// By reference: the tasks inside name the copy of the task around them.
template <class T>
void sum_of(const node* at, T& sum) {
  if (at == nullptr) return;
#pragma omp task in_reduction(+ : sum)
  {
    sum_of(at->left.get(), sum);
    sum += static_cast<T>(at->value);
#pragma omp task shared(sum)
    sum_of(at->right.get(), sum);
#pragma omp taskwait
    sum += 1;
  }
}

struct counter {
  long* odd;
  int throws = 0;

  void count(const node* at, long& even) {
    if (at == nullptr) return;
    std::vector<long> own(20, at->value);
#pragma omp task in_reduction(+ : even) firstprivate(own)
    {
      if (own[7] % 2 == 0) ++even;
      try {
        count(at->left.get(), even);
        check(at, even);
      } catch (const std::runtime_error&) {
        even += 1000;
      }
      count(at->right.get(), even);
    }
  }
  // Leaves a task behind, in either way.
  void check(const node* at, long& even) {
#pragma omp task in_reduction(+ : even)
    even += 1000000;
    if (at->value % 7 == throws) throw std::runtime_error("seven");
  }
};

// Not in one of its own groups.
struct recorder {
  explicit recorder(long k) : key(k) {}
  ~recorder() {
    const long last = key;
#pragma omp task in_reduction(+ : total)
    total += last;
  }
  long key;
};
void with_destructors(int depth) {
  const recorder first(depth);
#pragma omp task in_reduction(+ : total)
  {
    const recorder second(2 * depth);
    if (depth > 0) with_destructors(depth - 1);
  }
  if (depth > 0) with_destructors(depth - 1);
}

}  // namespace

int main() {
  const auto root = make(11, 1);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(merge : keys) task_reduction(+ : total)
  visit(root.get());
  for (unsigned i = 0; i < 8; ++i) v[i] = keys.counts[i];
  show("a class");
  number("a class, sum", total);
  long sum = 3;
  double real = 0.5;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    sum_of(root.get(), sum);
#pragma omp taskgroup task_reduction(+ : real)
    sum_of(root.get(), real);
#pragma omp taskgroup task_reduction(+ : sum, real)
    {
      sum_of(root->left.get(), real);
      sum_of(root->left.get(), sum);
    }
  }
  number("by reference", sum);
  number("by reference, real", static_cast<long>(real * 2));
  long even = 0;
#pragma omp parallel
#pragma omp single
  {
    counter c{&sum};
#pragma omp taskgroup task_reduction(+ : even)
    c.count(root.get(), even);
  }
  number("thrown", even);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
  with_destructors(8);
  number("destructors", total);
  return 0;
}
// converted: 0 loops, 4 regions, 0 left
