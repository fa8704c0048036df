// reduction(task, ...) and reductions over tasks of a computed length in C++: classes, references, members, templates.
#include "by_clang.h"
#include "show.h"

#include <vector>

static int alive;
struct tally {
  long sum = 0, most = 0;
  tally* self = this;
  tally() { count(1); }
  tally(const tally& other) : sum(other.sum), most(other.most) { count(1); }
  tally& operator=(const tally&) = default;
  ~tally() {
    if (self != this) count(1000);
    count(-1);
  }
  void add(long value) {
    sum += value;
    most = value > most ? value : most;
  }
  void add(const tally& other) {
    sum += other.sum;
    most = other.most > most ? other.most : most;
  }
  static void count(int by) {
#pragma omp atomic
    alive += by;
  }
};
#pragma omp declare reduction(tallies:tally : omp_out.add(omp_in)) initializer(omp_priv = tally())

struct plain {
  long sum = 0;
  plain& operator+=(const plain& other) {
    sum += other.sum;
    return *this;
  }
};
#pragma omp declare reduction(+ : plain : omp_out += omp_in) initializer(omp_priv = plain())

static void tree(long& sum, int depth, long at) {
#pragma omp task in_reduction(+ : sum)
  {
    sum += at;
    if (depth > 0) tree(sum, depth - 1, 2 * at);
#pragma omp task shared(sum)
    if (depth > 0) tree(sum, depth - 1, 2 * at + 1);
#pragma omp taskwait
    sum += 1;
  }
}

template <class T>
static T of_type(T start) {
#pragma omp parallel for reduction(task, + : start) schedule(dynamic)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : start)
    start += T(i);
  }
  return start;
}

struct holder {
  long total = 0;
  void fill() {
#pragma omp parallel reduction(task, + : total)
#pragma omp single
    for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : total)
      total += i;
    }
  }
};

static long sections(int length) {
  std::vector<tally> all(length + 1);
  tally* t = all.data();
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(tallies : t[1 : length])
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(tallies : t[1 : length])
    {
      t[1 + i % length].add(i);
#pragma omp taskgroup
      {
#pragma omp task in_reduction(tallies : t[1 : length])
        t[1 + i / 2 % length].add(1);
      }
    }
  }
  long s = 0;
  for (int i = 0; i < length; ++i) s = s * 31 % 1000003 + t[1 + i].sum + t[1 + i].most;
  return s;
}

int main() {
  tally t;
  plain p;
  holder h;
  long s = 1;
#pragma omp parallel reduction(task, tallies : t)
#pragma omp single
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(tallies : t)
    t.add(i);
    if (i % 10 == 0) t.add(3);
  }
  number("a class", t.sum + t.most);
  number("alive", alive);
#pragma omp parallel for reduction(task, + : p)
  for (int i = 0; i < n; ++i) {
    p.sum += 2;
#pragma omp task in_reduction(+ : p)
    p.sum += i;
  }
  number("a class without destructor", p.sum);
#pragma omp parallel for reduction(task, + : s)
  for (int i = 0; i < 20; ++i) tree(s, 4, i);
  number("by reference, from a loop", s);
#pragma omp parallel reduction(task, + : s)
#pragma omp master
  tree(s, 7, 1);
  number("by reference, from a region", s);
  number("double", static_cast<long>(of_type(0.5) * 2));
  number("short", of_type<short>(3));
  h.fill();
  number("a member", h.total);
  by_clang_alone();
  number("sections", sections(1) + sections(300));
  number("alive", alive);
}
// converted: 4 loops, 8 regions, 0 left
